#!/usr/bin/env python3
"""codexmem rename and plan_rename, on small repositories: written, refused and undone changes.

  tests/git/rename_test.py --program build/dev/bin/codexmem
"""

import argparse
import fcntl
import hashlib
import json
import os
import stat
import subprocess
import sys
import tempfile
import time

from git_repository import Repository

# Name, symbol, new name, files before, the files that differ afterwards; the file that is meant, if one has to be named.
APPLIED = [
    ("a function and its imports", "greet", "hello",
     {"a.ts": "export function greet() {}\nexport { greet as hi }\n",
      "b.ts": "import { greet } from './a'\nimport { greet as g, hi } from './a'\ngreet(); g(); hi()\n",
      "c.ts": "import { greet } from 'elsewhere'\ngreet()\n"},
     {"a.ts": "export function hello() {}\nexport { hello as hi }\n",
      "b.ts": "import { hello } from './a'\nimport { hello as g, hi } from './a'\nhello(); g(); hi()\n"}),
    ("a method beside a field of its name, Java", "A.size()", "count",
     {"A.java": "class A {\n    private int size = 1;\n    int size() { return size; }\n    void grow() { this.size = size() + size; }\n}\n"},
     {"A.java": "class A {\n    private int size = 1;\n    int count() { return size; }\n    void grow() { this.size = count() + size; }\n}\n"}),
    ("a field beside a method of its name, Java", "A#size", "count",
     {"A.java": "class A {\n    private int size = 1;\n    int size() { return size; }\n    void grow() { this.size = size() + size; }\n}\n"},
     {"A.java": "class A {\n    private int count = 1;\n    int size() { return count; }\n    void grow() { this.count = size() + count; }\n}\n"}),
    ("a method beside a property of its name, PHP", "A.size()", "count",
     {"a.php": "<?php\nclass A { private $size = 1; function size() { return $this->size; } function grow() { $this->size = $this->size(); } }\n"},
     {"a.php": "<?php\nclass A { private $size = 1; function count() { return $this->size; } function grow() { $this->size = $this->count(); } }\n"}),
    ("a record's component and its accessor, Java", "R.width", "size",
     {"R.java": "record R(int width) { public int width() { return width; } }\n"},
     {"R.java": "record R(int size) { public int size() { return size; } }\n"}),
    ("re-exports", "greet", "hello",
     {"a.ts": "export function greet() {}\n", "index.ts": "export { greet } from './a'\nexport * from './a'\n",
      "b.ts": "import * as all from './index'\nall.greet()\n"},
     {"a.ts": "export function hello() {}\n", "index.ts": "export { hello } from './a'\nexport * from './a'\n",
      "b.ts": "import * as all from './index'\nall.hello()\n"}),
    ("a value with a short key", "greet", "hello",
     {"a.ts": "export function greet() {}\nexport const api = { greet, other: 1 }\napi.greet()\n"},
     {"a.ts": "export function hello() {}\nexport const api = { greet: hello, other: 1 }\napi.greet()\n"}),
    ("a field with short keys", "Options.size", "width",
     {"a.ts": "export interface Options { size: number }\n"
              "export function make(size: number): Options { return { size } }\n"
              "export function read({ size }: Options) { return size }\n"
              "export function more({ size = 1 }: Options) { return size }\n"
              "export const preset: Options = { size: 2 }\nread({ size: 3 })\nexport const n = preset.size\n"},
     {"a.ts": "export interface Options { width: number }\n"
              "export function make(size: number): Options { return { width: size } }\n"
              "export function read({ width: size }: Options) { return size }\n"
              "export function more({ width: size = 1 }: Options) { return size }\n"
              "export const preset: Options = { width: 2 }\nread({ width: 3 })\nexport const n = preset.width\n"}),
    ("a method and what overrides it", "Base.run", "start",
     {"a.ts": "export interface Job { run(): void }\nexport class Base implements Job { run() {} }\n"
              "export class Sub extends Base { run() { super.run() } }\n",
      "b.ts": "import { Sub, Job } from './a'\nnew Sub().run()\nfunction f(j: Job) { j.run() }\n"
              "class Other { run() {} }\nnew Other().run()\n"},
     {"a.ts": "export interface Job { start(): void }\nexport class Base implements Job { start() {} }\n"
              "export class Sub extends Base { start() { super.start() } }\n",
      "b.ts": "import { Sub, Job } from './a'\nnew Sub().start()\nfunction f(j: Job) { j.start() }\n"
              "class Other { run() {} }\nnew Other().run()\n"}),
    ("overloads, accessors, private names", "A.at", "get",
     {"a.ts": "class A {\n  at(x: string): void\n  at(x: number): void\n  at(x: any) {}\n}\nnew A().at(1)\n"},
     {"a.ts": "class A {\n  get(x: string): void\n  get(x: number): void\n  get(x: any) {}\n}\nnew A().get(1)\n"}),
    ("C++: a class whose constructor has another parameter than its object", "Box", "Case",
     {"a.cpp": "struct Box { Box(); explicit Box(int); ~Box(); };\nBox::Box() {}\nBox::Box(int) : Box() {}\nBox::~Box() {}\n"
               "void f(Box* b) { b->~Box(); delete new Box(1); }\n"},
     {"a.cpp": "struct Case { Case(); explicit Case(int); ~Case(); };\nCase::Case() {}\nCase::Case(int) : Case() {}\nCase::~Case() {}\n"
               "void f(Case* b) { b->~Case(); delete new Case(1); }\n"}),
    ("Ruby: an attribute with its variable, and under an alias", "Job.name", "title",
     {"a.rb": "class Job\n  attr_accessor :name\n  alias other name\n  def initialize(n)\n    @name = n\n    self.name = n\n  end\nend\n\n"
              "class Boss < Job\n  def to_s\n    @name\n  end\nend\n\nclass Dog\n  def bark\n    puts @name\n  end\nend\nJob.new(1).name = 3\n"},
     {"a.rb": "class Job\n  attr_accessor :title\n  alias other title\n  def initialize(n)\n    @title = n\n    self.title = n\n  end\nend\n\n"
              "class Boss < Job\n  def to_s\n    @title\n  end\nend\n\nclass Dog\n  def bark\n    puts @name\n  end\nend\nJob.new(1).title = 3\n"}),
    ("a private name keeps its sign", "A.#p", "q",
     {"a.ts": "class A { #p = 1; get v() { return this.#p } }\n"},
     {"a.ts": "class A { #q = 1; get v() { return this.#q } }\n"}),
    ("a getter with its setter", "A.v", "w",
     {"a.ts": "class A { get v() { return 1 } set v(x) {} }\nnew A().v = new A().v\n"},
     {"a.ts": "class A { get w() { return 1 } set w(x) {} }\nnew A().w = new A().w\n"}),
    ("a parameter that is a field", "A.q", "r",
     {"a.ts": "class A { constructor(public q: number) { f(q) } get() { return this.q } }\nfunction f(q: number) {}\n"},
     {"a.ts": "class A { constructor(public r: number) { f(r) } get() { return this.r } }\nfunction f(q: number) {}\n"}),
    ("an element of JSX", "Foo", "Bar",
     {"a.tsx": "export const Foo = (p: any) => <div/>\nexport const x = <Foo a='Foo'>Foo</Foo>\n"},
     {"a.tsx": "export const Bar = (p: any) => <div/>\nexport const x = <Bar a='Foo'>Foo</Bar>\n"}),
    ("a type and a value of one name", "Kind", "Sort",
     {"a.ts": "export const Kind = { a: 1 } as const\nexport type Kind = keyof typeof Kind\n",
      "b.ts": "import { Kind } from './a'\nlet k: Kind = 'a'\nKind.a\n"},
     {"a.ts": "export const Sort = { a: 1 } as const\nexport type Sort = keyof typeof Sort\n",
      "b.ts": "import { Sort } from './a'\nlet k: Sort = 'a'\nSort.a\n"}),
    ("CommonJS", "f", "g",
     {"a.js": "function f() {}\nmodule.exports = { f }\n", "b.js": "const { f } = require('./a')\nf()\n",
      "c.js": "const a = require('./a')\na.f()\n"},
     {"a.js": "function g() {}\nmodule.exports = { g }\n", "b.js": "const { g } = require('./a')\ng()\n",
      "c.js": "const a = require('./a')\na.g()\n"}),
    ("Python: __all__, imports, attributes of modules", "foo", "bar",
     {"m.py": "__all__ = ['foo']\n\n\ndef foo():\n    return 'foo'\n", "n.py": "from m import foo\nimport m\n\nfoo()\nm.foo()\n",
      "o.py": "from m import foo as other\n\nother()\n"},
     {"m.py": "__all__ = ['bar']\n\n\ndef bar():\n    return 'foo'\n", "n.py": "from m import bar\nimport m\n\nbar()\nm.bar()\n",
      "o.py": "from m import bar as other\n\nother()\n"}),
    ("Python: a property with its setter", "A.v", "w",
     {"m.py": "class A:\n    @property\n    def v(self):\n        return self._v\n\n    @v.setter\n    def v(self, v):\n        self._v = v\n\n\nA().v = 1\n"},
     {"m.py": "class A:\n    @property\n    def w(self):\n        return self._v\n\n    @w.setter\n    def w(self, v):\n        self._v = v\n\n\nA().w = 1\n"}),
    ("Python: an attribute of a class and below", "A.size", "width",
     {"m.py": "class A:\n    def __init__(self):\n        self.size = 1\n\n\nclass B(A):\n    def more(self):\n        self.size += 1\n        self.size = 2\n        return self.size\n"},
     {"m.py": "class A:\n    def __init__(self):\n        self.width = 1\n\n\nclass B(A):\n    def more(self):\n        self.width += 1\n        self.width = 2\n        return self.width\n"}),
    ("Python: a field and its keyword", "P.x", "left",
     {"m.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n    y: 'P'\n\n\ndef f(x):\n    return P(x=x, y=None).x\n"},
     {"m.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    left: int\n    y: 'P'\n\n\ndef f(x):\n    return P(left=x, y=None).left\n"}),
    ("Python: a class in annotations that are texts", "P", "Point",
     {"m.py": "class P:\n    def me(self) -> 'P':\n        return P()\n"},
     {"m.py": "class Point:\n    def me(self) -> 'Point':\n        return Point()\n"}),
    ("Python: a global", "Z", "Y", {"m.py": "Z = 1\n\n\ndef f():\n    global Z\n    Z = 2\n    return Z\n\n\nZ = 3\n"},
     {"m.py": "Y = 1\n\n\ndef f():\n    global Y\n    Y = 2\n    return Y\n\n\nY = 3\n"}),
    ("Go: a package's function", "Sum", "Total",
     {"go.mod": "module x\n\ngo 1.20\n", "s/s.go": "package s\n\nfunc Sum() int { return 1 }\n",
      "s/t.go": "package s\n\nfunc Twice() int { return 2 * Sum() }\n",
      "main.go": "package main\n\nimport \"x/s\"\n\nfunc main() { _ = s.Sum() }\n"},
     {"s/s.go": "package s\n\nfunc Total() int { return 1 }\n", "s/t.go": "package s\n\nfunc Twice() int { return 2 * Total() }\n",
      "main.go": "package main\n\nimport \"x/s\"\n\nfunc main() { _ = s.Total() }\n"}),
    ("Go: an interface's method", "shape.area", "size",
     {"go.mod": "module x\n\ngo 1.20\n",
      "s.go": "package x\n\ntype shape interface{ area() int }\n\ntype sq struct{}\n\nfunc (s sq) area() int { return 1 }\n\nfunc sum(a shape) int { return a.area() }\n"},
     {"s.go": "package x\n\ntype shape interface{ size() int }\n\ntype sq struct{}\n\nfunc (s sq) size() int { return 1 }\n\nfunc sum(a shape) int { return a.size() }\n"}),
    ("Go: an embedded type", "Inner", "Core",
     {"go.mod": "module x\n\ngo 1.20\n",
      "a.go": "package x\n\ntype Inner struct{ n int }\n\ntype Outer struct{ Inner }\n\nfunc f(o Outer) int { return o.Inner.n + Outer{Inner: Inner{1}}.n }\n"},
     {"a.go": "package x\n\ntype Core struct{ n int }\n\ntype Outer struct{ Core }\n\nfunc f(o Outer) int { return o.Core.n + Outer{Core: Core{1}}.n }\n"}),
    ("Java: a class, its constructor and its file", "Foo", "Bar",
     {"p/Foo.java": "package p;\n\npublic class Foo {\n  public Foo() {}\n  Foo me() { return new Foo(); }\n}\n",
      "q/Use.java": "package q;\n\nimport p.Foo;\n\nclass Use { Foo f = new Foo(); }\n"},
     {"p/Foo.java": None, "p/Bar.java": "package p;\n\npublic class Bar {\n  public Bar() {}\n  Bar me() { return new Bar(); }\n}\n",
      "q/Use.java": "package q;\n\nimport p.Bar;\n\nclass Use { Bar f = new Bar(); }\n"}),
    ("Java: overloads and overrides", "A.run", "go",
     {"A.java": "class A { void run(int a) {} void run(String a) { run(1); } }\nclass B extends A { @Override void run(int a) { super.run(a); } }\n"},
     {"A.java": "class A { void go(int a) {} void go(String a) { go(1); } }\nclass B extends A { @Override void go(int a) { super.go(a); } }\n"}),
    ("Rust: a formatted text", "WIDTH", "SIZE",
     {"Cargo.toml": "[package]\nname = \"x\"\n",
      "src/lib.rs": "pub mod sizes;\nuse sizes::{WIDTH};\npub fn f() -> String { format!(\"{:>WIDTH$} {WIDTH} WIDTH\", 1) }\n"
                    "pub fn g(width: u8) -> String { format!(\"{width} {{WIDTH}}\") }\n",
      "src/sizes.rs": "pub const WIDTH: usize = 12;\n"},
     {"src/lib.rs": "pub mod sizes;\nuse sizes::{SIZE};\npub fn f() -> String { format!(\"{:>SIZE$} {SIZE} WIDTH\", 1) }\n"
                    "pub fn g(width: u8) -> String { format!(\"{width} {{WIDTH}}\") }\n",
      "src/sizes.rs": "pub const SIZE: usize = 12;\n"}),
    ("C: files of which each build takes one", "os_name", "os_title",
     {"linux/os.h": "const char *os_name(void);\n", "linux/os.c": "#include \"os.h\"\nconst char *os_name(void) { return \"l\"; }\n",
      "bsd/os.h": "const char *os_name(void);\n", "bsd/os.c": "#include \"os.h\"\nconst char *os_name(void) { return \"b\"; }\n",
      "main.c": "#include \"os.h\"\nint main(void) { return os_name()[0]; }\n"},
     {"linux/os.h": "const char *os_title(void);\n", "linux/os.c": "#include \"os.h\"\nconst char *os_title(void) { return \"l\"; }\n",
      "bsd/os.h": "const char *os_title(void);\n", "bsd/os.c": "#include \"os.h\"\nconst char *os_title(void) { return \"b\"; }\n",
      "main.c": "#include \"os.h\"\nint main(void) { return os_title()[0]; }\n"}, "linux/os.c"),
    ("Python: a type variable and the text that names it", "T", "Item",
     {"m.py": "from typing import TypeVar\nT = TypeVar('T')\ndef f(x: T) -> T: return x\n",
      "n.py": "from typing import TypeVar\nT = TypeVar('T')\ndef g(x: T) -> T: return x\n"},
     {"m.py": "from typing import TypeVar\nItem = TypeVar('Item')\ndef f(x: Item) -> Item: return x\n"}, "m.py"),
    ("Python: items are no members", "A.size", "width",
     {"m.py": "class A:\n    def __init__(self): self.size = 1\n\n\ndef f(m, a: A): return m['size'], a.size\n"},
     {"m.py": "class A:\n    def __init__(self): self.width = 1\n\n\ndef f(m, a: A): return m['size'], a.width\n"}),
    ("Python: a known object that is asked by text", "A.size", "width",
     {"m.py": "class A:\n    size = 1\n\n\nclass B:\n    size = 2\n\n\n"
              "def f(a: A, b: B): return hasattr(a, 'size'), getattr(b, 'size')\n"},
     {"m.py": "class A:\n    width = 1\n\n\nclass B:\n    size = 2\n\n\n"
              "def f(a: A, b: B): return hasattr(a, 'width'), getattr(b, 'size')\n"}),
    ("Python: texts that are values", "Money", "Cash",
     {"m.py": "class Money: pass\n\n\ndef f(): return {'type': 'Money', 'x': Money()}\n"},
     {"m.py": "class Cash: pass\n\n\ndef f(): return {'type': 'Money', 'x': Cash()}\n"}),
    ("Python: a path to a replaced member", "find_all", "search",
     {"pkg/__init__.py": "from pkg.files import find_all\n", "pkg/files.py": "def find_all(): pass\n",
      "test_a.py": "from unittest.mock import patch\nfrom pkg import find_all\n\n\n@patch('pkg.find_all')\ndef test_it(m): pass\n"},
     {"pkg/__init__.py": "from pkg.files import search\n", "pkg/files.py": "def search(): pass\n",
      "test_a.py": "from unittest.mock import patch\nfrom pkg import search\n\n\n@patch('pkg.search')\ndef test_it(m): pass\n"}),
    ("Python: a path in a file that has the name nowhere else", "find_all", "search",
     {"pkg/__init__.py": "", "pkg/files.py": "def find_all(): pass\n",
      "test_a.py": "from unittest.mock import patch\nimport pkg.files\n\n\n@patch('pkg.files.find_all')\ndef test_it(m): pass\n\n\n"
                   "def test_more(): return getattr(pkg.files, 'find_all')\n"},
     {"pkg/files.py": "def search(): pass\n",
      "test_a.py": "from unittest.mock import patch\nimport pkg.files\n\n\n@patch('pkg.files.search')\ndef test_it(m): pass\n\n\n"
                   "def test_more(): return getattr(pkg.files, 'search')\n"}),
    ("Python: constants that a loop goes through", "Color.title_of", "caption",
     {"m.py": "from enum import Enum\n\n\nclass Color(Enum):\n    RED = 1\n\n    def title_of(self): return 1\n\n\n"
              "class Other:\n    def title_of(self): pass\n\n\ndef f(): return [c.title_of() for c in Color]\n"},
     {"m.py": "from enum import Enum\n\n\nclass Color(Enum):\n    RED = 1\n\n    def caption(self): return 1\n\n\n"
              "class Other:\n    def title_of(self): pass\n\n\ndef f(): return [c.caption() for c in Color]\n"}),
    ("texts that are members of known values", "A.run", "go",
     {"m.py": "class A:\n    def run(self): pass\n\n\ngetattr(A(), 'run')()\n", "a.ts": "class B { run() {} }\n"},
     {"m.py": "class A:\n    def go(self): pass\n\n\ngetattr(A(), 'go')()\n", "a.ts": "class B { run() {} }\n"}),
    ("a computed member of a known value", "A.run", "go",
     {"a.ts": "class A { run() {} }\nnew A()['run']()\n"}, {"a.ts": "class A { go() {} }\nnew A()['go']()\n"}),
    ("a member that nobody else declares", "A.spindle", "axis",
     {"m.py": "class A:\n    def spindle(self): pass\n\n\ndef f(a):\n    a.spindle()\n"},
     {"m.py": "class A:\n    def axis(self): pass\n\n\ndef f(a):\n    a.axis()\n"}),
    ("TypeScript: what a type declares and code assigns", "context.load", "fetch",
     {"a.ts": "interface Context { load?: () => void; n: number }\nfunction make(): Context { return { n: 1 } }\n"
              "export function f() {\n  const context = make()\n  context.load = () => {}\n  return context.load\n}\n"},
     {"a.ts": "interface Context { fetch?: () => void; n: number }\nfunction make(): Context { return { n: 1 } }\n"
              "export function f() {\n  const context = make()\n  context.fetch = () => {}\n  return context.fetch\n}\n"}),
    ("TypeScript: keys of a mapped type", "A.size_of", "width",
     {"a.ts": "interface A { size_of(): number; x: string }\n"
              "type Methods<T> = { [K in keyof T]?: (x: T) => number }\n"
              "const methods: Methods<A> = { size_of() { return 1 } }\n"
              "export function f(all: Methods<A>) { return [all.size_of, methods.size_of] }\n"},
     {"a.ts": "interface A { width(): number; x: string }\n"
              "type Methods<T> = { [K in keyof T]?: (x: T) => number }\n"
              "const methods: Methods<A> = { width() { return 1 } }\n"
              "export function f(all: Methods<A>) { return [all.width, methods.width] }\n"}),
    ("TypeScript: a key of a mapped type", "methods.size_of", "width",
     {"a.ts": "interface A { size_of(): number; x: string }\n"
              "const methods: { [K in keyof A]?: (x: A) => number } = { size_of() { return 1 } }\n"},
     {"a.ts": "interface A { width(): number; x: string }\n"
              "const methods: { [K in keyof A]?: (x: A) => number } = { width() { return 1 } }\n"}),
    ("TypeScript: keys of dictionaries", "A.size", "width",
     {"a.ts": "export interface A { size: number; x: string }\ntype Any = { [key: string]: unknown }\n"
              "type Named = { [K in 'a' | 'x']?: string }\nexport function f(all: Any, names: Named, a: A) { return a.size }\n",
      "b.ts": "import { f } from './a'\nf({ size: 1 }, { a: '' }, { size: 1, x: '' })\n"},
     {"a.ts": "export interface A { width: number; x: string }\ntype Any = { [key: string]: unknown }\n"
              "type Named = { [K in 'a' | 'x']?: string }\nexport function f(all: Any, names: Named, a: A) { return a.width }\n",
      "b.ts": "import { f } from './a'\nf({ size: 1 }, { a: '' }, { width: 1, x: '' })\n"}),
    ("TypeScript: an object that is given where a type is expected", "Config.size", "width",
     {"a.ts": "export interface Config { size: number; name?: string }\nexport function set(c: Config, n: number) {}\n"
              "export const one = { size: 1 }\nexport const two = { size: 2 }\nexport const three = { size: 3 }\n"
              "export const four = { size: 4 }\nexport const five = { size: 5 }\n",
      "b.ts": "import * as all from './a'\nimport { set, one, three, four, five, Config } from './a'\nset(one, one.size)\n"
              "set({ ...all.two, name: 'x' }, 1)\nconst c: Config = three\nfunction make(): Config { return four }\nconst d = five\n"},
     {"a.ts": "export interface Config { width: number; name?: string }\nexport function set(c: Config, n: number) {}\n"
              "export const one = { width: 1 }\nexport const two = { width: 2 }\nexport const three = { width: 3 }\n"
              "export const four = { width: 4 }\nexport const five = { size: 5 }\n",
      "b.ts": "import * as all from './a'\nimport { set, one, three, four, five, Config } from './a'\nset(one, one.width)\n"
              "set({ ...all.two, name: 'x' }, 1)\nconst c: Config = three\nfunction make(): Config { return four }\nconst d = five\n"}),
    ("TypeScript: a key of an object that is given", "preset.size", "width",
     {"a.ts": "interface Config { size: number; name: string }\nfunction set(c: Config) { return c.size }\n"
              "const preset = { size: 1 }\nset({ ...preset, name: 'x' })\n"},
     {"a.ts": "interface Config { width: number; name: string }\nfunction set(c: Config) { return c.width }\n"
              "const preset = { width: 1 }\nset({ ...preset, name: 'x' })\n"}),
    ("TypeScript: all places of a name of several words", "Node.codeGen", "codeMade",
     {"a.ts": "export interface Node { codeGen?: string }\nexport function f(node: any) { return 'codeGen' in node && node.codeGen }\n",
      "b.ts": "import { f, Node } from './a'\nexport const all = [{ codeGen: 1 }]\nf(all[0])\n"
              "const list: string[] = ['codeGen', 'other']\n"},
     {"a.ts": "export interface Node { codeMade?: string }\nexport function f(node: any) { return 'codeMade' in node && node.codeMade }\n",
      "b.ts": "import { f, Node } from './a'\nexport const all = [{ codeMade: 1 }]\nf(all[0])\n"
              "const list: string[] = ['codeMade', 'other']\n"}),
    ("Python: something unknown that is asked for a member", "A.spindle", "turning",
     {"m.py": "class A:\n    spindle = 1\n\n\ndef f(a): return getattr(a, 'spindle', None)\n",
      "n.py": "import m\n\n\ndef g(a):\n    spindle = getattr(a, 'spindle', m)\n    return spindle\n",
      "o.py": "import m\n\n\ndef h(a): return hasattr(a, 'spindle')\n"},
     {"m.py": "class A:\n    turning = 1\n\n\ndef f(a): return getattr(a, 'turning', None)\n",
      "n.py": "import m\n\n\ndef g(a):\n    spindle = getattr(a, 'turning', m)\n    return spindle\n",
      "o.py": "import m\n\n\ndef h(a): return hasattr(a, 'turning')\n"}),
    ("Python: names that a module makes from a dictionary", "greet", "hello",
     {"pkg/__init__.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .a import greet\n\n__all__ = ('greet',)\n"
                         "_FROM = {'greet': (__spec__.parent, '.a')}\n\n\ndef __getattr__(name): return _FROM[name]\n",
      "pkg/a.py": "def greet(): return 'greet'\n", "use.py": "from pkg import greet\n\ngreet()\n"},
     {"pkg/__init__.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .a import hello\n\n__all__ = ('hello',)\n"
                         "_FROM = {'hello': (__spec__.parent, '.a')}\n\n\ndef __getattr__(name): return _FROM[name]\n",
      "pkg/a.py": "def hello(): return 'greet'\n", "use.py": "from pkg import hello\n\nhello()\n"}),
    ("Python: texts in lists and tuples", "Money", "Cash",
     {"m.py": "import pytest\n\n\nclass Money: pass\n\n\nCASES = [(Money, 'Money'), pytest.param(Money, id='Money')]\n"},
     {"m.py": "import pytest\n\n\nclass Cash: pass\n\n\nCASES = [(Cash, 'Money'), pytest.param(Cash, id='Money')]\n"}),
    ("TypeScript: keys that are taken of a type", "A.size", "width",
     {"a.ts": "export interface A { size: number; x: string }\nexport interface B { size: number }\n"
              "export type S = Pick<A, 'x' | 'size'> & Omit<B, 'size'>\n"},
     {"a.ts": "export interface A { width: number; x: string }\nexport interface B { size: number }\n"
              "export type S = Pick<A, 'x' | 'width'> & Omit<B, 'size'>\n"}),
    ("TypeScript: keys that are read from the object itself", "A.size", "width",
     {"a.ts": "export type A = { size?: number; name?: string }\nexport function f(given?: A) {\n"
              "  const all = { size: 1, ...given } satisfies A\n  const { size } = all\n  return all.size + size\n}\n"},
     {"a.ts": "export type A = { width?: number; name?: string }\nexport function f(given?: A) {\n"
              "  const all = { width: 1, ...given } satisfies A\n  const { width: size } = all\n  return all.width + size\n}\n"}),
    ("pytest: what a fixture gives", "Client.fetch_all", "load",
     {"lib.py": "class Client:\n    def fetch_all(self): return 1\n\n\nclass Other:\n    def fetch_all(self): return 2\n",
      "tests/conftest.py": "import pytest\nfrom lib import Client\n\n\n@pytest.fixture\ndef client():\n    yield Client()\n",
      "tests/test_a.py": "import pytest\nfrom lib import Other\n\n\n@pytest.fixture\ndef other(client): return Other()\n\n\n"
                         "def test_it(client, other):\n    client.fetch_all(), other.fetch_all()\n"},
     {"lib.py": "class Client:\n    def load(self): return 1\n\n\nclass Other:\n    def fetch_all(self): return 2\n",
      "tests/test_a.py": "import pytest\nfrom lib import Other\n\n\n@pytest.fixture\ndef other(client): return Other()\n\n\n"
                         "def test_it(client, other):\n    client.load(), other.fetch_all()\n"}),
    ("TypeScript: types and tests by text", "A.size", "width",
     {"a.ts": "export interface A { size: number }\nexport interface B { size: string }\n"
              "export type S = A['size'] | B['size']\n"
              "export function f(a: A | string) { return typeof a !== 'string' && 'size' in a && a.size }\n"},
     {"a.ts": "export interface A { width: number }\nexport interface B { size: string }\n"
              "export type S = A['width'] | B['size']\n"
              "export function f(a: A | string) { return typeof a !== 'string' && 'width' in a && a.width }\n"}),
    ("TypeScript: texts that no member is expected for", "A.kind", "sort",
     {"a.ts": "import { test } from 'runner'\nexport class A { kind = 1 }\n// 'kind' of things\n"
              "export function say(word: string) {}\nsay('kind')\ntest('kind', () => { new A().kind })\n"},
     {"a.ts": "import { test } from 'runner'\nexport class A { sort = 1 }\n// 'kind' of things\n"
              "export function say(word: string) {}\nsay('kind')\ntest('kind', () => { new A().sort })\n"}),
    ("TypeScript: members of the language's own", "Task.resolve", "settle",
     {"a.ts": "export class Task { resolve() {} }\nPromise.resolve(1)\nnew Task().resolve()\n"},
     {"a.ts": "export class Task { settle() {} }\nPromise.resolve(1)\nnew Task().settle()\n"}),
    ("members that one place reads", "A.size", "width",
     {"a.ts": "export interface A { size: number }\nexport interface B { size: number }\n"
              "export function f(x: A | B) { return x.size }\n"},
     {"a.ts": "export interface A { width: number }\nexport interface B { width: number }\n"
              "export function f(x: A | B) { return x.width }\n"}),
    ("Go: an interface whose values are given to functions written in place", "Router.Get", "Fetch",
     {"go.mod": "module x\n\ngo 1.20\n",
      "a.go": "package x\n\ntype Router interface {\n\tGet()\n\tRoute(fn func(r Router))\n}\n\ntype Mux struct{}\n\n"
              "func (m *Mux) Get() {}\n\nfunc (m *Mux) Route(fn func(r Router)) { fn(&Mux{}) }\n\n"
              "var All = []Router{&Mux{}}\n\nfunc Make() Router {\n\tr := &Mux{}\n\tr.Route(func(r Router) {\n\t\tr.Get()\n\t\treturn\n\t})\n\treturn r\n}\n"},
     {"a.go": "package x\n\ntype Router interface {\n\tFetch()\n\tRoute(fn func(r Router))\n}\n\ntype Mux struct{}\n\n"
              "func (m *Mux) Fetch() {}\n\nfunc (m *Mux) Route(fn func(r Router)) { fn(&Mux{}) }\n\n"
              "var All = []Router{&Mux{}}\n\nfunc Make() Router {\n\tr := &Mux{}\n\tr.Route(func(r Router) {\n\t\tr.Fetch()\n\t\treturn\n\t})\n\treturn r\n}\n"}),
    ("Go: an interface that types of the module alone implement", "Shape.Area", "Size",
     {"go.mod": "module x\n",
      "a.go": "package x\n\ntype Shape interface{ Area() int }\n\ntype Box struct{}\n\nfunc (b *Box) Area() int { return 1 }\n\n"
              "var _ Shape = (*Box)(nil)\n\ntype Room struct{ Of Shape }\n\nfunc Make() Shape { return &Box{} }\n\n"
              "func Measure(s Shape, by int) int { return s.Area() * by }\n",
      "b/b.go": "package b\n\nimport \"x\"\n\nvar R = x.Room{Of: &x.Box{}}\n\nvar N = x.Measure(x.Make(), 2)\n"},
     {"a.go": "package x\n\ntype Shape interface{ Size() int }\n\ntype Box struct{}\n\nfunc (b *Box) Size() int { return 1 }\n\n"
              "var _ Shape = (*Box)(nil)\n\ntype Room struct{ Of Shape }\n\nfunc Make() Shape { return &Box{} }\n\n"
              "func Measure(s Shape, by int) int { return s.Size() * by }\n"}),
    ("Rust: a method of a long name, of a value without a known type", "Entry.add_report", "take_report",
     {"Cargo.toml": "[package]\nname = \"x\"\n",
      "src/lib.rs": "pub struct Entry { pub begin: usize }\nimpl Entry { pub fn add_report(&mut self) { self.begin += 1; } }\n"
                    "pub fn f(all: &mut outside::Map<Entry>) { all.entry(1).or_insert_with(g).add_report(); }\n"
                    "pub fn h(e: &mut Entry) { e.add_report(); }\n"},
     {"src/lib.rs": "pub struct Entry { pub begin: usize }\nimpl Entry { pub fn take_report(&mut self) { self.begin += 1; } }\n"
                    "pub fn f(all: &mut outside::Map<Entry>) { all.entry(1).or_insert_with(g).take_report(); }\n"
                    "pub fn h(e: &mut Entry) { e.take_report(); }\n"}),
    ("Rust: a field, and a method of something unknown", "Entry.begin", "first",
     {"Cargo.toml": "[package]\nname = \"x\"\n",
      "src/lib.rs": "pub struct Entry { pub begin: usize }\npub fn f(m: outside::Match) -> usize { m.get(1).begin() }\n"
                    "pub fn h(e: &Entry) -> usize { e.begin }\n"},
     {"src/lib.rs": "pub struct Entry { pub first: usize }\npub fn f(m: outside::Match) -> usize { m.get(1).begin() }\n"
                    "pub fn h(e: &Entry) -> usize { e.first }\n"}),
    ("Rust: a variant, and one of a type that is made elsewhere", "Family.Rust", "Iron",
     {"Cargo.toml": "[package]\nname = \"x\"\n",
      "src/lib.rs": "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\npub enum Family { Rust, Other }\n"
                    "pub fn f() -> Kind { Kind::Rust }\npub fn h() -> Family { Family::Rust }\n"},
     {"src/lib.rs": "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\npub enum Family { Iron, Other }\n"
                    "pub fn f() -> Kind { Kind::Rust }\npub fn h() -> Family { Family::Iron }\n"}),
    ("Python: what a package hands on with a star and lists", "Err", "Fault",
     {"p/__init__.py": "from ._api import *\nfrom ._exc import *\n\n__all__ = [\"Err\", \"get\"]\n",
      "p/_api.py": "__all__ = [\"get\"]\n\n\ndef get(): pass\n", "p/_exc.py": "__all__ = [\"Err\"]\n\n\nclass Err(Exception): pass\n"},
     {"p/__init__.py": "from ._api import *\nfrom ._exc import *\n\n__all__ = [\"Fault\", \"get\"]\n",
      "p/_exc.py": "__all__ = [\"Fault\"]\n\n\nclass Fault(Exception): pass\n"}),
    ("Python: a method, and a function of its name that a package lists", "Client.put", "store",
     {"p/__init__.py": "from ._api import *\n\n__all__ = [\"put\"]\n", "p/_api.py": "from outside import *\n",
      "p/c.py": "class Client:\n    def put(self): pass\n\n\nClient().put()\n"},
     {"p/c.py": "class Client:\n    def store(self): pass\n\n\nClient().store()\n"}),
    ("Go: a field that is called as a method of the library", "T.Name", "Title",
     {"go.mod": "module x\n\ngo 1.20\n", "a.go": "package x\n\ntype T struct{ Name string }\n\nfunc f(t T) string { return t.Name }\n"},
     {"a.go": "package x\n\ntype T struct{ Title string }\n\nfunc f(t T) string { return t.Title }\n"}),
    ("PHP: a field that a constructor's parameter makes, and the named argument", "F.size", "width",
     {"a.php": "<?php\nclass F { public function __construct(public int $size) {} }\n$f = new F(size: 1);\necho $f->size;\n"},
     {"a.php": "<?php\nclass F { public function __construct(public int $width) {} }\n$f = new F(width: 1);\necho $f->width;\n"}),
    ("Elixir: a function that is named with its module", "Job.run", "start",
     {"a.ex": "defmodule Job do\n  def run(a), do: a\nend\n\ndefmodule U do\n  def f, do: apply(Job, :run, [1])\n  def g, do: {Job, :run, []}\nend\n"},
     {"a.ex": "defmodule Job do\n  def start(a), do: a\nend\n\ndefmodule U do\n  def f, do: apply(Job, :start, [1])\n  def g, do: {Job, :start, []}\nend\n"}),
    ("Rust: a variant, where others derive a trait of its name", "Scheme.Default", "Usual",
     {"Cargo.toml": "[package]\nname = \"x\"\n",
      "src/lib.rs": "#[derive(Clone, Default)]\npub struct A;\n#[derive(Clone)]\npub enum Scheme { Default, Other }\n"
                    "pub fn f() -> Scheme { Scheme::Default }\n"},
     {"src/lib.rs": "#[derive(Clone, Default)]\npub struct A;\n#[derive(Clone)]\npub enum Scheme { Usual, Other }\n"
                    "pub fn f() -> Scheme { Scheme::Usual }\n"}),
    ("TypeScript: what a function gets that is put into a list of functions", "Scope.plugin", "addon",
     {"a.ts": "export interface Scope { plugin?: { fix(): void } }\nexport interface State { calls: ((scope: Scope) => void)[] }\n"
              "export function f(state: State) {\n  state.calls.push(function clean(root) {\n    root.plugin?.fix()\n"
              "    const { plugin } = root\n    plugin?.fix()\n  })\n}\n"},
     {"a.ts": "export interface Scope { addon?: { fix(): void } }\nexport interface State { calls: ((scope: Scope) => void)[] }\n"
              "export function f(state: State) {\n  state.calls.push(function clean(root) {\n    root.addon?.fix()\n"
              "    const { addon: plugin } = root\n    plugin?.fix()\n  })\n}\n"}),
    ("C: a macro for a type, of one system's header or the other's", "ONCE", "ONE",
     {"uv.h": "#if defined(_WIN32)\n# include \"win.h\"\n#else\n# include \"unix.h\"\n#endif\n",
      "win.h": "typedef struct { int a; } once_t;\n#define ONCE { 0 }\n", "unix.h": "typedef int once_t;\n#define ONCE 0\n",
      "a.c": "#include \"uv.h\"\nonce_t once = ONCE;\n"},
     {"win.h": "typedef struct { int a; } once_t;\n#define ONE { 0 }\n", "unix.h": "typedef int once_t;\n#define ONE 0\n",
      "a.c": "#include \"uv.h\"\nonce_t once = ONE;\n"}, "unix.h"),
    ("C: a macro for one branch, a function for the other", "ring", "circle",
     {"a.h": "#ifdef __linux__\nint ring(int);\n#else\n#define ring(a) 0\n#endif\n",
      "a.c": "#include \"a.h\"\nint f(void) { return ring(1); }\n"},
     {"a.h": "#ifdef __linux__\nint circle(int);\n#else\n#define circle(a) 0\n#endif\n",
      "a.c": "#include \"a.h\"\nint f(void) { return circle(1); }\n"}),
    ("C: a macro that only its own branch uses", "V", "W",
     {"a.c": "#ifdef __APPLE__\n#define V(a) a\nint f(void) { return V(1); }\n#endif\nint g(void) { return 0; }\n"},
     {"a.c": "#ifdef __APPLE__\n#define W(a) a\nint f(void) { return W(1); }\n#endif\nint g(void) { return 0; }\n"}),
    ("C: a field, and parameters and locals of its name that are known by their text alone", "queue.res", "result",
     {"a.c": "struct queue { int res; };\n#define FIND(type, x) struct type *res = 0; res = x; return (res);\n"
             "typedef void (*callback)(int status, struct addrinfo* res);\nint f(struct queue *q) { return q->res; }\n"},
     {"a.c": "struct queue { int result; };\n#define FIND(type, x) struct type *res = 0; res = x; return (res);\n"
             "typedef void (*callback)(int status, struct addrinfo* res);\nint f(struct queue *q) { return q->result; }\n"}),
    ("C: a field, where the system's struct has one too", "ru_nswap", "ru_swap",
     {"uv.h": "typedef struct {\n  long ru_nswap;\n} uv_rusage_t;\n",
      "a.c": "#include <sys/resource.h>\n#include \"uv.h\"\nvoid f(uv_rusage_t* to) {\n  struct rusage usage;\n"
             "  to->ru_nswap = usage.ru_nswap;\n}\n"},
     {"uv.h": "typedef struct {\n  long ru_swap;\n} uv_rusage_t;\n",
      "a.c": "#include <sys/resource.h>\n#include \"uv.h\"\nvoid f(uv_rusage_t* to) {\n  struct rusage usage;\n"
             "  to->ru_swap = usage.ru_nswap;\n}\n"}),
    ("C: a macro of a header, and one with a definition in each branch", "LOG", "NOTE",
     {"a.h": "#ifndef A_H\n#define A_H\n#ifdef DEBUG\n#define LOG(a) put(a)\n#else\n#define LOG(a)\n#endif\nvoid put(int);\n#endif\n",
      "a.c": "#include \"a.h\"\nvoid f(void) { LOG(1); }\n"},
     {"a.h": "#ifndef A_H\n#define A_H\n#ifdef DEBUG\n#define NOTE(a) put(a)\n#else\n#define NOTE(a)\n#endif\nvoid put(int);\n#endif\n",
      "a.c": "#include \"a.h\"\nvoid f(void) { NOTE(1); }\n"}),
]

# Name, symbol, new name, files, the kind of one obstacle.
REFUSED = [
    ("C: a declaration whose definition was not found", "del_read", "remove_read",
     {"a.h": "void del_read(void *at);\n", "a.c": "#include \"a.h\"\nvoid f(void *at) { del_read(at); }\n"}, "outside"),
    ("a local has the new name", "greet", "hello", {"a.ts": "function greet() {}\nfunction f(hello: any) { greet() }\n"}, "name_taken"),
    ("the module has the new name", "greet", "hello", {"a.ts": "function greet() {}\nfunction hello() {}\n"}, "name_taken"),
    ("the importer has the new name", "greet", "hello",
     {"a.ts": "export function greet() {}\n", "b.ts": "import { greet } from './a'\nconst hello = 1\ngreet()\n"}, "name_taken"),
    ("an outer name would be captured", "greet", "hello",
     {"a.ts": "const hello = 1\nfunction f() {\n  function greet() {}\n  return hello + greet()\n}\n"}, "captured"),
    ("a sibling has the new name", "A.run", "go", {"a.ts": "class A { run() {} go() {} }\n"}, "name_taken"),
    ("a subtype has the new name", "A.run", "go", {"a.ts": "class A { run() {} }\nclass B extends A { go() {} }\n"}, "name_taken"),
    ("a base outside of the repository", "A.run", "go", {"a.ts": "import { B } from 'lib'\nclass A extends B { run() {} }\n"}, "outside"),
    ("a method of the library", "L.get", "read", {"a.ts": "class L extends Map<string, number> { get(k: string) { return 1 } }\n"}, "outside"),
    ("a method that the language calls", "E.toString", "text", {"a.ts": "class E { toString() { return '' } }\n"}, "fixed_name"),
    ("getattr", "A.run", "go", {"m.py": "class A:\n    def run(self): pass\n\n\ndef f(a): getattr(a, 'run')()\n"}, "text"),
    ("a computed member", "A.run", "go", {"a.ts": "class A { run() {} }\nfunction f(a) { a['run']() }\n"}, "text"),
    ("a receiver of unknown type", "A.getvalue", "go", {"m.py": "class A:\n    def getvalue(self): pass\n\n\ndef f(a):\n    a.getvalue()\n"}, "uncertain_use"),
    ("a name that the language knows", "A.__len__", "size", {"m.py": "class A:\n    def __len__(self): return 1\n"}, "fixed_name"),
    ("Go: main", "main", "start", {"go.mod": "module x\n", "main.go": "package main\n\nfunc main() {}\n"}, "fixed_name"),
    ("Go: hidden from other packages", "Area", "area", {"go.mod": "module x\n", "a.go": "package x\n\nfunc Area() {}\n"}, "fixed_name"),
    ("Go: a type of another module", "Shape.Area", "Size",
     {"go.mod": "module x\n\nrequire other.org/y v1.0.0\n",
      "a.go": "package x\n\nimport \"other.org/y\"\n\ntype Shape interface{ Area() int }\n\n"
              "func Measure(by int, s Shape) {}\n\nfunc f() {\n\tb := y.Box{}\n\tMeasure(1, b)\n}\n"}, "outside"),
    ("Go: a type of another module that is returned", "Shape.Area", "Size",
     {"go.mod": "module x\n\nrequire other.org/y v1.0.0\n",
      "a.go": "package x\n\nimport \"other.org/y\"\n\ntype Shape interface{ Area() int }\n\nfunc Make() Shape { return y.New() }\n"},
     "outside"),
    ("Go: a type of another module, to a function that is called by a name", "Shape.Area", "Size",
     {"go.mod": "module x\n\ngo 1.20\n\nrequire other.org/y v1.0.0\n",
      "a.go": "package x\n\nimport \"other.org/y\"\n\ntype Shape interface{ Area() int }\n\n"
              "func Each(fn func(s Shape)) { fn(y.New()) }\n"}, "outside"),
    ("Go: an interface that is asked for", "Shape.Area", "Size",
     {"go.mod": "module x\n",
      "a.go": "package x\n\ntype Shape interface{ Area() int }\n\nfunc f(v any) bool {\n\t_, ok := v.(Shape)\n\treturn ok\n}\n"},
     "outside"),
    ("Python: a constant by its text", "Color.RED", "ROT",
     {"m.py": "from enum import Enum\n\n\nclass Color(Enum):\n    RED = 1\n\n\nprint(Color['RED'])\n"}, "text"),
    ("TypeScript: a key that is expected", "A.size", "width",
     {"a.ts": "export interface A { size: number }\nfunction get(a: A, key: keyof A) { return a[key] }\nget({ size: 1 }, 'size')\n"},
     "text"),
    ("TypeScript: a type of the same shape", "Config.size", "width",
     {"a.ts": "export interface Config { size?: number; name?: string }\nexport function set(c: Config) {}\n",
      "b.ts": "import { set } from './a'\nfunction make(): { size: number } { return { size: 1 } }\nset(make())\n"}, "uncertain_use"),
    ("TypeScript: keys made from a type's keys", "A.size", "width",
     {"a.ts": "interface A { size: number; x: string }\n"
              "type Of<T> = { [K in keyof T as K extends string ? K : never]?: (x: T) => number }\n"
              "const of: Of<A> = { size() { return 1 } }\n"}, "uncertain_use"),
    ("TypeScript: keys that are computed in another way", "A.size", "width",
     {"a.ts": "interface A { size: number; x: string }\n"
              "type Of<T> = { [K in Exclude<keyof T, 'x'>]?: number }\n"
              "export function f(of: Of<A>) { return of.size }\n"}, "uncertain_use"),
    ("what a package's values have", "A.spindle", "axis",
     {"m.py": "from lib import thing\n\n\nclass A:\n    def spindle(self): pass\n\n\n"
              "def f(a):\n    thing.spindle()\n    a.spindle()\n"}, "uncertain_use"),
    ("a key that one word may have by chance", "A.spindle", "axis",
     {"a.ts": "export class A { spindle() {} }\nexport function f(a: any) { a.spindle() }\n"
              "export const other = [{ spindle: 1 }]\n"}, "uncertain_use"),
    ("a new name that says less", "Node.codeGen", "made",
     {"a.ts": "export interface Node { codeGen?: string }\nexport function f(node: any) { return node.codeGen }\n"
              "export const all = [{ codeGen: 1 }]\n"}, "uncertain_use"),
    ("Python: a text of a type's arguments", "Money", "Cash",
     {"m.py": "from typing import Dict, NamedTuple\n\n\nclass Money: pass\n\n\nx: Dict[str, 'Money'] = {}\n"
              "N = NamedTuple('N', [('a', 'Money')])\n"}, "text"),
    ("Python: a name that is made of an unknown module", "greet", "hello",
     {"pkg/__init__.py": "__all__ = ['greet']\n_FROM = {'greet': 'somewhere'}\n\n\ndef __getattr__(name): return _FROM[name]\n",
      "pkg/a.py": "def greet(): pass\n"}, "text"),
    ("TypeScript: a condition says more than a bound", "A.size", "width",
     {"a.ts": "export interface A { size?: number }\n"
              "export type S<T extends A> = T extends { size: number } ? T['size'] : never\n"}, "text"),
    ("who else declares the name", "A.spindle", "axis",
     {"m.py": "class A:\n    def spindle(self): pass\n\n\nclass B:\n    def spindle(self): pass\n\n\ndef f(a):\n    a.spindle()\n"},
     "uncertain_use"),
    ("Go: another file of the package", "Area", "Size",
     {"go.mod": "module x\n", "a.go": "package x\n\nfunc Area() {}\n", "b.go": "package x\n\nfunc Size() {}\n"}, "name_taken"),
    ("C: a macro makes the name", "cmd_add", "cmd_plus",
     {"a.c": "#define CMD(n) cmd_##n\nint cmd_add(int a) { return a; }\nint (*run)(int) = CMD(add);\n"}, "uncertain_use"),
    ("Rust: what a trait of the library names", "A.fmt", "show",
     {"Cargo.toml": "[package]\nname = \"x\"\n",
      "src/lib.rs": "use std::fmt;\npub struct A;\nimpl fmt::Display for A {\n"
                    "    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.write_str(\"a\") }\n}\n"}, "outside"),
    ("Rust: a file that another includes", "make", "build",
     {"Cargo.toml": "[package]\nname = \"x\"\n", "src/main.rs": "mod cli;\nfn main() { cli::make(); }\n",
      "src/cli.rs": "pub fn make() {}\n", "build.rs": "include!(\"src/cli.rs\");\nfn main() { make(); }\n"},
     "uncertain_use"),
    ("Python: a class that fits a protocol", "Runner.start", "begin",
     {"a.py": "from typing import Protocol\n\n\nclass Runner(Protocol):\n    def start(self) -> None: ...\n\n\n"
              "class Job:\n    def start(self) -> None: pass\n\n\ndef go(r: Runner): r.start()\n\n\ngo(Job())\n"}, "outside"),
    ("PHP: a method that a class takes from a trait under another name", "T.start", "begin",
     {"a.php": "<?php\ntrait T { public function start() {} }\nclass Job { use T { start as protected go; } }\n"}, "unparsed"),
    ("assembly calls a C function", "add_all", "sum_all",
     {"a.c": "int add_all(int a) { return a; }\n", "b.s": "  call add_all\n"}, "unparsed"),
    ("C: a function that one system lacks", "mkdtemp", "make_folder",
     {"old.h": "char *mkdtemp(char *path);\n", "old.c": "#include \"old.h\"\nchar *mkdtemp(char *path) { return path; }\n",
      "a.c": "#include <stdlib.h>\n#ifdef OLD\n#include \"old.h\"\n#endif\nchar *f(char *path) { return mkdtemp(path); }\n"}, "outside"),
    ("Java: an annotation names a method", "T.provide", "supply",
     {"T.java": "class T {\n  static int[] provide() { return null; }\n  @MethodSource(\"provide\") void t(int a) {}\n}\n"}, "text"),
    ("Rust: an attribute names a constant", "HELP", "ADVICE",
     {"Cargo.toml": "[package]\nname = \"x\"\n",
      "src/main.rs": "const HELP: &str = \"a\";\nstruct Opt {\n    #[arg(long, help(HELP))]\n    a: i32,\n}\nfn main() {}\n"}, "unparsed"),
    ("C: a macro inside an enum makes the name", "OWN_one", "OWN_first",
     {"a.h": "#define CODES(XX) \\\n  XX(one, 1) \\\n  XX(two, 2)\n#define OWN_one 1\n#define OWN_two 2\n"
             "typedef enum {\n#define XX(code, _) CODE_ ## code = OWN_ ## code,\n  CODES(XX)\n#undef XX\n  CODE_LAST = 9\n} code_t;\n"},
     "uncertain_use"),
    ("C: what a macro is given may be a field", "queue.res", "result",
     {"a.c": "struct queue { int res; };\nint f(struct queue *q) { return FIELD(q, res) + q->res; }\n"}, "uncertain_use"),
    ("C: a macro that others may define", "LIMIT", "MOST",
     {"a.c": "#include <limits.h>\n#ifndef LIMIT\n#define LIMIT 5\n#endif\nint a = LIMIT;\n"}, "outside"),
    ("C: a macro in place of the library's function", "lookup", "find",
     {"a.h": "#ifndef A_H\n#define A_H\n#ifdef _WIN32\nint mine(int);\n#define lookup(a) mine(a)\n#endif\n#endif\n",
      "a.c": "#include \"a.h\"\nint a(void) { return lookup(1); }\n"}, "outside"),
    ("a generated file", "greet", "hello", {"a.ts": "// @generated\nexport function greet() {}\n"}, "file"),
]

# Symbol, new name, files, a part of the error.
ERRORS = [
    ("greet", "2fast", {"a.ts": "function greet() {}\n"}, "is not a name"),
    ("greet", "class", {"a.ts": "function greet() {}\n"}, "reserved word"),
    ("greet", "greet", {"a.ts": "function greet() {}\n"}, "already has this name"),
    ("nothing", "x", {"a.ts": "function greet() {}\n"}, "no definition"),
    ("A.size", "count", {"A.java": "class A {\n    private int size = 1;\n    int size() { return size; }\n}\n"}, "A.java::A#size, A.java::A.size()"),
    ("run", "go", {"a.ts": "class A { run() {} }\nclass B { run() {} }\n"}, "a.ts::A.run, a.ts::B.run"),
]


def files_of(repository):
    """The text of each file by its path; a file that goes while this reads is left out."""
    found = {}
    for folder, folders, names in os.walk(repository.root):
        folders[:] = [name for name in folders if name not in (".git", ".codexmem")]
        for name in names:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    found[os.path.relpath(path, repository.root)] = file.read().decode()
            except FileNotFoundError:  # a temporary file of a rename at work
                continue
    return found


def make(program, folder, number, files):
    repository = Repository(program, os.path.join(folder, str(number)))
    repository.commit(files)
    return repository


def check_applied(program, folder):
    for number, (name, old, new, files, after, *of) in enumerate(APPLIED):
        repository = make(program, folder, f"applied{number}", files)
        before = files_of(repository)
        words = ["--file", of[0]] if of else []
        plan = repository.codexmem("rename", old, new, *words)
        assert plan.returncode == 0 and files_of(repository) == before, (name, plan.stdout, plan.stderr)
        done = repository.codexmem("rename", old, new, *words, "--apply")
        want = {path: text for path, text in {**before, **after}.items() if text is not None}
        assert done.returncode == 0 and files_of(repository) == want, (name, done.stdout, done.stderr, files_of(repository))


def check_refused(program, folder):
    for number, (name, old, new, files, kind) in enumerate(REFUSED):
        repository = make(program, folder, f"refused{number}", files)
        before = files_of(repository)
        done = repository.codexmem("rename", old, new, "--apply")
        assert done.returncode == 1 and files_of(repository) == before, (name, done.stdout, done.stderr)
        plan = json.loads(repository.codexmem("rename", old, new, "--json").stdout)
        assert kind in {each["kind"] for each in plan["obstacles"]} and not plan["canApply"], (name, plan)
    for number, (old, new, files, message) in enumerate(ERRORS):
        repository = make(program, folder, f"error{number}", files)
        done = repository.codexmem("rename", old, new, "--apply")
        assert done.returncode in (1, 2) and message in done.stderr, (old, new, done.stdout, done.stderr)


def check_bytes(program, folder):
    """Line ends, a byte order mark and access rights stay; a link and a changed file are not written."""
    repository = make(program, folder, "bytes", {"a.py": "x = 1\n"})
    path = os.path.join(repository.root, "a.py")
    with open(path, "wb") as file:
        file.write("\ufeffdef greet():\r\n    return 'é'\r\n\r\ngreet()  # é greet\r\n".encode())
    os.chmod(path, 0o751)
    done = repository.codexmem("rename", "greet", "hello", "--apply", "--strings")
    assert done.returncode == 0 and "a.py:4:14" in done.stdout, (done.stdout, done.stderr)
    with open(path, "rb") as file:
        assert file.read() == "\ufeffdef hello():\r\n    return 'é'\r\n\r\nhello()  # é greet\r\n".encode()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o751
    os.link(path, os.path.join(repository.root, "b.txt"))
    done = repository.codexmem("rename", "hello", "greet", "--apply")
    assert done.returncode == 1 and "hard links" in done.stdout, done.stdout


def check_verify(program, folder):
    """A command that the user gives has the last word; it runs in the root and never unasked."""
    files = {"go.mod": "module m\n\ngo 1.22\n", "a.go": "package m\n\nfunc greet() {}\n\nfunc F() { greet() }\n"}
    repository = make(program, folder, "verify", files)
    before = files_of(repository)
    plan = repository.codexmem("rename", "greet", "hello", "--verify", "touch ran")
    assert "--verify 'go vet ./...'" in plan.stderr and files_of(repository) == before, plan.stderr
    done = repository.codexmem("rename", "greet", "hello", "--apply", "--verify", "cat a.go; false")
    assert done.returncode == 1 and files_of(repository) == before, (done.stdout, done.stderr)
    assert "func hello" in done.stderr and "`cat a.go; false` failed, so everything was put back" in done.stderr, done.stderr
    done = repository.codexmem("rename", "greet", "hello", "--apply", "--verify", "grep -q hello a.go")
    assert done.returncode == 0 and "func hello" in files_of(repository)["a.go"], (done.stdout, done.stderr)


def check_recovery(program, folder):
    """A rename that was killed is put back by the next one, all of it or nothing; no other journal is followed."""
    files = {"a.py": "def greet():\n    pass\n", "b.py": "from a import greet\n", "c.py": "from a import greet\n"}
    new = {path: text.replace("greet", "hello") for path, text in files.items()}
    repository = make(program, folder, "killed", files)
    assert repository.codexmem("index").returncode == 0
    data = os.path.join(repository.root, ".codexmem", "rewrite.journal")
    with open(os.path.join(repository.root, ".codexmem", "lock"), "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # its index run waits
        running = subprocess.Popen([repository.program, "rename", "greet", "hello", "--apply", "--no-refresh"],
                                   cwd=repository.root, env=repository.env, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while files_of(repository) != new and time.monotonic() < end:
            time.sleep(0.02)
        running.kill()
        running.wait()
    assert files_of(repository) == new and os.path.exists(data)
    # Who asks for something else hears of it.
    for words in (("status",), ("check",), ("index",)):
        done = repository.codexmem(*words)
        assert "a rename was broken off" in done.stderr and "--apply" in done.stderr, (words, done.stderr)
    # A plan changes nothing. What somebody has changed since is no reason to put back the rest alone.
    repository.codexmem("rename", "hello", "again")
    assert files_of(repository) == new and os.path.exists(data)
    repository.write({"a.py": new["a.py"] + "# mine\n"})
    done = repository.codexmem("rename", "nosuch", "other", "--apply")
    assert done.returncode == 2 and "have changed since: a.py" in done.stderr, (done.stdout, done.stderr)
    assert files_of(repository) == {**new, "a.py": new["a.py"] + "# mine\n"} and os.path.exists(data)
    repository.write({"a.py": new["a.py"]})
    done = repository.codexmem("rename", "nosuch", "other", "--apply")
    assert "broken off; put back" in done.stderr, (done.stdout, done.stderr)
    assert files_of(repository) == files and not os.path.exists(data), files_of(repository)
    assert "broken off" not in repository.codexmem("status").stderr
    # One that a repository brings.
    journal = "codexmem rewrite 1\n"
    for path, text in files.items():
        journal += f"file 644 {len(path)} 0 {len(text)} {hashlib.sha256(text.encode()).hexdigest()}\n{path}bad!{text[4:]}\n"
    for text in (journal + "end\n", journal):
        with open(data, "w") as file:
            file.write(text)
        done = repository.codexmem("rename", "greet", "hello", "--apply")
        assert done.returncode == 2 and "not codexmem's own" in done.stderr, (done.stdout, done.stderr)
        assert files_of(repository) == files and not os.path.exists(data)


def check_taken(program, folder):
    """A place that may mean the symbol is renamed or left as the user says; others still stand against it."""
    files = {"m.py": "class A:\n    def spindle(self): pass\n\n\nclass B:\n    def spindle(self): pass\n\n\n"
                     "def f(a, b):\n    a.spindle()\n    b.spindle()\n"}
    repository = make(program, folder, "taken", files)
    words = ["rename", "A.spindle", "axis", "--apply", "--take", "m.py:10"]
    done = repository.codexmem(*words)
    assert done.returncode == 1 and "--take or --leave" in done.stderr and files_of(repository) == files, done.stderr
    done = repository.codexmem(*words, "--leave", "m.py:11")
    want = files["m.py"].replace("spindle", "axis", 1).replace("a.spindle", "a.axis")
    assert done.returncode == 0 and files_of(repository) == {"m.py": want}, (done.stdout, done.stderr)
    done = repository.codexmem("rename", "B.spindle", "shaft", "--apply", "--leave", "all")
    assert done.returncode == 0 and files_of(repository) == {"m.py": want.replace("spindle", "shaft")}, done.stderr


def check_kills(program, folder):
    """A kill while the files are replaced leaves no other file in the work tree, and all or nothing after the next run."""
    count = 120
    files = {"a.py": "def greet():\n    pass\n", **{f"m{i:03}.py": "from a import greet\n" for i in range(count)}}
    repository = make(program, folder, "kills", files)
    assert repository.codexmem("index").returncode == 0
    store = os.path.join(repository.root, ".codexmem")
    journal = os.path.join(store, "rewrite.journal")
    cut = 0
    for turn in range(16):
        running = subprocess.Popen([repository.program, "rename", "greet", "hello", "--apply"], cwd=repository.root,
                                   env=repository.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(journal) and running.poll() is None:
            pass
        time.sleep(0.003 * turn)
        running.kill()
        running.wait()
        left = files_of(repository)
        assert left.keys() == files.keys(), left.keys() - files.keys()
        cut += 0 < sum(text != files[path] for path, text in left.items()) < len(files)
        repository.codexmem("rename", "nosuch", "other", "--apply")
        assert files_of(repository) == files
        assert not [name for name in os.listdir(store) if name.startswith("rewrite-")]
    assert cut > 0


def check_saved_meanwhile(program, folder):
    """What a person saves while the files are replaced is kept, and the others are put back."""
    count = 300
    files = {"a.py": "def greet():\n    pass\n", **{f"m{i:03}.py": "from a import greet\n" for i in range(count)}}
    repository = make(program, folder, "saved", files)
    assert repository.codexmem("index").returncode == 0
    journal = os.path.join(repository.root, ".codexmem", "rewrite.journal")
    last, mine = f"m{count - 1:03}.py", "from a import greet  # mine\n"
    running = subprocess.Popen([repository.program, "rename", "greet", "hello", "--apply"], cwd=repository.root,
                               env=repository.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not os.path.exists(journal) and running.poll() is None:
        pass
    with open(os.path.join(repository.root, last), "w") as file:
        file.write(mine)
    out, err = running.communicate(timeout=120)
    assert running.returncode != 0 and last in err, (out[-500:], err)
    assert files_of(repository) == {**files, last: mine}, {p: t for p, t in files_of(repository).items() if t != files.get(p)}
    assert not os.path.exists(journal)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    for check in (check_applied, check_refused, check_bytes, check_verify, check_recovery, check_taken, check_kills, check_saved_meanwhile):
        with tempfile.TemporaryDirectory() as folder:
            check(program, folder)
        print(f"ok {check.__name__}")


if __name__ == "__main__":
    sys.exit(main())
