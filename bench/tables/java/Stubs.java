// Writes what the JDK's public interfaces declare: a stub file for each top-level type, with public
// and protected members, without bodies and comments. See ../README.md.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.tools.ToolProvider;

public class Stubs {
  private final StringBuilder out = new StringBuilder();
  private final Map<String, String> imports = new TreeMap<>(); // simple name: full name
  private TypeElement top; // the type that is written
  private final Deque<TypeElement> waiting = new ArrayDeque<>();
  private final Set<TypeElement> done = new HashSet<>();
  private final List<TypeElement> open = new ArrayList<>(); // the types around what is written

  public static void main(String[] args) throws IOException {
    Path to = Path.of(args[0]);
    List<String> modules = List.of(args).subList(1, args.length);
    var compiler = ToolProvider.getSystemJavaCompiler();
    var task =
        (com.sun.source.util.JavacTask)
            compiler.getTask(
                null,
                null,
                null,
                List.of("-proc:none", "--add-modules", String.join(",", modules)),
                List.of("java.lang.Object"),
                null);
    task.analyze();
    Stubs stubs = new Stubs();
    for (String module : modules) {
      for (var directive : task.getElements().getModuleElement(module).getDirectives()) {
        if (!(directive instanceof ModuleElement.ExportsDirective exports)) continue;
        if (exports.getTargetModules() != null) continue;
        for (Element type : exports.getPackage().getEnclosedElements()) {
          if (isVisible(type)) stubs.need((TypeElement) type);
        }
      }
    }
    while (!stubs.waiting.isEmpty()) {
      TypeElement type = stubs.waiting.remove();
      Path file = to.resolve(type.getQualifiedName().toString().replace('.', '/') + ".java");
      Files.createDirectories(file.getParent());
      Files.writeString(file, stubs.source(type));
    }
  }

  private void need(TypeElement type) {
    if (done.add(type)) waiting.add(type);
  }

  private static boolean isVisible(Element element) {
    return element.getModifiers().contains(Modifier.PUBLIC)
        || element.getModifiers().contains(Modifier.PROTECTED);
  }

  private static PackageElement packageOf(Element element) {
    while (!(element instanceof PackageElement)) element = element.getEnclosingElement();
    return (PackageElement) element;
  }

  private static TypeElement topOf(Element element) {
    while (!(element.getEnclosingElement() instanceof PackageElement)) {
      element = element.getEnclosingElement();
    }
    return (TypeElement) element;
  }

  // ---- Types.

  private String name(TypeElement type) {
    TypeElement outer = topOf(type);
    String full = type.getQualifiedName().toString();
    String inPackage = packageOf(type).getQualifiedName().toString();
    String name = full.substring(inPackage.isEmpty() ? 0 : inPackage.length() + 1);
    if (outer == top) return name;
    String simple = outer.getSimpleName().toString();
    boolean isSeen = inPackage.equals("java.lang") || packageOf(top).equals(packageOf(type));
    String known = imports.putIfAbsent(simple, isSeen ? "" : outer.getQualifiedName().toString());
    boolean isTaken = known != null && !known.equals(isSeen ? "" : outer.getQualifiedName().toString());
    return isTaken || isInner(simple) ? full : name;
  }

  // True for the name of a type inside those that are written, which hides others.
  private boolean isInner(String simple) {
    if (simple.contentEquals(top.getSimpleName())) return true;
    for (TypeElement type : open) {
      for (Element inner : type.getEnclosedElements()) {
        if (inner instanceof TypeElement && inner.getSimpleName().contentEquals(simple)) return true;
      }
      for (TypeParameterElement parameter : type.getTypeParameters()) {
        if (parameter.getSimpleName().contentEquals(simple)) return true;
      }
    }
    return false;
  }

  private String text(TypeMirror type) {
    switch (type.getKind()) {
      case ARRAY:
        return text(((ArrayType) type).getComponentType()) + "[]";
      case DECLARED: {
        DeclaredType declared = (DeclaredType) type;
        TypeElement element = (TypeElement) declared.asElement();
        String arguments = arguments(declared);
        TypeMirror outer = declared.getEnclosingType();
        if (outer.getKind() == TypeKind.DECLARED && !((DeclaredType) outer).getTypeArguments().isEmpty()
            && topOf(element) != top) {
          return text(outer) + "." + element.getSimpleName() + arguments;
        }
        return name(element) + arguments;
      }
      case WILDCARD: {
        WildcardType wildcard = (WildcardType) type;
        if (wildcard.getExtendsBound() != null) return "? extends " + text(wildcard.getExtendsBound());
        if (wildcard.getSuperBound() != null) return "? super " + text(wildcard.getSuperBound());
        return "?";
      }
      case INTERSECTION:
        return ((IntersectionType) type)
            .getBounds().stream().map(this::text).collect(Collectors.joining(" & "));
      case TYPEVAR:
        return ((javax.lang.model.type.TypeVariable) type).asElement().getSimpleName().toString();
      default:
        return type.getKind().toString().toLowerCase();
    }
  }

  private String arguments(DeclaredType type) {
    if (type.getTypeArguments().isEmpty()) return "";
    return type.getTypeArguments().stream()
        .map(this::text)
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private String parameters(List<? extends TypeParameterElement> list) {
    if (list.isEmpty()) return "";
    return list.stream()
        .map(
            parameter -> {
              String bound =
                  parameter.getBounds().stream().map(this::text).collect(Collectors.joining(" & "));
              return parameter.getSimpleName()
                  + (bound.isEmpty() || bound.equals("Object") ? "" : " extends " + bound);
            })
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private String list(String word, List<? extends TypeMirror> types) {
    if (types.isEmpty()) return "";
    return types.stream().map(this::text).collect(Collectors.joining(", ", " " + word + " ", ""));
  }

  // ---- Declarations.

  private String source(TypeElement type) {
    out.setLength(0);
    imports.clear();
    top = type;
    write(type);
    StringBuilder head = new StringBuilder();
    head.append("package ").append(packageOf(type).getQualifiedName()).append(";\n");
    for (String full : imports.values()) {
      if (!full.isEmpty()) head.append("import ").append(full).append(";\n");
    }
    return head.append(out).toString();
  }

  private static String kind(TypeElement type) {
    switch (type.getKind()) {
      case ENUM:
        return "enum";
      case RECORD:
        return "record";
      case INTERFACE:
        return "interface";
      case ANNOTATION_TYPE:
        return "@interface";
      default:
        return "class";
    }
  }

  private String modifiers(Element element, boolean inInterface) {
    StringBuilder text = new StringBuilder();
    for (Modifier modifier : element.getModifiers()) {
      boolean isImplied = inInterface && (modifier == Modifier.PUBLIC || modifier == Modifier.ABSTRACT
          || element.getKind().isField() || element instanceof TypeElement);
      boolean isKept = modifier == Modifier.PUBLIC || modifier == Modifier.PROTECTED
          || modifier == Modifier.STATIC || modifier == Modifier.DEFAULT
          || (modifier == Modifier.ABSTRACT && !element.getKind().isInterface());
      if (element.getKind() == ElementKind.ENUM || element.getKind() == ElementKind.RECORD) {
        isKept = isKept && modifier != Modifier.STATIC && modifier != Modifier.ABSTRACT;
      }
      if (isKept && !isImplied) text.append(modifier).append(' ');
    }
    return text.toString();
  }

  private void write(TypeElement type) {
    open.add(type);
    TypeElement around =
        type.getEnclosingElement() instanceof TypeElement outer ? outer : null;
    boolean isInterface = type.getKind().isInterface();
    out.append(modifiers(type, around != null && around.getKind().isInterface()));
    out.append(kind(type)).append(' ').append(type.getSimpleName());
    out.append(parameters(type.getTypeParameters()));
    if (type.getKind() == ElementKind.RECORD) {
      out.append(
          type.getRecordComponents().stream()
              .map(component -> text(component.asType()) + " " + component.getSimpleName())
              .collect(Collectors.joining(", ", "(", ")")));
    }
    TypeMirror base = type.getSuperclass();
    if (type.getKind() == ElementKind.CLASS && base.getKind() == TypeKind.DECLARED) {
      TypeElement element = (TypeElement) ((DeclaredType) base).asElement();
      if (!element.getQualifiedName().contentEquals("java.lang.Object")) {
        out.append(" extends ").append(text(base));
      }
      // What it inherits is seen, though the class is not.
      if (!isVisible(element)) need(topOf(element));
    }
    List<? extends TypeMirror> interfaces = type.getInterfaces();
    for (TypeMirror each : interfaces) {
      Element element = ((DeclaredType) each).asElement();
      if (!isVisible(element)) need(topOf(element));
    }
    if (type.getKind() != ElementKind.ANNOTATION_TYPE) {
      out.append(list(isInterface ? "extends" : "implements", interfaces));
    }
    out.append(" {\n");
    if (type.getKind() == ElementKind.ENUM) {
      out.append(
          type.getEnclosedElements().stream()
              .filter(element -> element.getKind() == ElementKind.ENUM_CONSTANT)
              .map(element -> element.getSimpleName().toString())
              .collect(Collectors.joining(", ")));
      out.append(";\n");
    }
    Set<String> components =
        type.getRecordComponents().stream()
            .map(RecordComponentElement::getSimpleName)
            .map(Object::toString)
            .collect(Collectors.toSet());
    for (Element member : type.getEnclosedElements()) {
      if (!isVisible(member) && !isInherited(member)) continue;
      if (member instanceof TypeElement inner) {
        write(inner);
      } else if (member instanceof VariableElement field
          && member.getKind() != ElementKind.ENUM_CONSTANT) {
        out.append(modifiers(field, isInterface)).append(text(field.asType()));
        out.append(' ').append(field.getSimpleName()).append(isInterface ? " = null;\n" : ";\n");
      } else if (member instanceof ExecutableElement method) {
        String name = method.getSimpleName().toString();
        boolean isMade = type.getKind() == ElementKind.ENUM && (name.equals("values") || name.equals("valueOf"))
            || components.contains(name) && method.getParameters().isEmpty();
        if (!isMade) writeMethod(type, method);
      }
    }
    out.append("}\n");
    open.remove(open.size() - 1);
  }

  // True for a class without `public` that a visible one extends.
  private boolean isInherited(Element member) {
    if (!(member instanceof TypeElement) || member.getModifiers().contains(Modifier.PRIVATE)) {
      return false;
    }
    for (Element other : member.getEnclosingElement().getEnclosedElements()) {
      if (!(other instanceof TypeElement type) || !isVisible(other)) continue;
      if (type.getSuperclass() instanceof DeclaredType base && base.asElement() == member) return true;
    }
    return false;
  }

  private void writeMethod(TypeElement type, ExecutableElement method) {
    boolean isConstructor = method.getKind() == ElementKind.CONSTRUCTOR;
    if (isConstructor && type.getKind() == ElementKind.RECORD) return;
    out.append(modifiers(method, type.getKind().isInterface()));
    String generic = parameters(method.getTypeParameters());
    if (!generic.isEmpty()) out.append(generic).append(' ');
    if (isConstructor) {
      out.append(type.getSimpleName());
    } else {
      out.append(text(method.getReturnType())).append(' ').append(method.getSimpleName());
    }
    out.append('(');
    List<? extends VariableElement> list = method.getParameters();
    for (int i = 0; i < list.size(); ++i) {
      String kind = text(list.get(i).asType());
      if (method.isVarArgs() && i + 1 == list.size()) {
        kind = kind.substring(0, kind.length() - 2) + "...";
      }
      out.append(i == 0 ? "" : ", ").append(kind).append(' ').append((char) ('a' + i % 26));
    }
    // Without a body it is abstract.
    out.append(method.getModifiers().contains(Modifier.ABSTRACT) ? ");\n" : ") {}\n");
  }
}
