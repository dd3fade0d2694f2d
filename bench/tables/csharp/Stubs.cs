// Stubs of the public interfaces of .NET, from the metadata of its assemblies.
//
//     Stubs OUT FOLDER NAMESPACE...
//
// FOLDER has the assemblies. OUT/System.Collections.Generic.List.cs is the unit of that name: all
// types of the namespace that are called so, with the members that other code can use, without
// bodies, names of parameters and attributes.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

static class Stubs {
  static readonly SymbolDisplayFormat kTypes = new SymbolDisplayFormat(
      SymbolDisplayGlobalNamespaceStyle.Omitted,
      SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
      SymbolDisplayGenericsOptions.IncludeTypeParameters, SymbolDisplayMemberOptions.None,
      SymbolDisplayDelegateStyle.NameOnly, SymbolDisplayExtensionMethodStyle.Default,
      SymbolDisplayParameterOptions.None, SymbolDisplayPropertyStyle.NameOnly,
      SymbolDisplayLocalOptions.None, SymbolDisplayKindOptions.None,
      SymbolDisplayMiscellaneousOptions.UseSpecialTypes |
          SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers);

  static StringBuilder text = new StringBuilder();
  static SortedSet<string> used = new SortedSet<string>(StringComparer.Ordinal);

  static bool IsSeen(ISymbol symbol) {
    return symbol.DeclaredAccessibility == Accessibility.Public ||
           symbol.DeclaredAccessibility == Accessibility.Protected ||
           symbol.DeclaredAccessibility == Accessibility.ProtectedOrInternal;
  }

  static string Access(ISymbol symbol) {
    return symbol.DeclaredAccessibility == Accessibility.Public ? "public " : "protected ";
  }

  static void Use(ITypeSymbol type) {
    if (type is IArrayTypeSymbol array) Use(array.ElementType);
    if (type is IPointerTypeSymbol pointer) Use(pointer.PointedAtType);
    if (type is INamedTypeSymbol named) {
      foreach (var argument in named.TypeArguments) Use(argument);
      if (named.ContainingType != null) Use(named.ContainingType);
    }
    if (type.TypeKind == TypeKind.TypeParameter || type.SpecialType != SpecialType.None &&
        type.ToDisplayString(kTypes).All(char.IsLower)) return;
    if (type.ContainingNamespace != null && !type.ContainingNamespace.IsGlobalNamespace)
      used.Add(type.ContainingNamespace.ToDisplayString());
  }

  static string Type(ITypeSymbol type) {
    Use(type);
    return type.ToDisplayString(kTypes);
  }

  static string Name(ISymbol symbol) {
    return SyntaxFacts.GetKeywordKind(symbol.Name) == SyntaxKind.None ? symbol.Name
                                                                       : "@" + symbol.Name;
  }

  static string Parameters(IEnumerable<IParameterSymbol> parameters, bool extends = false) {
    var written = new List<string>();
    foreach (var parameter in parameters) {
      string word = extends && written.Count == 0 ? "this "
                    : parameter.IsParams              ? "params "
                    : parameter.RefKind == RefKind.Ref ? "ref "
                    : parameter.RefKind == RefKind.Out ? "out "
                    : parameter.RefKind == RefKind.In  ? "in "
                                                       : "";
      string name = ((char)('a' + written.Count % 26)).ToString();
      string end = parameter.IsOptional ? " = default" : "";
      written.Add(word + Type(parameter.Type) + " " + name + end);
    }
    return string.Join(", ", written);
  }

  static string TypeParameters(IEnumerable<ITypeParameterSymbol> parameters) {
    return parameters.Any() ? "<" + string.Join(", ", parameters.Select(p => p.Name)) + ">" : "";
  }

  static string Constraints(IEnumerable<ITypeParameterSymbol> parameters) {
    var written = "";
    foreach (var parameter in parameters) {
      if (parameter.ConstraintTypes.Length == 0) continue;
      written += " where " + parameter.Name + " : " +
                 string.Join(", ", parameter.ConstraintTypes.Select(Type));
    }
    return written;
  }

  static void Member(ISymbol member, bool ofInterface) {
    string head = ofInterface ? "" : Access(member);
    if (member.IsStatic) head += "static ";
    if (!ofInterface && member.IsAbstract) head += "abstract ";
    if (!ofInterface && member.IsVirtual) head += "virtual ";
    if (member.IsOverride) return;  // what it overrides is there
    switch (member) {
      case IFieldSymbol field:
        text.Append(head + Type(field.Type) + " " + Name(field) + ";\n");
        break;
      case IPropertySymbol property:
        if (property.ExplicitInterfaceImplementations.Length > 0) break;
        string accessors = (property.GetMethod != null ? " get;" : "") +
                           (property.SetMethod != null ? " set;" : "");
        text.Append(head + Type(property.Type) + " " +
                    (property.IsIndexer ? "this[" + Parameters(property.Parameters) + "]"
                                        : Name(property)) +
                    " {" + accessors + " }\n");
        break;
      case IEventSymbol happening:
        if (happening.ExplicitInterfaceImplementations.Length > 0) break;
        text.Append(head + "event " + Type(happening.Type) + " " + Name(happening) + ";\n");
        break;
      case IMethodSymbol method:
        string end = method.IsAbstract ? ";\n" : " { }\n";
        if (ofInterface) end = ";\n";
        if (method.MethodKind == MethodKind.Constructor) {
          if (method.ContainingType.TypeKind == TypeKind.Struct && method.Parameters.Length == 0)
            break;
          text.Append(head + method.ContainingType.Name + "(" + Parameters(method.Parameters) +
                      ") { }\n");
        } else if (method.MethodKind == MethodKind.UserDefinedOperator) {
          string sign = SyntaxFacts.GetText(SyntaxFacts.GetOperatorKind(method.Name));
          if (sign == "" || sign == "true" || sign == "false") break;
          text.Append(head + Type(method.ReturnType) + " operator " + sign + "(" +
                      Parameters(method.Parameters) + ") => default;\n");
        } else if (method.MethodKind == MethodKind.Ordinary) {
          string type = method.ReturnsVoid ? "void" : Type(method.ReturnType);
          text.Append(head + type + " " + Name(method) + TypeParameters(method.TypeParameters) +
                      "(" + Parameters(method.Parameters, method.IsExtensionMethod) + ")" +
                      Constraints(method.TypeParameters) + end);
        }
        break;
    }
  }

  static void Declare(INamedTypeSymbol type) {
    string head = Access(type);
    if (type.TypeKind == TypeKind.Delegate) {
      var invoke = type.DelegateInvokeMethod;
      text.Append(head + "delegate " + (invoke.ReturnsVoid ? "void" : Type(invoke.ReturnType)) +
                  " " + type.Name + TypeParameters(type.TypeParameters) + "(" +
                  Parameters(invoke.Parameters) + ")" + Constraints(type.TypeParameters) + ";\n");
      return;
    }
    if (type.TypeKind == TypeKind.Enum) {
      text.Append(head + "enum " + type.Name + " { " +
                  string.Join(", ", type.GetMembers().OfType<IFieldSymbol>().Where(IsSeen)
                                        .Select(Name)) + " }\n");
      return;
    }
    bool ofInterface = type.TypeKind == TypeKind.Interface;
    if (type.IsStatic) head += "static ";
    else if (type.IsAbstract && !ofInterface) head += "abstract ";
    head += ofInterface ? "interface " : type.TypeKind == TypeKind.Struct ? "struct " : "class ";
    var bases = new List<string>();
    var above = type.BaseType;
    // What is between it and what others see is not there.
    while (above != null && !IsSeen(above)) above = above.BaseType;
    if (above != null && type.TypeKind == TypeKind.Class &&
        above.SpecialType != SpecialType.System_Object) bases.Add(Type(above));
    bases.AddRange(type.Interfaces.Where(IsSeen).Select(Type));
    text.Append(head + type.Name + TypeParameters(type.TypeParameters) +
                (bases.Count > 0 ? " : " + string.Join(", ", bases) : "") +
                Constraints(type.TypeParameters) + " {\n");
    foreach (var member in type.GetMembers()) {
      if (!IsSeen(member)) continue;
      if (member is INamedTypeSymbol inner) Declare(inner);
      else Member(member, ofInterface);
    }
    text.Append("}\n");
  }

  static IEnumerable<INamedTypeSymbol> Types(INamespaceSymbol space) {
    return space.GetTypeMembers().Concat(space.GetNamespaceMembers().SelectMany(Types));
  }

  static void Main(string[] arguments) {
    var references = new List<MetadataReference>();
    foreach (var file in Directory.GetFiles(arguments[1], "*.dll")) {
      try {
        System.Reflection.AssemblyName.GetAssemblyName(file);
        references.Add(MetadataReference.CreateFromFile(file));
      } catch (Exception) {
      }
    }
    var compilation = CSharpCompilation.Create("stubs", new SyntaxTree[0], references,
                                               new CSharpCompilationOptions(
                                                   OutputKind.DynamicallyLinkedLibrary));
    var wanted = new HashSet<string>(arguments.Skip(2));
    var types = Types(compilation.GlobalNamespace)
                    .Where(t => IsSeen(t) && t.DeclaredAccessibility == Accessibility.Public &&
                                wanted.Contains(t.ContainingNamespace.ToDisplayString()))
                    .GroupBy(t => t.ContainingNamespace.ToDisplayString() + "." + t.Name);
    foreach (var unit in types) {
      text.Clear();
      used.Clear();
      var one = unit.GroupBy(t => t.Arity).OrderBy(g => g.Key).Select(g => g.First()).ToList();
      foreach (var type in one) Declare(type);
      string space = one[0].ContainingNamespace.ToDisplayString();
      used.Remove(space);
      File.WriteAllText(Path.Combine(arguments[0], unit.Key + ".cs"),
                        string.Concat(used.Select(u => "using " + u + ";\n")) + "namespace " +
                            space + ";\n" + text);
    }
  }
}
