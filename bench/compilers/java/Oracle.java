import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Symbol.ClassSymbol;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.code.TypeTag;
import com.sun.tools.javac.code.Types;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.JCTree.*;
import com.sun.tools.javac.tree.TreeInfo;
import com.sun.tools.javac.tree.TreeScanner;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import javax.tools.*;

/**
 * Prints what javac knows of every identifier of a repository, as bench/accuracy.md says:
 *
 *   X=--add-exports=jdk.compiler/com.sun.tools.javac
 *   java $X.api=ALL-UNNAMED $X.code=ALL-UNNAMED $X.tree=ALL-UNNAMED $X.util=ALL-UNNAMED Oracle.java DIR [-cp JARS]
 *
 * All sources are one compilation. What is in it twice, package-info.java and module-info.java are left out: their
 * definitions are told, their names are unknown.
 */
public class Oracle {
  /** A source file: its text and where its lines begin. */
  static class Source {
    final String path, text;
    final List<Integer> lines = new ArrayList<>(List.of(0));
    JCCompilationUnit unit;
    Source(String path, String text) {
      this.path = path;
      this.text = text;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '\n' || c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n')) lines.add(i + 1);
      }
    }
    int line(int position) {
      int i = Collections.binarySearch(lines, position);
      return i >= 0 ? i + 1 : -i - 1;
    }
    String at(int position) {
      int line = line(position);
      return path + ":" + line + ":" + (position - lines.get(line - 1) + 1);
    }
    boolean has(String name, int position) {
      return position >= 0 && text.startsWith(name, position);
    }
  }

  static final Pattern TOKENS = Pattern.compile(
      "/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"|'(?:\\\\.|[^'\\\\\\n])+'|[\\p{L}_$][\\p{L}\\p{N}_$]*",
      Pattern.DOTALL);
  static final Pattern LINKS = Pattern.compile("@(?:link|linkplain|see|throws|exception|param|value)\\s+<?([\\p{L}\\p{N}_$.]*(?:#[\\p{L}\\p{N}_$]+(?:\\([^)]*\\))?)?)");
  static final Pattern NAME = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");

  static PrintWriter out;
  static Types types;
  static final Map<Symbol, String> places = new IdentityHashMap<>();
  static final Set<String> printed = new HashSet<>();
  static final Map<String, Set<String>> files = new HashMap<>();  // top-level class -> the files that declare it

  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0) {
      System.err.println("usage: Oracle DIR [options of javac]");
      System.exit(2);
    }
    Thread thread = new Thread(null, () -> {
      try {
        run(arguments);
      } catch (Throwable e) {
        e.printStackTrace();
        System.exit(1);
      }
    }, "javac", 1L << 30);
    thread.start();
    thread.join();
  }

  static void run(String[] arguments) throws Exception {
    Path root = Paths.get(arguments[0]).toRealPath();
    out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), 1 << 20));
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.filter(p -> p.toString().endsWith(".java") && Files.isRegularFile(p, LinkOption.NOFOLLOW_LINKS))
                  .filter(p -> !root.relativize(p).toString().matches("(.*/)?(\\.git|node_modules)/.*")).sorted().collect(Collectors.toList());
    }
    Map<String, Source> sources = new TreeMap<>();
    List<File> compiled = new ArrayList<>();
    for (Path file : paths) {
      String path = root.relativize(file).toString();
      sources.put(path, new Source(path, Files.readString(file, StandardCharsets.ISO_8859_1)));
      try {
        sources.put(path, new Source(path, Files.readString(file)));
        if (!path.endsWith("-info.java")) compiled.add(file.toFile());
      } catch (java.nio.charset.MalformedInputException ignored) {
      }
    }
    int[] errors = new int[1];
    List<String> options = new ArrayList<>(List.of("-proc:none", "-Xmaxerrs", "1000000", "-XDshould-stop.ifError=FLOW", "-nowarn",
        "-encoding", "UTF-8", "-implicit:none", "-sourcepath", root.resolve(".none").toString()));
    options.addAll(Arrays.asList(arguments).subList(1, arguments.length));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {
      if (d.getKind() == Diagnostic.Kind.ERROR && errors[0]++ < 5) System.err.println(d);
    }, options, null, manager.getJavaFileObjectsFromFiles(compiled));
    for (CompilationUnitTree unit : task.parse()) {
      sources.get(root.relativize(Paths.get(unit.getSourceFile().toUri())).toString()).unit = (JCCompilationUnit) unit;
    }
    try {
      task.analyze();
    } catch (RuntimeException e) {
      System.err.println("javac gave up: " + e);
    }
    types = Types.instance(((BasicJavacTask) task).getContext());
    Map<String, Set<String>> declared = new HashMap<>();  // package -> folders
    for (Source source : sources.values()) {
      if (source.unit != null) {
        new Definitions(source).scan(source.unit);
        String name = source.unit.getPackageName() == null ? "" : source.unit.getPackageName().toString();
        declared.computeIfAbsent(name, x -> new TreeSet<>()).add(folder(source.path));
        for (JCTree tree : source.unit.defs) {
          if (!(tree instanceof JCClassDecl)) continue;
          String qualified = (name.isEmpty() ? "" : name + ".") + ((JCClassDecl) tree).name;
          files.computeIfAbsent(qualified, x -> new TreeSet<>()).add(source.path);
        }
      }
    }
    int untaken = 0;
    for (Source source : sources.values()) {
      boolean taken = source.unit != null && source.unit.defs.stream().noneMatch(d -> d instanceof JCClassDecl && !isTaken(((JCClassDecl) d).sym));
      row("file", "path", source.path, "taken", taken);
      if (source.unit != null) imports(source, declared);
      if (taken) new Uses(source).scan(source.unit);
      else untaken++;
      tokens(source, taken);
    }
    for (Symbol symbol : new ArrayList<>(places.keySet())) {
      if (symbol instanceof ClassSymbol) families((ClassSymbol) symbol);
    }
    out.flush();
    System.err.printf("%d files, %d not taken, %d errors of the compiler%n", sources.size(), untaken, errors[0]);
  }

  static boolean isTaken(ClassSymbol symbol) {
    return symbol != null && symbol.kind != com.sun.tools.javac.code.Kinds.Kind.ERR;
  }

  /** True for what several files declare: which one is meant depends on the module. */
  static boolean isAmbiguous(Symbol symbol) {
    Symbol top = null;
    for (Symbol s = symbol; s != null && s.kind != com.sun.tools.javac.code.Kinds.Kind.PCK; s = s.owner) top = s;
    return top instanceof ClassSymbol && files.getOrDefault(((ClassSymbol) top).fullname.toString(), Set.of()).size() > 1;
  }

  static String folder(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "." : path.substring(0, slash);
  }

  /** A row of JSON; a value of null is left out. */
  static void row(String kind, Object... pairs) {
    StringBuilder text = new StringBuilder("{\"row\":\"" + kind + "\"");
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i + 1] == null) continue;
      text.append(",\"").append(pairs[i]).append("\":");
      if (pairs[i + 1] instanceof String) text.append('"').append(((String) pairs[i + 1]).replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
      else text.append(pairs[i + 1]);
    }
    out.println(text.append('}'));
  }

  /** Prints definitions and remembers where each symbol is declared. */
  static class Definitions extends TreeScanner {
    final Source source;
    String prefix = "";
    boolean local;
    Definitions(Source source) { this.source = source; }

    void define(JCTree tree, Symbol symbol, String name, int position, String kind, boolean inside) {
      if (!source.has(name, position)) return;
      String at = source.at(position);
      if (symbol != null) places.put(symbol, at);
      if (!printed.add(at)) return;
      String scope = inside ? "local" : prefix.isEmpty() ? "module" : "class";
      row("def", "at", at, "name", name, "qname", prefix.isEmpty() || inside ? name : prefix + "." + name, "kind", kind,
          "scope", scope, "start", source.line(TreeInfo.getStartPos(tree)));
    }

    @Override public void visitClassDef(JCClassDecl tree) {
      String name = tree.name.toString();
      long flags = tree.mods.flags;
      String kind = (flags & Flags.INTERFACE) != 0 ? "interface" : (flags & Flags.ENUM) != 0 ? "enum" : "class";
      boolean outerLocal = local;
      String outer = prefix;
      if (name.isEmpty()) {
        local = true;
      } else {
        int from = Math.max(tree.pos, source.unit.endPositions.getEndPos(tree.mods));
        define(tree, tree.sym, name, find(name, from), kind, local);
        prefix = prefix.isEmpty() ? name : prefix + "." + name;
      }
      super.visitClassDef(tree);
      if (tree.sym != null && (flags & Flags.RECORD) != 0) accessors(tree);
      prefix = outer;
      local = outerLocal;
    }

    /** What a record's component gives: its field's place. */
    void accessors(JCClassDecl tree) {
      for (Symbol member : tree.sym.members().getSymbols()) {
        if (!(member instanceof MethodSymbol) || (member.flags() & Flags.GENERATED_MEMBER) == 0) continue;
        for (Symbol field : tree.sym.members().getSymbolsByName(member.name)) {
          if (field.kind == com.sun.tools.javac.code.Kinds.Kind.VAR && places.containsKey(field)) places.put(member, places.get(field));
        }
      }
    }

    int find(String name, int from) {
      Matcher tokens = TOKENS.matcher(source.text).region(from, source.text.length());
      while (tokens.find()) if (tokens.group().equals(name)) return tokens.start();
      return -1;
    }

    @Override public void visitMethodDef(JCMethodDecl tree) {
      boolean isConstructor = tree.name.contentEquals("<init>");
      boolean generated = (tree.mods.flags & (Flags.GENERATEDCONSTR | Flags.GENERATED_MEMBER)) != 0 &&
          !(isConstructor && (tree.mods.flags & Flags.COMPACT_RECORD_CONSTRUCTOR) != 0);
      if (!generated) {
        String name = isConstructor ? prefix.substring(prefix.lastIndexOf('.') + 1) : tree.name.toString();
        define(tree, tree.sym, name, tree.pos, isConstructor ? "constructor" : "method", local);
      }
      boolean outer = local;
      local = true;
      super.visitMethodDef(tree);
      local = outer;
    }

    @Override public void visitVarDef(JCVariableDecl tree) {
      boolean isMember = tree.sym == null ? !local : tree.sym.owner instanceof ClassSymbol;
      String kind = (tree.mods.flags & Flags.ENUM) != 0 ? "enum_member" : isMember ? "property" : "variable";
      define(tree, tree.sym, tree.name.toString(), tree.pos, kind, local || !isMember);
      boolean outer = local;
      local = true;
      super.visitVarDef(tree);
      local = outer;
    }

    @Override public void visitBlock(JCBlock tree) {
      boolean outer = local;
      local = true;
      super.visitBlock(tree);
      local = outer;
    }

    @Override public void visitLambda(JCLambda tree) {
      boolean outer = local;
      local = true;
      super.visitLambda(tree);
      local = outer;
    }

    @Override public void visitTypeParameter(JCTypeParameter tree) {
      define(tree, tree.type == null ? null : tree.type.tsym, tree.name.toString(), find(tree.name.toString(), TreeInfo.getStartPos(tree)), "type", true);
      super.visitTypeParameter(tree);
    }
  }

  /** Where the imports of a file lead. */
  static void imports(Source source, Map<String, Set<String>> declared) {
    for (JCImport tree : source.unit.getImports()) {
      JCFieldAccess name = (JCFieldAccess) tree.qualid;
      boolean star = name.name.contentEquals("*");
      String target = null, note = null;
      // The longest leading part that is a class with a place, else a package.
      Symbol symbol = TreeInfo.symbol(tree.staticImport || star ? name.selected : name);
      if (star && !tree.staticImport && !(symbol instanceof ClassSymbol)) {
        Set<String> folders = declared.getOrDefault(name.selected.toString(), Set.of());
        for (String folder : folders) row("import", "path", source.path, "line", source.line(tree.pos), "spec", name.toString(), "target", folder, "kind", "package");
        if (!folders.isEmpty()) continue;
      } else if (symbol instanceof ClassSymbol && places.containsKey(((ClassSymbol) symbol).outermostClass())) {
        String at = places.get(((ClassSymbol) symbol).outermostClass());
        target = at.substring(0, at.lastIndexOf(':', at.lastIndexOf(':') - 1));
      } else if (!(symbol instanceof ClassSymbol) || symbol.type.hasTag(TypeTag.ERROR)) {
        note = "unresolved";
      }
      if (target != null && isAmbiguous(symbol)) {
        String any = files.get(((ClassSymbol) symbol).outermostClass().fullname.toString()).stream().map(f -> '"' + f + '"').collect(Collectors.joining(",", "[", "]"));
        row("import", "path", source.path, "line", source.line(tree.pos), "spec", name.toString(), "any", new StringBuilder(any), "note", "unresolved");
        continue;
      }
      row("import", "path", source.path, "line", source.line(tree.pos), "spec", name.toString(), "target", target,
          "external", target == null ? name.toString() : null, "note", note, "kind", tree.staticImport ? "static" : "import");
    }
  }

  /** Prints what each name of a file means. */
  static class Uses extends TreeScanner {
    final Source source;
    final Set<String> seen = new HashSet<>();
    String function;
    int anonymous;
    JCTree called;
    boolean importing;
    Uses(Source source) { this.source = source; }

    void use(String name, int position, Symbol symbol, String role, boolean isCall) {
      if (!source.has(role.equals("keyword") ? "" : name, position)) return;
      String at = source.at(position), to = null, external = null, kind = null;
      if (symbol != null && symbol.type != null && !symbol.type.hasTag(TypeTag.ERROR) && symbol.kind != com.sun.tools.javac.code.Kinds.Kind.ERR && !isAmbiguous(symbol)) {
        symbol = symbol.baseSymbol();
        kind = symbol.getKind().toString().toLowerCase(Locale.ROOT);
        to = places.get(symbol);
        if (to == null) external = symbol.packge() == null ? "" : symbol.packge().toString();
      }
      if (at.equals(to) || !seen.add(at + " " + to)) return;
      row("use", "at", at, "name", name, "kind", kind, "to", to, "ext", external, "role", role.isEmpty() ? null : role,
          "in", function, "call", isCall ? true : null);
    }

    int end(JCTree tree, String name) { return source.unit.endPositions.getEndPos(tree) - name.length(); }

    @Override public void visitClassDef(JCClassDecl tree) {
      boolean inner = tree.sym != null && tree.sym.owner != null && !(tree.sym.owner instanceof ClassSymbol) && tree.sym.owner.kind != com.sun.tools.javac.code.Kinds.Kind.PCK || tree.name.isEmpty();
      anonymous += inner ? 1 : 0;
      super.visitClassDef(tree);
      anonymous -= inner ? 1 : 0;
    }

    @Override public void visitMethodDef(JCMethodDecl tree) {
      String outer = function;
      if (anonymous == 0) function = places.get(tree.sym);
      super.visitMethodDef(tree);
      function = outer;
    }

    @Override public void visitImport(JCImport tree) {
      importing = true;
      JCFieldAccess name = (JCFieldAccess) tree.qualid;
      if (tree.staticImport && !name.name.contentEquals("*")) {
        Symbol owner = TreeInfo.symbol(name.selected);
        boolean known = owner instanceof ClassSymbol && !owner.type.hasTag(TypeTag.ERROR);
        boolean found = false;
        for (Type type : known ? types.closure(owner.type) : com.sun.tools.javac.util.List.<Type>nil()) {
          for (Symbol member : type.tsym.members().getSymbolsByName(name.name)) {
            if (!member.isStatic()) continue;
            use(name.name.toString(), end(name, name.name.toString()), member, "import", false);
            found = true;
          }
        }
        if (!found) use(name.name.toString(), end(name, name.name.toString()), null, "import", false);
        scan(name.selected);
      } else {
        super.visitImport(tree);
      }
      importing = false;
    }

    @Override public void visitIdent(JCIdent tree) {
      String name = tree.name.toString();
      if (name.equals("this") || name.equals("super")) {
        if (tree.sym instanceof MethodSymbol && source.has(name, tree.pos)) use(tree.sym.owner.name.toString(), tree.pos, tree.sym, "keyword", true);
      } else {
        use(name, tree.pos, tree.sym, importing ? "import" : "", tree == called);
      }
    }

    @Override public void visitSelect(JCFieldAccess tree) {
      String name = tree.name.toString();
      if (!name.equals("class") && !name.equals("this") && !name.equals("super") && !name.equals("*")) {
        use(name, end(tree, name), tree.sym, importing ? "import" : "", tree == called);
      }
      super.visitSelect(tree);
    }

    @Override public void visitReference(JCMemberReference tree) {
      String name = tree.name.toString();
      if (name.equals("<init>")) constructor(tree.expr, tree.sym, false);
      else use(name, end(tree, name), tree.sym, "", false);
      super.visitReference(tree);
    }

    @Override public void visitApply(JCMethodInvocation tree) {
      called = TreeInfo.skipParens(tree.meth);
      super.visitApply(tree);
    }

    @Override public void visitNewClass(JCNewClass tree) {
      Symbol symbol = tree.constructor;
      if (tree.def != null) symbol = superConstructor(tree.def);
      constructor(tree.clazz, symbol, true);
      super.visitNewClass(tree);
    }

    /** The constructor that the generated one of an anonymous class calls. */
    Symbol superConstructor(JCClassDecl tree) {
      for (JCTree member : tree.defs) {
        if (!(member instanceof JCMethodDecl) || ((JCMethodDecl) member).body == null || !((JCMethodDecl) member).name.contentEquals("<init>")) continue;
        JCTree first = ((JCMethodDecl) member).body.stats.head;
        if (first instanceof JCExpressionStatement && ((JCExpressionStatement) first).expr instanceof JCMethodInvocation) {
          return TreeInfo.symbol(((JCMethodInvocation) ((JCExpressionStatement) first).expr).meth);
        }
      }
      return null;
    }

    void constructor(JCTree type, Symbol symbol, boolean isCall) {
      if (!(symbol instanceof MethodSymbol) || !places.containsKey(symbol)) return;
      while (true) {
        if (type instanceof JCTypeApply) type = ((JCTypeApply) type).clazz;
        else if (type instanceof JCAnnotatedType) type = ((JCAnnotatedType) type).underlyingType;
        else break;
      }
      String name = symbol.owner.name.toString();
      int position = type instanceof JCFieldAccess ? end(type, name) : type.pos;
      use(name, position, symbol, source.has(name, position) ? "" : "keyword", isCall);
    }
  }

  /** Names that the compiler did not take, and names in documentation. */
  static void tokens(Source source, boolean taken) {
    Matcher tokens = TOKENS.matcher(source.text);
    while (tokens.find()) {
      String token = tokens.group();
      if (token.startsWith("/**")) {
        Matcher links = LINKS.matcher(token);
        while (links.find()) {
          Matcher names = NAME.matcher(links.group(1));
          while (names.find()) {
            row("use", "at", source.at(tokens.start() + links.start(1) + names.start()), "name", names.group(), "role", "doc");
          }
        }
      } else if (!taken && !token.startsWith("/") && !token.startsWith("\"") && !token.startsWith("'") && !printed.contains(source.at(tokens.start()))) {
        row("use", "at", source.at(tokens.start()), "name", token);
      }
    }
  }

  /** Which methods override which: those of a class, and those that it inherits and that implement an interface's. */
  static void families(ClassSymbol symbol) {
    for (Type type : types.closure(symbol.type)) {
      if (type.tsym == symbol || !(type.tsym instanceof ClassSymbol)) continue;
      for (Symbol member : type.tsym.members().getSymbols()) {
        String to = places.get(member);
        if (to == null || !(member instanceof MethodSymbol) || member.isConstructor() || member.isStatic()) continue;
        for (Symbol own : symbol.members().getSymbolsByName(member.name)) {
          if (own instanceof MethodSymbol && ((MethodSymbol) own).overrides(member, symbol, types, true)) family(places.get(own), to);
        }
        MethodSymbol implementation = ((MethodSymbol) member).implementation(symbol, types, true);
        if (implementation != null) family(places.get(implementation), to);
      }
    }
  }

  static void family(String a, String b) {
    if (a != null && !a.equals(b) && printed.add(a + " " + b)) row("family", "a", a, "b", b);
  }
}
