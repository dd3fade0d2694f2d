#!/usr/bin/env python3
"""codexmem change: parameters that come, go or change places, in declarations and calls.

  tests/git/change_test.py --program build/dev/bin/codexmem [NAME...]
"""

import json
import tempfile

from case_runner import run_cases
from git_repository import Repository

# name: (files, words of the command, {file: the lines that differ afterwards} or the kinds of obstacles).
CASES = {
    "Python: calls by place and by name, an override, a method of the class": (
        {"a.py": "class A:\n    def run(self, x, y=1):\n        return x\n\n\nclass B(A):\n    def run(self, x, y=2):\n        return super().run(x, y)\n",
         "b.py": "from a import A, B\n\na = A()\na.run(1)\na.run(1, 2)\na.run(x=1)\nA.run(a, 1, y=3)\nB().run((1, 2),  # one\n        3)\n"},
        ["A.run", "--add-parameter", "mode", "--value", "'r'"],
        {"a.py": {2: "    def run(self, x, mode, y=1):", 7: "    def run(self, x, mode, y=2):", 8: "        return super().run(x, 'r', y)"},
         "b.py": {4: "a.run(1, 'r')", 5: "a.run(1, 'r', 2)", 6: "a.run(x=1, mode='r')", 7: "A.run(a, 1, 'r', y=3)", 9: "        'r', 3)"}}),
    "Python: an argument that gives several, a value, a name that is taken": (
        {"a.py": "def load(path):\n    mode = 1\n    return path\n\n\nload(*[1])\nprint(load)\nload('x', )\n"},
        ["load", "--add-parameter", "mode", "--value", "2"], {"name_taken", "arguments", "value"}),
    "Python: a default needs no value": (
        {"a.py": "def load(path, *, deep=False):\n    return path\n\n\nload(1)\n"},
        ["load", "--add-parameter", "mode=1"], {"a.py": {1: "def load(path, mode=1, *, deep=False):"}}),
    "Python: the only parameter goes with the comma behind it": (
        {"a.py": "def load(\n    path,\n):\n    return 1\n\n\nload(\n    'x',\n)\n"}, ["load", "--remove", "path"],
        {"a.py": {2: "    ", 8: "    "}}),
    "Python: dots in a type are no rest": (
        {"a.py": "from typing import Any, Callable\n\n\ndef one(f: Callable[..., Any]):\n    return f\n\n\none(1)\n"},
        ["one", "--add-parameter", "d: str", "--value", "'d'"],
        {"a.py": {4: "def one(f: Callable[..., Any], d: str):", 8: "one(1, 'd')"}}),
    "Python: a parameter without a default stays in front": (
        {"a.py": "def run(a, b=1):\n    return a, b\n\n\nrun(1, 2)\n"}, ["run", "--reorder", "2,1"], {"arguments"}),
    "Python: an argument that gives several may hold the one that goes": (
        {"a.py": "def run(a, b, c):\n    return a, c\n\n\nrest = [2, 3]\nrun(1, *rest)\n"}, ["run", "--remove", "b"], {"arguments"}),
    "TypeScript: an argument that goes changes something": (
        {"a.ts": "export function run(a: number, b: number) { return a }\nlet i = 0\nrun(1, i++)\n"}, ["run", "--remove", "2"], {"arguments"}),
    "Python: a function in a function has no receiver": (
        {"a.py": "def outer():\n    def inner(a):\n        return a\n    return inner(1)\n"}, ["outer.inner", "--add-parameter", "b", "--value", "2", "--at", "1"],
        {"a.py": {2: "    def inner(b, a):", 4: "    return inner(2, 1)"}}),
    "Python: a decorator and a test runner call what they know": (
        {"a.py": "from app import route\n\n\n@route('/')\ndef load(path): return path\n"}, ["load", "--add-parameter", "mode", "--value", "2"], {"value"}),
    "Python: a decorator that passes arguments on": (
        {"a.py": "from functools import lru_cache\n\n\n@lru_cache(maxsize=2)\ndef load(path): return path\n\n\nload(1)\n"},
        ["load", "--add-parameter", "mode", "--value", "2"],
        {"a.py": {5: "def load(path, mode): return path", 8: "load(1, 2)"}}),
    "Rust: a test": (
        {"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "#[tokio::test]\nasync fn works() {}\n"},
        ["works", "--add-parameter", "a: u8", "--value", "1"], {"value"}),
    "Rust: a field has the method's name": (
        {"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
         "src/lib.rs": "pub struct A { size: u8 }\nimpl A { pub fn size(&self) -> u8 { self.size } }\npub fn g(x: &A) -> u8 { x.size() + x.size }\n"},
        ["A.size", "--add-parameter", "b: u8", "--value", "7"],
        {"src/lib.rs": {2: "impl A { pub fn size(&self, b: u8) -> u8 { self.size } }", 3: "pub fn g(x: &A) -> u8 { x.size(7) + x.size }"}}),
    "without a value": (
        {"a.py": "def load(path):\n    return path\n\n\nload(1)\n"}, ["load", "--add-parameter", "mode"], {"arguments"}),
    "Python: a parameter goes": (
        {"a.py": "def load(path, mode, deep):\n    return path, deep\n\n\nload(1, 2, 3)\nload(1, deep=3, mode=2)\nload(deep=3, path=1, mode=2)\n"},
        ["load", "--remove", "mode"],
        {"a.py": {1: "def load(path, deep):", 5: "load(1, 3)", 6: "load(1, deep=3)", 7: "load(deep=3, path=1)"}}),
    "a parameter that is used, and an argument that may do something": (
        {"a.py": "def load(path, mode):\n    return mode\n\n\nload(1, print())\n"}, ["load", "--remove", "2"], {"name_taken", "arguments"}),
    "Go: an interface, names of parameters, a list of results": (
        {"go.mod": "module x\n\ngo 1.20\n",
         "a.go": "package x\n\ntype Reader interface {\n\tFetch(string) int\n}\n\ntype A struct{}\n\nfunc (a *A) Fetch(path string) int { return 1 }\n\nfunc use(r Reader) int {\n\treturn r.Fetch(\"a\") + (*A).Fetch(&A{}, \"b\")\n}\n"},
        ["A.Fetch", "--add-parameter", "mode int", "--value", "0"],
        {"a.go": {4: "\tFetch(string, int) int", 9: "func (a *A) Fetch(path string, mode int) int { return 1 }",
                  12: "\treturn r.Fetch(\"a\", 0) + (*A).Fetch(&A{}, \"b\", 0)"}}),
    "Go: parameters of one type, before the variadic one": (
        {"go.mod": "module x\n\ngo 1.20\n", "a.go": "package x\n\nfunc f(a, b int, c ...string) {}\n\nfunc g() {\n\tf(1, 2)\n\tf(1, 2, \"c\")\n}\n"},
        ["f", "--add-parameter", "d bool", "--value", "true"],
        {"a.go": {3: "func f(a, b int, d bool, c ...string) {}", 6: "\tf(1, 2, true)", 7: "\tf(1, 2, true, \"c\")"}}),
    "Go: parameters of one type cannot be parted": (
        {"go.mod": "module x\n\ngo 1.20\n", "a.go": "package x\n\nfunc f(a, b int) {}\n"}, ["f", "--remove", "a"], {"arguments"}),
    "Go: results given on, a function as a value": (
        {"go.mod": "module x\n\ngo 1.20\n", "a.go": "package x\n\nfunc f(a, b int) {}\nfunc two() (int, int) { return 1, 2 }\n\nfunc g() {\n\tf(two())\n\t_ = f\n}\n"},
        ["f", "--add-parameter", "c int", "--value", "0"], {"arguments", "value"}),
    "TypeScript: an arrow, an interface, a call without its rest": (
        {"a.ts": "export interface A { run(a: number): void }\nexport class B implements A { run(a: number) {} }\nexport const f = (a: string, b?: number) => a\n",
         "b.ts": "import { A, f } from './a'\nexport function g(a: A) { a.run(1); f('x', 2) }\n"},
        ["B.run", "--add-parameter", "b: string", "--value", "''"],
        {"a.ts": {1: "export interface A { run(a: number, b: string): void }", 2: "export class B implements A { run(a: number, b: string) {} }"},
         "b.ts": {2: "export function g(a: A) { a.run(1, ''); f('x', 2) }"}}),
    "TypeScript: an arrow": (
        {"a.ts": "export const f = (a: string, b?: number) => a\nf('x')\nf('x', 2)\n"},
        ["f", "--add-parameter", "c: boolean", "--value", "true"],
        {"a.ts": {1: "export const f = (a: string, c: boolean, b?: number) => a", 2: "f('x', true)", 3: "f('x', true, 2)"}}),
    "Java: a field has the method's name": (
        {"A.java": "class A {\n    private int size = 1;\n    int size() { return size; }\n    int grow() { return size() + size; }\n}\n"},
        ["A.size", "--add-parameter", "int by", "--value", "2"],
        {"A.java": {3: "    int size(int by) { return size; }", 4: "    int grow() { return size(2) + size; }"}}),
    "Java: overloads are distinct": (
        {"A.java": "class A {\n    void f(int a) {}\n    void f(int a, int b) {}\n    void g() { f(1); f(1, 2); }\n}\n"},
        ["A.f", "--add-parameter", "String c", "--value", "\"x\"", "--takes", "1"],
        {"A.java": {2: "    void f(int a, String c) {}", 4: "    void g() { f(1, \"x\"); f(1, 2); }"}}),
    "Rust: a trait, its implementations, a call with the receiver as an argument": (
        {"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
         "src/lib.rs": "pub trait T { fn run(&self, a: u8) -> u8; }\npub struct A;\nimpl T for A { fn run(&self, a: u8) -> u8 { a } }\npub fn g(x: &A) -> u8 { x.run(1) + T::run(x, 2) }\n"},
        ["A.run", "--add-parameter", "b: u8", "--value", "7"],
        {"src/lib.rs": {1: "pub trait T { fn run(&self, a: u8, b: u8) -> u8; }", 3: "impl T for A { fn run(&self, a: u8, b: u8) -> u8 { a } }",
                        4: "pub fn g(x: &A) -> u8 { x.run(1, 7) + T::run(x, 2, 7) }"}}),
    "C: a header, no parameters, other places": (
        {"a.h": "int f(void);\nint g(int a, char b);\n", "a.c": "#include \"a.h\"\nint f(void) { return 1; }\nint g(int a, char b) { return a + b; }\n",
         "b.c": "#include \"a.h\"\nint h(void) { return f() + g(f(), ','); }\n"},
        ["a.h::f", "--add-parameter", "int mode", "--value", "0"],
        {"a.h": {1: "int f(int mode);"}, "a.c": {2: "int f(int mode) { return 1; }"}, "b.c": {2: "int h(void) { return f(0) + g(f(0), ','); }"}}),
    "C: two parameters change places": (
        {"a.h": "int g(int a, char b);\n", "a.c": "#include \"a.h\"\nint g(int a, char b) { return a + b; }\n",
         "b.c": "#include \"a.h\"\nint h(void) { return g(1, ','); }\n"},
        ["a.h::g", "--reorder", "2,1"],
        {"a.h": {1: "int g(char b, int a);"}, "a.c": {2: "int g(char b, int a) { return a + b; }"}, "b.c": {2: "int h(void) { return g(',', 1); }"}}),
    "C: a static prototype in a header": (
        {"d.h": "static int f(int a);\n", "d.c": "#include \"d.h\"\nstatic int f(int a) { return a; }\n", "x.c": "#include \"d.c\"\nint g(void) { return f(1); }\n",
         "y.c": "static int f(int a) { return a; }\nint h(void) { return f(2); }\n"},
        ["d.c::f", "--add-parameter", "int b", "--value", "0"],
        {"d.h": {1: "static int f(int a, int b);"}, "d.c": {2: "static int f(int a, int b) { return a; }"}, "x.c": {2: "int g(void) { return f(1, 0); }"}}),
    "C++: one declaration has the default": (
        {"a.h": "struct A { int f(int a) const; };\n", "a.cpp": "#include \"a.h\"\nint A::f(int a) const { return a; }\nint g(const A& a) { return a.f(1); }\n"},
        ["A.f", "--add-parameter", "int b = 2", "--value", "3"],
        {"a.h": {1: "struct A { int f(int a, int b = 2) const; };"}, "a.cpp": {2: "int A::f(int a, int b) const { return a; }", 3: "int g(const A& a) { return a.f(1, 3); }"}}),
}


def check_open(program):
    """Places that may mean the function are counted and named, and calls of a variable that was given it."""
    with tempfile.TemporaryDirectory(prefix="codexmem-change-test-") as folder:
        repository = Repository(program, folder)
        repository.commit({"a.ts": "export interface P { apply_(a: number): number }\nexport function run(p: P) {\n  const given = p.apply_\n"
                                   "  const other = (a: number) => a\n  other(1)\n  return given(1)\n}\n",
                           "b.py": "def load(x):\n    return x\n\n\nload(1)\n", "c.swift": "func load() {\n}\n"})
        plan = json.loads(repository.codexmem("change", "P.apply_", "--add-parameter", "b: number", "--value", "2", "--json").stdout)
        assert [(each["kind"], each["line"]) for each in plan["obstacles"]] == [("value", 3), ("value", 6)], plan["obstacles"]
        for words in (["change", "load", "--add-parameter", "y", "--value", "2"], ["rename", "load", "read"]):
            text = repository.codexmem(*words).stdout
            assert "2 places in 1 file, 1 more place may mean it and stays" in text and "all certain" not in text, text
            assert "not understood, left as they are\nc.swift:1:6  func load() {\n" in text, text
            assert [each["line"] for each in json.loads(repository.codexmem(*words, "--json").stdout)["unread"]] == [1], words


def check_case(program, name):
    files, words, want = CASES[name]
    with tempfile.TemporaryDirectory(prefix="codexmem-change-test-") as folder:
        repository = Repository(program, folder)
        repository.commit(files)
        done = repository.codexmem("change", *words, "--apply")
        plan = json.loads(repository.codexmem("change", *words, "--json").stdout) if isinstance(want, set) else None
        changed = {}
        for path, before in files.items():
            after = (repository.root / path).read_text().split("\n")
            lines = {number: line for number, (line, old) in enumerate(zip(after, before.split("\n")), 1) if line != old}
            if lines:
                changed[path] = lines
        if plan is not None:
            assert done.returncode == 1 and not changed, (done.stderr, changed)
            assert {each["kind"] for each in plan["obstacles"]} == want, plan["obstacles"]
        else:
            assert changed == want, (changed, done.stdout + done.stderr)
            assert done.returncode == 0, done.stderr


def check_decisions(program):
    """What a person says of uncertain places, and questions that cannot be answered."""
    with tempfile.TemporaryDirectory(prefix="codexmem-change-test-") as folder:
        repository = Repository(program, folder)
        repository.commit({"a.py": "class A:\n    def run(self, x): pass\n\n\nclass B:\n    def run(self, x): pass\n\n\ndef g(a):\n    a.run(1)\n    a.run(2)\n"})
        words = ["change", "A.run", "--add-parameter", "mode", "--value", "3"]
        assert repository.codexmem(*words, "--apply").returncode == 1
        done = repository.codexmem(*words, "--apply", "--take", "a.py:10", "--leave", "a.py:11")
        assert done.returncode == 0 and "changed run: 2 places in 1 file" in done.stderr, done
        assert "    a.run(1, 3)\n    a.run(2)\n" in (repository.root / "a.py").read_text()
        for words, why in ((["A", "--remove", "1"], "is not a function"), (["A.run", "--remove", "no"], "has no parameter no"),
                           (["A.run", "--reorder", "1,3"], "the order"), (["A.run"], "give one of them"),
                           (["A.run", "--add-parameter", "m", "--at", "9"], "can be number 1 to 3"), (["none", "--remove", "1"], "no definition")):
            done = repository.codexmem("change", *words)
            assert done.returncode != 0 and why in done.stderr, (words, done.stderr)


run_cases(__doc__, CASES, check_case, {"decisions": check_decisions, "open places": check_open})
