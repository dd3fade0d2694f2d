"""Source texts that are meant to break a parser, an extraction or a chunker.

Each is a row of SOURCES: file name -> function of a size n that gives its text. At the size that
hostile_test.py uses a text has 0.1 to 1 MB; doubled, it must not take four times as long.
Run by itself it writes them: sources.py FOLDER [N].
"""
import pathlib
import sys


def nested(opening, middle, closing, before="", after=""):
    return lambda n: before + opening * n + middle + closing * n + after


def lines(line, before="", after="", separator="\n"):
    """`line` n times, each with its number for {i}."""
    return lambda n: before + separator.join(line.replace("{i}", str(i)) for i in range(n)) + after


def python_indentation(n):
    depth = min(n, 1400)  # 1 MB: the text grows with the square of the depth
    return "".join(" " * i + "if x%d:\n" % i for i in range(depth)) + " " * depth + "pass\n"


def python_nested_functions(n):
    depth = min(n, 1400)
    return "".join(" " * i + "def f%d(a):\n" % i for i in range(depth)) + " " * depth + "pass\n"


def python_nested_classes(n):
    depth = min(n, 1400)
    return "".join(" " * i + "class C%d:\n" % i for i in range(depth)) + " " * depth + "pass\n"


# n is about 10,000.
SOURCES = {
    # depth
    "brackets.ts": nested("[", "1", "]", "const x = ", ";\n"),
    "brackets.js": nested("[", "1", "]", "const x = ", ";\n"),
    "brackets.py": nested("[", "1", "]", "x = ", "\n"),
    "brackets.json": nested("[", "1", "]"),
    "brackets_open.ts": nested("[", "", "", "const x = "),
    "brackets_open.js": nested("[", "", "", "const x = "),
    "brackets_open.py": nested("[", "", "", "x = "),
    "brackets_close.ts": nested("", "", "]"),
    "parens.ts": nested("(", "1", ")", "const x = ", ";\n"),
    "parens.js": nested("(", "1", ")", "const x = ", ";\n"),
    "parens.py": nested("(", "1", ")", "x = ", "\n"),
    "parens_open.ts": nested("(", "", ""),
    "parens_open.js": nested("(", "", ""),
    "parens_open.py": nested("(", "", ""),
    "braces.ts": nested("{", "1", "}"),
    "braces_open.ts": nested("{", "", ""),
    "braces_open.js": nested("{", "", ""),
    "objects.js": nested("{a:", "1", "}", "const x = ", ";\n"),
    "objects.py": nested("{1:", "1", "}", "x = ", "\n"),
    "mixed_open.tsx": nested("([{<", "", ""),
    "calls.ts": nested("f(", "1", ")"),
    "calls.py": nested("f(", "1", ")"),
    "functions.ts": nested("function f(){", "", "}"),
    "functions.js": nested("function f(){", "", "}"),
    "functions_open.js": nested("function f(){", "", ""),
    "named_functions.js": lambda n: "".join("function f%d(a%d){" % (i, i) for i in range(n)) + "}" * n,
    "arrows.ts": nested("a=>", "1", "", "const x = ", ";\n"),
    "typed_arrows.ts": nested("(a: number) => ", "1", "", "const x = ", ";\n"),
    "classes.ts": nested("class A{m(){", "", "}}"),
    "class_open.ts": nested("class A{m(){", "", ""),
    "namespaces.ts": nested("namespace A{", "", "}"),
    "lambdas.py": nested("lambda a: ", "1", "", "x = ", "\n"),
    "indentation.py": python_indentation,
    "functions.py": python_nested_functions,
    "classes.py": python_nested_classes,
    "comprehensions.py": nested("[", "x", " for x in y]", "x = ", "\n"),
    "f_strings.py": lambda n: "x = " + "f'{" * n + "1" + "}'" * n + "\n",
    "jsx.tsx": nested("<a>", "x", "</a>", "const x = ", ";\n"),
    "jsx.jsx": nested("<a>", "x", "</a>", "const x = ", ";\n"),
    "jsx_open.tsx": nested("<a>", "", "", "const x = "),
    "jsx_open.jsx": nested("<a b={", "", "", "const x = "),
    "jsx_values.tsx": nested("<a b={", "1", "}/>", "const x = ", ";\n"),
    "templates.ts": nested("`${", "1", "}`", "const x = ", ";\n"),
    "templates.js": nested("`${", "1", "}`", "const x = ", ";\n"),
    "templates_open.js": nested("`${", "", "", "const x = "),
    "types.ts": nested("Array<", "number", ">", "type X = ", ";\n"),
    "types_open.ts": nested("Array<", "", "", "type X = "),
    "conditional_types.ts": nested("A extends B ? C : ", "never", "", "type X<A> = ", ";\n"),
    "object_types.ts": nested("{a:", "1", "}", "type X = ", ";\n"),
    "function_types.ts": nested("(a: ", "1", ") => void", "type X = ", ";\n"),
    "ternaries.js": nested("a ? b : ", "1", "", "const x = ", ";\n"),
    "ternaries_left.js": nested("a ? ", "1", " : b", "const x = ", ";\n"),
    "ternaries.py": nested("1 if a else ", "2", "", "x = ", "\n"),
    "nots.js": nested("!", "1", "", "const x = ", ";\n"),
    "minuses.py": nested("- ", "1", "", "x = ", "\n"),
    "nots.py": nested("not ", "1", "", "x = ", "\n"),
    "awaits.py": nested("await ", "x", "", "async def f():\n  return ", "\n"),
    "news.js": nested("new ", "A", "()", "x = ", ";\n"),
    "patterns.ts": nested("[", "a", "]", "const ", " = 1;\n"),
    "object_patterns.ts": nested("{a:", "b", "}", "const ", " = 1;\n"),
    "blocks.py": nested("(\n", "1", "\n)", "x = ", "\n"),
    "labels.js": lambda n: "".join("a%d:" % i for i in range(n)) + ";\n",
    # width
    "else_ifs.ts": lines("if (a === {i}) { b({i}) }", after="\n", separator=" else "),
    "else_ifs.js": lines("if (a === {i}) { b({i}) }", after="\n", separator=" else "),
    "elifs.py": lines("elif a == {i}:\n  b({i})", before="if a:\n  c()\n", after="\n"),
    "ifs.js": nested("if (a) ", ";", ""),
    "sums.ts": lines("a{i}", "const x = ", ";\n", " + "),
    "sums.js": lines("a{i}", "const x = ", ";\n", " + "),
    "sums.py": lines("a{i}", "x = ", "\n", " + "),
    "powers.js": lines("a{i}", "x = ", ";\n", " ** "),
    "ands.py": lines("a{i}", "x = ", "\n", " and "),
    "comparisons.py": lines("a{i}", "x = ", "\n", " < "),
    "strings.js": lines('"text {i}"', "const x = ", ";\n", " +\n"),
    "strings.py": lines('"text {i}"', "x = (", ")\n", "\n"),
    "unions.ts": lines('"k{i}"', "type X = ", ";\n", " | "),
    "members.ts": lines("m{i}", "x = a.", ";\n", "."),
    "members.py": lines("m{i}", "x = a.", "\n", "."),
    "chained_calls.js": lines("m{i}(1)", "x = a.", ";\n", "."),
    "chained_calls.py": lines("m{i}(1)", "x = a.", "\n", "."),
    "assignments.js": lines("a{i}", "", " = 1;\n", " = "),
    "assignments.py": lines("a{i}", "", " = 1\n", " = "),
    "commas.js": lines("a{i}", "x = (", ");\n", ", "),
    "arguments.ts": lines("a{i}", "f(", ");\n", ", "),
    "parameters.ts": lines("a{i}: number", "function f(", ") {}\n", ", "),
    "parameters.py": lines("a{i}=1", "def f(", "): pass\n", ", "),
    "array.ts": lines("{i}", "const x = [", "];\n", ", "),
    "array.py": lines("{i}", "x = [", "]\n", ", "),
    "object.ts": lines("k{i}: {i}", "export const x = {", "};\n", ", "),
    "object_functions.ts": lines("k{i}() { return this.k0 }", "export const x = {", "};\n", ", "),
    "dict.py": lines("'k{i}': {i}", "x = {", "}\n", ", "),
    "enum.ts": lines("k{i}", "enum X {", "}\n", ", "),
    "case.js": lines("case {i}: f({i}); break;", "switch (a) {", "}\n"),
    "match.py": lines("  case {i}:\n    pass", "match a:\n", "\n"),
    "class_members.ts": lines("  m{i}() { return this.m0() }", "class A {\n", "\n}\n"),
    "class_fields.ts": lines("  m{i} = {i};", "class A {\n", "\n}\n"),
    "class_attributes.js": lines("  this.m{i} = {i};", "class A { constructor() {\n", "\n} }\n"),
    "class_attributes.py": lines("    self.m{i} = {i}", "class A:\n  def __init__(self):\n", "\n"),
    "prototype.js": lines("A.prototype.m{i} = function () {};", "function A() {}\n", "\n"),
    "exports.js": lines("exports.m{i} = function () {};", "", "\n"),
    "module_exports.js": lines("m{i}", "module.exports = {", "};\n", ", "),
    "variables.js": lines("a{i} = {i}", "var ", ";\n", ", "),
    "same_variable.js": lines("var a = {i};", "", "\n"),
    "same_function.js": lines("function a() {}", "", "\n"),
    "same_function.py": lines("def a(): pass", "", "\n"),
    "overloads.ts": lines("function f(a: {i}): void;", "", "\nfunction f(a: any) {}\n"),
    "functions_flat.ts": lines("export function f{i}() {}", "", "\n"),
    "imports.ts": lines('import { a{i} } from "./m{i}";', "", "\n"),
    "imports.py": lines("import m{i}", "", "\n"),
    "import_names.ts": lines("a{i}", "import {", '} from "./m";\n', ", "),
    "import_names.py": lines("a{i}", "from m import (", ")\n", ", "),
    "reexports.ts": lines('export * from "./m{i}";', "", "\n"),
    "export_names.ts": lines("a{i}", "export {", "};\n", ", "),
    "requires.js": lines("const a{i} = require('./m{i}');", "", "\n"),
    "all.py": lines("'a{i}'", "__all__ = [", "]\n", ", "),
    "decorators.py": lines("@d{i}", "", "\ndef f(): pass\n"),
    "decorators.ts": lines("@d{i}", "", "\nclass A {}\n"),
    "bases.py": lines("b{i}", "class A(", "): pass\n", ", "),
    "interfaces.ts": lines("I{i}", "class A implements ", " {}\n", ", "),
    "type_parameters.ts": lines("T{i}", "type X<", "> = 1;\n", ", "),
    "comments.js": lines("// comment {i}", "", "\nfunction f() {}\n"),
    "comments_between.js": lines("/** c{i} */ function f{i}() {}", "", "\n"),
    "block_comments.js": lines("/* c{i} */", "", "\nfunction f() {}\n", " "),
    "globals.py": lines("global a{i}", "def f():\n  ", "\n", "\n  "),
    "withs.py": lines("a{i} as b{i}", "with ", ": pass\n", ", "),
    "tries.js": lines("try { a } catch (e) { b }", "", "\n"),
    "semicolons.js": nested(";", "", ""),
    "newlines.py": nested("\n", "", ""),
    "attributes.tsx": lines("a{i}={1}", "const x = <a ", "/>;\n", " "),
    "children.tsx": lines("<b/>", "const x = <a>", "</a>;\n", ""),
    "text.tsx": lines("word {i}", "const x = <a>", "</a>;\n", " "),
    "union_hints.ts": lines("A{i}", "let x: ", ";\n", " | "),
    "string_hints.py": lines("'A{i}'", "x: Union[", "]\n", ", "),
    "long_string_hint.py": lines("A[{i}]", "x: '", "'\n", " | "),
    # nonsense
    "words.ts": lines("word{i}", "", "\n", " "),
    "words.js": lines("word{i}", "", "\n", " "),
    "words.py": lines("word{i}", "", "\n", " "),
    "operators.ts": nested("+-*/%<>?:", "", ""),
    "operators.py": nested("+-*/%<>:", "", ""),
    "generics.ts": nested("a<b,", "", ""),
    "less.ts": nested("a<", "", ""),
    "less.tsx": nested("<", "", ""),
    "colons.py": nested(":", "", ""),
    "quotes.js": nested("'", "", ""),
    "backquotes.js": nested("`", "", ""),
    "slashes.js": nested("/", "", "", "a"),
    "regexes.js": nested("/[", "", "", "a = "),
    "stars.js": nested("/*", "", ""),
    "triple_quotes.py": nested('"""', "", ""),
    "backslashes.py": nested("\\\n", "", ""),
    "at_signs.py": nested("@", "", ""),
    "equals.js": nested("=", "", "", "a"),
    "arrows_open.ts": nested("(a", "", ""),
    "arrow_parameters.ts": nested("(a = ", "1", ") => 1"),
    "asyncs.js": nested("async ", "", ""),
    "async_arrows.ts": nested("async (", "", ""),
    "casts.ts": nested("<T>", "1", ""),
    "as.ts": nested("", "a", " as T"),
    "bangs.ts": nested("", "a", "!", "x = "),
    "optional.ts": nested("", "a", "?.b", "x = "),
    "indices.ts": nested("", "a", "[0]", "x = "),
    "index_types.ts": nested("", "A", "['a']", "type X = ", ";\n"),
    "yields.js": nested("yield ", "", "", "function* f() {", "}"),
    "prints.py": nested("print ", "", ""),
    "interfaces_open.ts": nested("interface A { a: ", "", ""),
    "unclosed_members.ts": lines("  m{i}() {", "class A {\n", ""),
    "objects_in_calls.js": nested("f({a:", "1", "})"),
    "strings_open.py": lines("'text {i}", "", "\n"),
    "strings_open.ts": lines("'text {i}", "", "\n"),
    "dedents.py": lines("{i}\n  if a:", "", "\n"),
    # one long line
    "line.ts": lambda n: "x = '" + "a" * (n * 100) + "';\n",
    "line.js": lines("a{i}=b{i}(c{i})", "", "", ";"),
    "line.py": lines("a{i}=b{i}(c{i})", "", "\n", ";"),
    "line.json": lines('"k{i}": [{i}, "text"]', "{", "}", ", "),
    "line.md": lines("word {i}", "", "", " "),
    "line.css": lines(".a{i}{color:red}", "", "", ""),
    "identifier.py": lambda n: "a" * (n * 100) + " = 1\n",
    "emoji.ts": lambda n: "const x = '" + "\U0001F600" * (n * 25) + "'; const y = 1;\n",
    "emoji_names.ts": lines("function f{i}() { return '\U0001F600' }", "", "", " "),
    "combining.py": lambda n: "x = 'e" + "\u0301" * (n * 50) + "'\n",
    "cr.js": lines("var a{i} = {i};", "", "", "\r"),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SOURCES.items():
        (folder / name).write_text(make(size), newline="")


if __name__ == "__main__":
    main()
