// What Roslyn says of a repository, a row of JSON for each name (bench/accuracy.md has the rows).
//
//     Oracle DIR ASSEMBLIES [-D SYMBOL,...] [-implicit] > rows.jsonl
//
// All sources of DIR are one compilation, with the assemblies of the folder ASSEMBLIES. -implicit
// adds the usings that a project with ImplicitUsings has.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

static class Oracle {
  static string root;
  static readonly TextWriter output =
      new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16);
  static readonly Dictionary<string, SortedDictionary<string, int>> folders =
      new Dictionary<string, SortedDictionary<string, int>>();  // of namespaces, with files

  static string Text(string text) {
    return "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
  }

  static void Row(params string[] pairs) {
    var parts = new List<string>();
    for (int i = 0; i + 1 < pairs.Length; i += 2) {
      if (pairs[i + 1] == null) continue;
      parts.Add(Text(pairs[i]) + ":" + pairs[i + 1]);
    }
    output.Write("{" + string.Join(",", parts) + "}\n");
  }

  static string PathOf(SyntaxTree tree) {
    return tree.FilePath.Substring(root.Length + 1).Replace('\\', '/');
  }

  static string At(Location location) {
    var line = location.GetLineSpan().StartLinePosition;
    return PathOf(location.SourceTree) + ":" + (line.Line + 1) + ":" + (line.Character + 1);
  }

  static bool IsWritten(Location location) {
    return location.IsInSource && location.SourceTree.FilePath.Length > root.Length;
  }

  static Location PlaceOf(ISymbol symbol) {
    return symbol.Locations.FirstOrDefault(IsWritten);
  }

  // What is asked about: not generic arguments, reductions, parts.
  static ISymbol Plain(ISymbol symbol) {
    if (symbol is IAliasSymbol alias) symbol = alias.Target;
    if (symbol is IMethodSymbol method) {
      if (method.ReducedFrom != null) method = method.ReducedFrom;
      method = method.OriginalDefinition;
      if (method.PartialDefinitionPart != null) method = method.PartialDefinitionPart;
      if (method.AssociatedSymbol != null) return method.AssociatedSymbol;
      return method;
    }
    return symbol.OriginalDefinition;
  }

  static string KindOf(ISymbol symbol) {
    switch (symbol) {
      case INamedTypeSymbol type:
        return type.TypeKind == TypeKind.Enum        ? "enum"
               : type.TypeKind == TypeKind.Interface ? "interface"
               : type.TypeKind == TypeKind.Delegate  ? "type"
                                                     : "class";
      case IMethodSymbol method:
        return method.MethodKind == MethodKind.Constructor     ? "constructor"
               : method.MethodKind == MethodKind.Ordinary      ? "method"
               : method.MethodKind == MethodKind.ExplicitInterfaceImplementation ? "method"
               : method.MethodKind == MethodKind.LocalFunction ? "function"
                                                               : null;
      case IPropertySymbol property:
        return property.IsIndexer ? null : "property";
      case IEventSymbol _:
        return "property";
      case IFieldSymbol field:
        return field.ContainingType?.TypeKind == TypeKind.Enum ? "enum_member" : "property";
    }
    return null;
  }

  static string NameOf(ISymbol symbol) {
    if (symbol is IMethodSymbol method && method.MethodKind == MethodKind.Constructor)
      return method.ContainingType.Name;
    return symbol.Name.Substring(symbol.Name.LastIndexOf('.') + 1);
  }

  static string QualifiedName(ISymbol symbol) {
    string name = NameOf(symbol);
    for (var at = symbol.ContainingSymbol; at != null; at = at.ContainingSymbol) {
      if (at is INamespaceSymbol space && space.IsGlobalNamespace) break;
      if (at is INamespaceSymbol || at is INamedTypeSymbol || at is IMethodSymbol)
        name = NameOf(at) + "." + name;
    }
    return name;
  }

  static readonly HashSet<ISymbol> declared = new HashSet<ISymbol>(SymbolEqualityComparer.Default);

  static void Define(ISymbol symbol, SyntaxNode node) {
    if (symbol == null || symbol.IsImplicitlyDeclared) return;
    symbol = Plain(symbol);
    string kind = KindOf(symbol);
    if (kind == null || !declared.Add(symbol)) return;
    var places = symbol.Locations.Where(IsWritten).ToList();
    if (symbol is IMethodSymbol method && method.PartialImplementationPart != null)
      places.AddRange(method.PartialImplementationPart.Locations.Where(IsWritten));
    if (places.Count == 0) return;
    var whole = node.FirstAncestorOrSelf<MemberDeclarationSyntax>() ?? node;
    if (symbol is IFieldSymbol == false && node is ParameterSyntax) whole = node;
    int start = whole.SyntaxTree == places[0].SourceTree
                    ? whole.GetLocation().GetLineSpan().StartLinePosition.Line + 1
                    : places[0].GetLineSpan().StartLinePosition.Line + 1;
    string scope = symbol.Kind == SymbolKind.NamedType && symbol.ContainingType == null ? "module"
                   : kind == "function"                                               ? "local"
                                                                                      : "class";
    Row("row", Text("def"), "at", Text(At(places[0])), "name", Text(NameOf(symbol)), "qname",
        Text(QualifiedName(symbol)), "kind", Text(kind), "scope", Text(scope), "start",
        start.ToString());
    foreach (var other in places.Skip(1))
      Row("row", Text("decl"), "at", Text(At(other)), "name", Text(NameOf(symbol)), "of",
          Text(At(places[0])));
    if (symbol is INamedTypeSymbol type) Families(type);
    ISymbol above = (symbol as IMethodSymbol)?.OverriddenMethod ??
                    (symbol as IPropertySymbol)?.OverriddenProperty ??
                    (ISymbol)(symbol as IEventSymbol)?.OverriddenEvent;
    if (above != null) Family(symbol, above);
  }

  static void Family(ISymbol a, ISymbol b) {
    var from = PlaceOf(Plain(a));
    var to = PlaceOf(Plain(b));
    if (from == null || to == null) return;
    Row("row", Text("family"), "a", Text(At(from)), "b", Text(At(to)));
  }

  static void Families(INamedTypeSymbol type) {
    foreach (var above in type.AllInterfaces) {
      foreach (var member in above.GetMembers()) {
        var found = type.FindImplementationForInterfaceMember(member);
        if (found != null) Family(found, member);
      }
    }
  }

  static string FunctionAround(SyntaxNode node, SemanticModel model) {
    for (var at = node.Parent; at != null; at = at.Parent) {
      if (at is BaseMethodDeclarationSyntax || at is PropertyDeclarationSyntax ||
          at is AccessorDeclarationSyntax && at.Parent.Parent is EventDeclarationSyntax) {
        var symbol = model.GetDeclaredSymbol(at);
        var place = symbol == null ? null : PlaceOf(Plain(symbol));
        return place == null ? null : At(place);
      }
    }
    return null;
  }

  static void Use(SyntaxToken name, ISymbol symbol, string role, string around, bool call) {
    string at = At(name.GetLocation());
    string to = null, ext = null;
    if (symbol != null) {
      symbol = Plain(symbol);
      var place = PlaceOf(symbol);
      if (place != null) {
        if (KindOf(symbol) == null) return;
        to = Text(At(place));
      } else if (symbol.IsImplicitlyDeclared && symbol.ContainingType != null) {
        return;
      } else {
        ext = Text(symbol.ContainingAssembly?.Name ?? symbol.Name);
      }
    }
    Row("row", Text("use"), "at", Text(at), "name", Text(name.ValueText), "to", to, "ext", ext,
        "in", around == null ? null : Text(around), "call", call ? "true" : null, "role",
        role == null ? null : Text(role));
  }

  static void Name(SimpleNameSyntax name, SemanticModel model) {
    if (name.Identifier.IsMissing || name.IsVar) return;
    string text = name.Identifier.ValueText;
    if (text == "nameof" || text == "dynamic" || text == "_") return;
    bool isDoc = name.IsPartOfStructuredTrivia();
    string role = isDoc                                                              ? "doc"
                  : name.FirstAncestorOrSelf<UsingDirectiveSyntax>() != null ? "import"
                                                                                     : null;
    if (name.Parent is NameColonSyntax || name.Parent is NameEqualsSyntax && 
        !(name.Parent.Parent is AttributeArgumentSyntax)) return;
    var info = model.GetSymbolInfo(name);
    var symbol = info.Symbol;
    bool isGroup = info.CandidateReason == CandidateReason.MemberGroup ||
                   info.CandidateReason == CandidateReason.OverloadResolutionFailure ||
                   // (Its base is of a package that is missing.)
                   info.CandidateReason == CandidateReason.NotAnAttributeType;
    if (symbol == null && isGroup && info.CandidateSymbols.Length == 1)
      symbol = info.CandidateSymbols[0];
    if (symbol is INamespaceSymbol || symbol is ILocalSymbol || symbol is IParameterSymbol ||
        symbol is IRangeVariableSymbol || symbol is ITypeParameterSymbol ||
        symbol is ILabelSymbol || symbol is IDiscardSymbol) {
      return;
    }
    if (symbol is INamedTypeSymbol error && error.TypeKind == TypeKind.Error) symbol = null;
    string around = FunctionAround(name, model);
    SyntaxNode whole = name;
    while (whole.Parent is QualifiedNameSyntax || whole.Parent is AliasQualifiedNameSyntax ||
           whole.Parent is MemberAccessExpressionSyntax member && member.Name == whole ||
           whole.Parent is MemberBindingExpressionSyntax) {
      if (whole.Parent is QualifiedNameSyntax q && q.Right != whole) break;
      whole = whole.Parent;
    }
    bool isCall = whole.Parent is InvocationExpressionSyntax invocation &&
                  invocation.Expression == whole;
    if (symbol is IMethodSymbol made && made.MethodKind == MethodKind.Constructor) {
      // [Name]: the class and its constructor.
      Use(name.Identifier, made.ContainingType, role, around, false);
      if (!made.IsImplicitlyDeclared) Use(name.Identifier, made, role, around, true);
      return;
    }
    Use(name.Identifier, symbol, role, around, isCall);
    if (whole.Parent is ObjectCreationExpressionSyntax creation && creation.Type == whole &&
        model.GetSymbolInfo(creation).Symbol is IMethodSymbol constructor &&
        !constructor.IsImplicitlyDeclared && PlaceOf(Plain(constructor)) != null) {
      Use(name.Identifier, constructor, role, around, true);
    }
  }

  static void Import(UsingDirectiveSyntax directive, SemanticModel model, string path) {
    var symbol = model.GetSymbolInfo(directive.Name).Symbol;
    string target = null, external = null, any = null;
    if (symbol is INamespaceSymbol space && folders.TryGetValue(space.ToDisplayString(), out var at)) {
      // The folder that has most of its files; of those with as many, the first.
      int most = at.Values.Max();
      string first = at.First(f => f.Value == most).Key;
      target = first;
      any = "[" + string.Join(",", at.Keys.Where(f => f != target).Select(f => Text(f))) + "]";
    } else if (symbol is INamedTypeSymbol type && PlaceOf(type.OriginalDefinition) != null) {
      target = PathOf(PlaceOf(type.OriginalDefinition).SourceTree);
    } else {
      external = directive.Name.ToString();
    }
    int line = directive.GetLocation().GetLineSpan().StartLinePosition.Line + 1;
    Row("row", Text("import"), "path", Text(path), "spec", Text(directive.Name.ToString()), "line",
        line.ToString(), "target", target == null ? null : Text(target), "external",
        external == null ? null : Text(external), "any", any);
  }

  static IEnumerable<SyntaxTrivia> Disabled(SyntaxNode top) {
    return top.DescendantTrivia().Where(t => t.IsKind(SyntaxKind.DisabledTextTrivia));
  }

  // Namespaces in branches that are left out, with their folders.
  static readonly HashSet<(string, string)> hidden = new HashSet<(string, string)>();

  // Usings in a branch that is left out: they may lead to what they name, and need not.
  static void HiddenImports(SyntaxTrivia text, CSharpCompilation compilation, string path) {
    const string form = @"^\s*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)[^;(]*;";
    foreach (Match match in Regex.Matches(text.ToString(), form, RegexOptions.Multiline)) {
      string spec = match.Groups[1].Value;
      var found = new SortedSet<string>(StringComparer.Ordinal);
      if (folders.TryGetValue(spec, out var at)) found.UnionWith(at.Keys);
      found.UnionWith(hidden.Where(space => space.Item1 == spec).Select(space => space.Item2));
      var type = compilation.GetTypeByMetadataName(spec);
      if (type != null && PlaceOf(type) != null) found.Add(PathOf(PlaceOf(type).SourceTree));
      if (found.Count == 0) continue;
      Row("row", Text("import"), "path", Text(path), "spec", Text(spec), "line", "0", "any",
          "[" + string.Join(",", found.Select(f => Text(f))) + "]");
    }
  }

  static void Main(string[] arguments) {
    root = Path.GetFullPath(arguments[0]).TrimEnd('/');
    var symbols = new List<string>();
    bool isImplicit = false;
    for (int i = 2; i < arguments.Length; ++i) {
      if (arguments[i] == "-D") symbols.AddRange(arguments[++i].Split(','));
      if (arguments[i] == "-implicit") isImplicit = true;
    }
    var options = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.Parse,
                                         SourceCodeKind.Regular, symbols);
    var trees = new List<SyntaxTree>();
    var files = Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories);
    Array.Sort(files, StringComparer.Ordinal);
    foreach (var file in files) {
      if (Regex.IsMatch(file.Substring(root.Length), "/(obj|bin)/")) continue;
      trees.Add(CSharpSyntaxTree.ParseText(File.ReadAllText(file), options, file));
    }
    var written = trees.ToList();
    if (isImplicit) {
      var names = new[] { "System", "System.IO", "System.Linq", "System.Collections.Generic",
                          "System.Net.Http", "System.Threading", "System.Threading.Tasks" };
      trees.Add(CSharpSyntaxTree.ParseText(
          string.Concat(names.Select(n => "global using global::" + n + ";\n")), options, "/"));
    }
    var references = new List<MetadataReference>();
    foreach (var file in Directory.GetFiles(arguments[1], "*.dll")) {
      try {
        System.Reflection.AssemblyName.GetAssemblyName(file);
        references.Add(MetadataReference.CreateFromFile(file));
      } catch (Exception) {
      }
    }
    var compilation = CSharpCompilation.Create(
        "all", trees, references,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
    foreach (var tree in written) {
      string path = PathOf(tree);
      string folder = path.Contains('/') ? path.Substring(0, path.LastIndexOf('/')) : "";
      var spaces = tree.GetRoot().DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>()
                       .Select(n => n.Name.ToString()).Distinct();
      foreach (var text in Disabled(tree.GetRoot())) {
        foreach (Match match in Regex.Matches(text.ToString(), @"^\s*namespace\s+([\w.]+)",
                                              RegexOptions.Multiline)) {
          hidden.Add((match.Groups[1].Value, folder));
        }
      }
      foreach (var space in spaces) {
        if (!folders.TryGetValue(space, out var at))
          folders[space] = at = new SortedDictionary<string, int>(StringComparer.Ordinal);
        at.TryGetValue(folder, out int count);
        at[folder] = count + 1;
      }
    }
    int names_ = 0;
    foreach (var tree in written) {
      var model = compilation.GetSemanticModel(tree);
      string path = PathOf(tree);
      // What this compiler cannot read: newer syntax.
      bool isRead = !tree.GetDiagnostics().Any(d => d.Severity == DiagnosticSeverity.Error);
      Row("row", Text("file"), "path", Text(path), "taken", isRead ? "true" : "false");
      var top = tree.GetRoot();
      foreach (var node in top.DescendantNodes()) {
        if (node is UsingDirectiveSyntax directive) Import(directive, model, path);
        if (node is FieldDeclarationSyntax || node is EventFieldDeclarationSyntax) continue;
        if (node is MemberDeclarationSyntax && !(node is BaseNamespaceDeclarationSyntax) ||
            node is LocalFunctionStatementSyntax) {
          Define(model.GetDeclaredSymbol(node), node);
        } else if (node is VariableDeclaratorSyntax &&
                   node.Parent.Parent is BaseFieldDeclarationSyntax) {
          Define(model.GetDeclaredSymbol(node), node);
        } else if (node is ParameterSyntax parameter && parameter.Parent.Parent is
                       RecordDeclarationSyntax record) {
          var type = model.GetDeclaredSymbol(record);
          Define(type?.GetMembers(parameter.Identifier.ValueText).OfType<IPropertySymbol>()
                     .FirstOrDefault(), parameter);
        }
      }
      foreach (var text in Disabled(top)) HiddenImports(text, compilation, path);
      if (!isRead) {
        foreach (Match match in Regex.Matches(top.ToFullString(), "[A-Za-z_][A-Za-z_0-9]*")) {
          var span = new Microsoft.CodeAnalysis.Text.TextSpan(match.Index, match.Length);
          Row("row", Text("use"), "at", Text(At(Location.Create(tree, span))), "name",
              Text(match.Value));
        }
        continue;
      }
      foreach (var name in top.DescendantNodes(n => true, true).OfType<SimpleNameSyntax>()) {
        ++names_;
        Name(name, model);
      }
      foreach (var trivia in Disabled(top)) {
        foreach (Match match in Regex.Matches(trivia.ToString(), "[A-Za-z_][A-Za-z_0-9]*")) {
          var span = new Microsoft.CodeAnalysis.Text.TextSpan(trivia.SpanStart + match.Index,
                                                              match.Length);
          Row("row", Text("use"), "at", Text(At(Location.Create(tree, span))), "name",
              Text(match.Value));
        }
      }
    }
    output.Flush();
    Console.Error.WriteLine(
        "files " + written.Count + " names " + names_ + " errors " +
        compilation.GetDiagnostics().Count(d => d.Severity == DiagnosticSeverity.Error));
  }
}
