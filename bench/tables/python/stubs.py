#!/usr/bin/env python3
"""Writes what Python's standard library declares: one stub file a module, without comments,
documentation and values.

    stubs.py TYPESHED_STDLIB OUT

TYPESHED_STDLIB is dist/typeshed-fallback/stdlib of the npm package pyright. Branches of versions and
platforms are decided for Python 3.12 on Linux. Imports become absolute. See ../README.md.
"""
import ast
import pathlib
import re
import sys

VERSION = (3, 12)
PLATFORM = "linux"
# What the resolver knows by name (src/graph/python/library.txt), and what nobody imports.
LEFT_OUT = {"builtins", "typing", "typing_extensions", "_typeshed", "abc", "collections.abc",
            "_collections_abc", "dataclasses", "enum", "types"}
LEFT_OUT_PACKAGES = {"_typeshed", "lib2to3", "idlelib", "turtle", "tkinter", "pydoc_data", "this",
                     "antigravity", "msilib", "winreg", "winsound", "_win32typing", "msvcrt", "nt",
                     "_winapi", "__main__"}
KEPT_DECORATORS = {"overload", "property", "classmethod", "staticmethod", "contextmanager",
                   "asynccontextmanager", "abstractmethod", "cached_property", "setter", "deleter",
                   "getter", "dataclass"}


def decided(test):
    """True or False for a test of version or platform; None for another."""
    if isinstance(test, ast.BoolOp):
        parts = [decided(part) for part in test.values]
        if None in parts:
            return None
        return all(parts) if isinstance(test.op, ast.And) else any(parts)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = decided(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
        return True
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left = ast.unparse(test.left)
    right = test.comparators[0]
    if left == "sys.platform":
        equal = PLATFORM == ast.literal_eval(right)
        return equal if isinstance(test.ops[0], ast.Eq) else not equal
    if left.startswith("sys.version_info"):
        wanted = ast.literal_eval(right)
        own = VERSION[0] if left.endswith("[0]") else VERSION
        if isinstance(test.ops[0], ast.GtE):
            return own >= wanted
        if isinstance(test.ops[0], ast.Lt):
            return own < wanted
        if isinstance(test.ops[0], ast.Eq):
            return own == wanted
    return None


def name_of(decorator):
    while isinstance(decorator, ast.Call):
        decorator = decorator.func
    return decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")


class Reducer(ast.NodeTransformer):
    def __init__(self, package):
        self.package = package  # that relative imports are of

    def body(self, statements):
        kept = []
        for statement in statements:
            if isinstance(statement, ast.If):
                decision = decided(statement.test)
                chosen = statement.body if decision is not False else []
                chosen = chosen + (statement.orelse if decision is not True else [])
                kept.extend(self.body(chosen))
                continue
            if isinstance(statement, ast.Expr):  # documentation, "..."
                continue
            reduced = self.visit(statement)
            if reduced is not None:
                kept.append(reduced)
        return kept

    def visit_Module(self, node):
        node.body = self.body(node.body)
        return node

    def visit_ClassDef(self, node):
        node.body = self.body(node.body) or [ast.Expr(ast.Constant(...))]
        self.decorate(node)
        node.keywords = [key for key in node.keywords if key.arg == "metaclass"]
        return node

    def decorate(self, node):
        node.decorator_list = [d for d in node.decorator_list if name_of(d) in KEPT_DECORATORS]

    def visit_FunctionDef(self, node):
        if node.name in ("__hash__", "__del__", "__sizeof__", "__format__", "__reduce__",
                         "__class_getitem__", "__eq__", "__ne__", "__repr__", "__str__",
                         "__reduce_ex__", "__buffer__", "__setstate__", "__getstate__"):
            return None
        node.body = [ast.Expr(ast.Constant(...))]
        self.decorate(node)
        for arguments in (node.args.defaults, node.args.kw_defaults):
            for i, default in enumerate(arguments):
                if default is not None:
                    arguments[i] = ast.Constant(...)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node):
        if not (isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"):
            node.value = None
        return node

    def visit_Assign(self, node):
        targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
        return None if targets == ["__slots__"] or targets == ["__match_args__"] else node

    def visit_ImportFrom(self, node):
        if node.level > 0:
            parts = self.package.split(".")
            base = parts[: len(parts) - node.level + 1]
            node.module = ".".join(base + ([node.module] if node.module else []))
            node.level = 0
        return node


def main():
    source, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for path in sorted(source.rglob("*.pyi")):
        parts = list(path.relative_to(source).with_suffix("").parts)
        is_package = parts[-1] == "__init__"
        if is_package:
            parts.pop()
        module = ".".join(parts)
        if module in LEFT_OUT or parts[0] in LEFT_OUT_PACKAGES:
            continue
        package = module if is_package else ".".join(parts[:-1])
        tree = Reducer(package).visit(ast.parse(path.read_text(encoding="utf-8")))
        text = ast.unparse(ast.fix_missing_locations(tree))
        lines = [line.replace("    ", " ") for line in text.splitlines() if line.strip()]
        out.mkdir(parents=True, exist_ok=True)
        text = re.sub(r":\n +\.\.\.\n", ": ...\n", "\n".join(lines) + "\n")
        (out / (module + ".pyi")).write_text(text, encoding="utf-8")


main()
