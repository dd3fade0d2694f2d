#!/usr/bin/env python3
"""codexmem check, on small changes of small repositories.

  tests/git/check_test.py --program build/dev/bin/codexmem [NAME...]
"""

import json
import shutil
import tempfile

from case_runner import run_cases
from git_repository import Repository

# name: (files before, changes, findings, unchecked uses). None: the file is deleted.
CASES = {
    "removed function, imported elsewhere": (
        {"src/util.ts": "export function keep() {}\nexport function gone() {}\n",
         "src/app.ts": "import { keep, gone } from './util';\nkeep();\ngone();\n"},
        {"src/util.ts": "export function keep() {}\n"},
        {"src/app.ts:1 name gone"}),
    "renamed function, one caller forgotten": (
        {"pkg/__init__.py": "", "pkg/util.py": "def load(path):\n    return path\n",
         "pkg/a.py": "from .util import load\n\nprint(load('x'))\n",
         "pkg/b.py": "from pkg import util\n\nutil.load('x')\n"},
        {"pkg/util.py": "def read(path):\n    return path\n",
         "pkg/a.py": "from .util import read\n\nprint(read('x'))\n"},
        {"pkg/b.py:3 use load"}),
    "Python: a required parameter was added": (
        {"a.py": "def load(path):\n    return path\n\n\ndef wrapped(f): return f\n",
         "b.py": "from a import load\n\nload('x')\nload('x', 1)\nload(path='x')\nload(*[1])\nload(path='x', mode=2)\nprint(load)\n"},
        {"a.py": "def load(path, mode):\n    return path\n\n\ndef wrapped(f): return f\n"},
        {"b.py:3 call load", "b.py:5 call load"}),
    "Python: a keyword got another name, an optional parameter came": (
        {"a.py": "def load(path, mode=1):\n    return path\n\n\ndef save(path): pass\n",
         "b.py": "from a import load, save\n\nload('x', mode=2)\nload('x')\nsave('x')\n"},
        {"a.py": "def load(path, how=1):\n    return path\n\n\ndef save(path, how=None, *more): pass\n"},
        {"b.py:3 call load"}),
    "Python: a decorator may take other arguments": (
        {"a.py": "from x import command\n\n\n@command\ndef load(path):\n    return path\n", "b.py": "from a import load\n\nload('x')\n"},
        {"a.py": "from x import command\n\n\n@command\ndef load(path, mode):\n    return path\n"}, set()),
    "Python: methods, of an object, of the class, of a class method, of a static one": (
        {"a.py": "from x import deco\n\n\nclass A:\n    def m(self, a, b=1): pass\n\n    @classmethod\n    def c(cls, a, b=1): pass\n\n"
                 "    @staticmethod\n    def s(a, b=1): pass\n\n    @deco\n    def d(self, a, b=1): pass\n",
         "b.py": "from a import A\n\nA().m(1, 2)\nA.m(A(), 1, 2)\nA.m(A(), 1)\nA.c(1, 2)\nA.c(1)\nA.s(1, 2)\nA.s(1)\nA().d(1, 2)\n"},
        {"a.py": "from x import deco\n\n\nclass A:\n    def m(self, a): pass\n\n    @classmethod\n    def c(cls, a): pass\n\n"
                 "    @staticmethod\n    def s(a): pass\n\n    @deco\n    def d(self, a): pass\n"},
        {"b.py:3 call m", "b.py:4 call m", "b.py:6 call c", "b.py:8 call s"}),
    "TypeScript: calls of changed functions and methods": (
        {"a.ts": "export function f(a: number) { return a }\nexport class A { m(a: string) {} }\nexport function g(a: number, b: number) {}\n",
         "b.ts": "import { f, A, g } from './a'\nf(1)\nnew A().m('x')\nf(...[1])\ng(1, 2)\n", "c.js": "import { f } from './a'\nf(1)\n"},
        {"a.ts": "export function f(a: number, b: number) { return a }\nexport class A { m(a: string, b?: string) {} }\nexport function g(a: number) {}\n"},
        {"b.ts:2 call f", "b.ts:5 call g"}),
    "Go: a parameter was added, results of a call given on": (
        {"go.mod": "module x\n\ngo 1.20\n", "a.go": "package x\n\nfunc f(a, b int) {}\nfunc two() (int, int) { return 1, 2 }\n",
         "b.go": "package x\n\nfunc g() {\n\tf(1, 2)\n\tf(two())\n}\n"},
        {"a.go": "package x\n\nfunc f(a, b int, c ...string) {}\nfunc two(n int) (int, int) { return 1, 2 }\n"},
        {"b.go:5 call two"}),
    "Java: a parameter was added, an overload takes the rest": (
        {"A.java": "class A { void f(int a) {} void g(int a) {} void h() { f(1); g(1); } }\n"},
        {"A.java": "class A { void f(int a, int b) {} void g(int a, int b) {} void g(int a) {}\n void h() { f(1); g(1); } }\n"},
        {"A.java:2 call f"}),
    "C and C++: a parameter was added in the header and the file": (
        {"a.h": "int f(int a);\nint g(int a, ...);\nstruct A { int m(int a, int b = 1) const; };\n",
         "a.cpp": "#include \"a.h\"\nint f(int a) { return a; }\nint A::m(int a, int b) const { return b; }\n",
         "b.cpp": "#include \"a.h\"\nint h(A x) { return f(1) + g(1, 2) + x.m(1, 2); }\n",
         "c.h": "int c(void);\n", "c.c": "#include \"c.h\"\nint c(void) { return 1; }\n", "d.c": "#include \"c.h\"\nint d(void) { return c(); }\n"},
        {"a.h": "int f(int a, int b);\nint g(int a, int b, ...);\nstruct A { int m(int a, int b, int c = 1) const; };\n",
         "a.cpp": "#include \"a.h\"\nint f(int a, int b) { return a; }\nint A::m(int a, int b, int c) const { return b; }\n",
         "c.h": "int c(int a);\n", "c.c": "#include \"c.h\"\nint c(int a) { return 1; }\n"},
        {"b.cpp:2 call f", "d.c:2 call c"}),
    "Rust: methods, paths, attributes that may change a function": (
        {"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
         "src/lib.rs": "pub struct A;\nimpl A {\n    pub fn m(&self, a: u8) -> u8 { a }\n    #[inline]\n    pub fn n(a: u8) -> u8 { a }\n}\n#[wrapped]\npub fn w(a: u8) {}\n"
                       "pub fn g(x: &A) -> u8 {\n    w(1);\n    x.m(1) +\n    A::m(x, 1) +\n    A::n(1)\n}\n"},
        {"src/lib.rs": "pub struct A;\nimpl A {\n    pub fn m(&self, a: u8, b: u8) -> u8 { a }\n    #[inline]\n    pub fn n() -> u8 { 1 }\n}\n#[wrapped]\npub fn w(a: u8, b: u8) {}\n"
                       "pub fn g(x: &A) -> u8 {\n    w(1);\n    x.m(1) +\n    A::m(x, 1) +\n    A::n(1)\n}\n"},
        {"src/lib.rs:11 call m", "src/lib.rs:12 call m", "src/lib.rs:13 call n"}),
    "C#: named, optional and params arguments, a method that extends a type": (
        {"A.cs": "class A {\n    public int F(int a, int b = 1) { return a; }\n    public int G(int a, params int[] b) { return a; }\n}\nstatic class E { public static void X(this A a, int b = 1) {} }\n",
         "B.cs": "class B {\n    void Run(A x) {\n        x.F(1);\n        x.F(a: 1, b: 2);\n        x.G(1);\n        E.X(x);\n    }\n}\n"},
        {"A.cs": "class A {\n    public int F(int a, int c = 1) { return a; }\n    public int G(int a, int c, params int[] b) { return a; }\n}\nstatic class E { public static void X(this A a) {} }\n"},
        {"B.cs:4 call F", "B.cs:5 call G"}),
    "Kotlin: blocks behind a call, defaults of an overridden function": (
        {"A.kt": "interface I { fun o(a: Int, b: Int = 1): Int }\nclass A : I {\n    override fun o(a: Int, b: Int) = a\n    fun f(a: Int, block: () -> Unit) {}\n    fun g(block: () -> Unit) {}\n}\n",
         "B.kt": "fun run(x: A) {\n    x.o(1)\n    x.f(1) { }\n    x.g() { }\n}\n"},
        {"A.kt": "interface I { fun o(a: Int, b: Int = 1, c: Int = 2): Int }\nclass A : I {\n    override fun o(a: Int, b: Int, c: Int) = a\n    fun f(a: Int, b: Int, block: () -> Unit) {}\n    fun g(a: Int = 1, block: () -> Unit) {}\n}\n"},
        {"B.kt:3 call f"}),
    "PHP: further arguments are allowed, missing ones are not": (
        {"a.php": "<?php\nfunction f($a) {}\nfunction g($a, $b) {}\nclass A { public function m(int $a, ?A $b = null) {} }\n",
         "b.php": "<?php\nf(1);\ng(1, 2);\n$x = new A();\n$x->m(1);\n$x->m(1, b: null);\n$x->m(...[1]);\n"},
        {"a.php": "<?php\nfunction f($a, $b) {}\nfunction g($a) {}\nclass A { public function m(int $a, ?A $c = null) {} }\n"},
        {"b.php:2 call f", "b.php:6 call m"}),
    "what can no longer be read": (
        {"a.py": "def f():\n    return 1\n\n\nf()\n", "b.ts": "export function f() {\n  return 1\n}\n", "c.go": "package c\n\nfunc f() {\n}\n",
         "d.py": "x = (\n", "e.c": "int f(void) {\n  return 1;\n}\n"},
        {"a.py": "def f():\n    return 1\n\n\nf(\n", "b.ts": "export function f() {\n  return 1\n", "c.go": "package c\n\nfunc f( {\n}\n",
         "d.py": "x = ((\n", "e.c": "int f(void {\n  return 1;\n}\n", "f.py": "def f(\n"},
        {"a.py:5 syntax a.py", "b.ts:2 syntax b.ts", "c.go:3 syntax c.go"}),
    "Python: a module that is imported from its package": (
        {"pkg/__init__.py": "", "pkg/sub.py": "def f(): pass\n", "pkg/more.py": "from . import sub\n",
         "a.py": "from pkg import sub, more\n\nsub.f()\n"},
        {"pkg/sub.py": None, "pkg/other.py": "def f(): pass\n"},
        {"pkg/more.py:1 name sub", "a.py:1 name sub"}),
    "renamed with its callers": (
        {"a.py": "def load():\n    pass\n", "b.py": "from a import load\n\nload()\n"},
        {"a.py": "def read():\n    pass\n", "b.py": "from a import read\n\nread()\n"}, set()),
    "moved file, imports follow": (
        {"src/old.ts": "export const a = 1;\n", "src/app.ts": "import { a } from './old';\n"},
        {"src/old.ts": None, "src/new.ts": "export const a = 1;\n",
         "src/app.ts": "import { a } from './new';\n"}, set()),
    "moved file, an import stays behind": (
        {"src/old.ts": "export const a = 1;\n", "src/app.ts": "import { a } from './old';\n",
         "src/other.ts": "export { a } from './old';\n"},
        {"src/old.ts": None, "src/new.ts": "export const a = 1;\n",
         "src/app.ts": "import { a } from './new';\n"}, {"src/other.ts:1 import ./old"}),
    "moved symbol that its old place hands on": (
        {"src/a.ts": "export function f() {}\n", "src/b.ts": "import { f } from './a';\nf();\n"},
        {"src/a.ts": "export { f } from './c';\n", "src/c.ts": "export function f() {}\n"}, set()),
    "new import of nothing": (
        {"a.ts": "export const a = 1;\n"},
        {"b.ts": "import { x } from './missing';\nimport { a } from './a';\n"},
        {"b.ts:1 import ./missing"}),
    "new import of a name that is not there": (
        {"a.ts": "export const a = 1;\n"}, {"b.ts": "import { b } from './a';\n"},
        {"b.ts:1 name b"}),
    "broken before is no news": (
        {"a.ts": "import { x } from './missing';\nimport { no } from './b';\n",
         "b.ts": "export const b = 1;\n"},
        {"a.ts": "import { x } from './missing';\nimport { no } from './b';\nexport const more = 1;\n"},
        set()),
    "a package from outside is not ours to find": (
        {"a.ts": "export const a = 1;\n"},
        {"a.ts": "import React from 'react';\nimport fs from 'node:fs';\nexport const a = 1;\n",
         "b.py": "import numpy\nfrom django.db import models\n"}, set()),
    "what a build makes and git ignores": (
        {".gitignore": "dist/\n*.gen.ts\n_version.py\n", "pkg/__init__.py": "", "a.ts": "\n"},
        {"a.ts": "import x from './dist/x';\nimport y from './b.gen';\n",
         "pkg/__init__.py": "from ._version import version\n"}, set()),
    "pictures and data are there": (
        {"logo.png": "\x00\x01", "a.ts": "export const a = 1;\n"},
        {"a.ts": "import logo from './logo.png';\nimport raw from './logo.png?raw';\n"}, set()),
    "an attempt may fail": (
        {"a.py": "x = 1\n"},
        {"a.py": "try:\n    from fast import speed\nexcept ImportError:\n    speed = None\n"}, set()),
    "removed method, called on its class": (
        {"a.py": "class Store:\n    def get(self):\n        return self.find()\n\n"
                 "    def find(self):\n        return 1\n",
         "b.py": "from a import Store\n\nStore().find()\n"},
        {"a.py": "class Store:\n    def get(self):\n        return self.find()\n"},
        {"a.py:3 use find", "b.py:3 use find"}),
    "removed override, the base has it": (
        {"a.py": "class A:\n    def f(self):\n        pass\n\n\nclass B(A):\n    def f(self):\n        pass\n",
         "b.py": "from a import B\n\nB().f()\n"},
        {"a.py": "class A:\n    def f(self):\n        pass\n\n\nclass B(A):\n    pass\n"}, set()),
    "a base from outside may have it": (
        {"a.py": "from django.views import View\n\n\nclass B(View):\n    def f(self):\n        pass\n",
         "b.py": "from a import B\n\nB().f()\n"},
        {"a.py": "from django.views import View\n\n\nclass B(View):\n    pass\n"}, set(), {"b.py:3 f"}),
    "removed and used in its own file": (
        {"a.ts": "function help() {}\nexport function f() { help(); }\n"},
        {"a.ts": "export function f() { help(); }\n"}, {"a.ts:1 use help"}),
    "the language has one of that name too": (
        {"a.ts": "function fetch() {}\nexport function f() { fetch(); }\n",
         "b.py": "def open():\n    pass\n\n\ndef f():\n    open()\n"},
        {"a.ts": "export function f() { fetch(); }\n", "b.py": "def f():\n    open()\n"}, set(),
        {"a.ts:1 fetch", "b.py:2 open"}),
    "the language's name, after another's is no longer imported": (
        {"compat.py": "str = bytes\n", "a.py": "from compat import str\n\nprint(str(1))\n"},
        {"compat.py": "x = 1\n", "a.py": "print(str(1))\n"}, set()),
    "a module that makes names as it is asked": (
        {"pkg/__init__.py": "from .a import f\n", "pkg/a.py": "def f():\n    pass\n",
         "b.py": "from pkg import f\nimport pkg\n\npkg.f()\n"},
        {"pkg/__init__.py": "def __getattr__(name):\n    return 1\n"}, set(),
        {"b.py:1 f", "b.py:4 f"}),
    "CommonJS": (
        {"a.js": "exports.f = function () {};\nexports.g = function () {};\n",
         "b.js": "const { f, g } = require('./a');\nconst a = require('./a');\na.f();\n"},
        {"a.js": "exports.g = function () {};\n"}, {"b.js:1 name f", "b.js:3 use f"}),
    "interface property": (
        {"a.ts": "export interface Options { size: number; name: string }\n",
         "b.ts": "import type { Options } from './a';\n"
                 "export function f(o: Options) { return o.size; }\n"},
        {"a.ts": "export interface Options { name: string }\n"}, {"b.ts:2 use size"}),
    "removed configuration path": (
        {"tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"~lib/*": ["lib/*"]}}}',
         "lib/x.ts": "export const x = 1;\n", "a.ts": "import { x } from '~lib/x';\nx;\n"},
        {"lib/x.ts": None}, {"a.ts:1 import ~lib/x"}),
    "documentation uses nothing": (
        {"a.ts": "export function f() {}\n/** Like {@link f}. */\nexport function g() {}\n"},
        {"a.ts": "/** Like {@link f}. */\nexport function g() {}\n"}, set()),
    "the name of a package may be one from outside": (
        {"packages/semver/package.json": '{"name": "semver"}',
         "package.json": '{"devDependencies": {"semver": "^7.0.0"}}', "a.ts": "\n"},
        {"a.ts": "import semver from 'semver';\n"}, set()),
    "what was not understood may have the name": (
        {"a.ts": "export interface A { size: number }\nexport class Keep {}\n",
         "b.ts": "import type { A } from './a';\nexport const f = (a: A) => a.size;\n"},
        {"a.ts": "export interface A extends )( Base {\nexport interface Base { size: number }\n"},
        {"a.ts:1 syntax a.ts"}),
    "new imports from outside, named like a part of a path that is gone": (
        {"pkg/__init__.py": "", "pkg/core.py": "def f():\n    pass\n", "tests/test_types.py": "\n"},
        {"pkg/core.py": None, "tests/test_types.py": None,
         "b.py": "import re\nfrom types import EllipsisType\nimport core\n"}, set()),
    "a function binds the module's name": (
        {"x.py": "def f():\n    pass\n", "u.py": "import x\nfrom x import f\n\nx.f()\n"},
        {"x.py": "def init():\n    global f\n    f = 1\n"}, set(), {"u.py:2 f", "u.py:4 f"}),
    "a decorator may give a class members": (
        {"a.py": "def deco(c):\n    c.f = print\n    return c\n\n\nclass A:\n    def f(self):\n"
                 "        pass\n",
         "b.py": "from a import A\n\nA().f()\n"},
        {"a.py": "def deco(c):\n    c.f = print\n    return c\n\n\n@deco\nclass A:\n    pass\n"},
        set(), {"b.py:3 f"}),
    "a decorator that gives none": (
        {"a.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    x: int\n\n"
                 "    def f(self):\n        pass\n",
         "b.py": "from a import A\n\nA(1).f()\n"},
        {"a.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    x: int\n"},
        {"b.py:3 use f"}),
    "an index signature has any member": (
        {"a.ts": "export class A { m() {} }\n", "b.ts": "import { A } from './a';\nnew A().m();\n"},
        {"a.ts": "export class A { [k: string]: any }\n"}, set(), {"b.ts:2 m"}),
    "members that are copied to a prototype": (
        {"a.js": "export class A { m() {} }\n", "b.js": "import { A } from './a';\nnew A().m();\n"},
        {"a.js": "export class A {}\nObject.assign(A.prototype, { m() {} });\n"}, set(),
        {"b.js:2 m"}),
    "members with computed names": (
        {"a.js": "module.exports = A;\nfunction A() {}\nA.prototype.get = function () {};\n",
         "b.js": "const A = require('./a');\nnew A().get();\n"},
        {"a.js": "module.exports = A;\nfunction A() {}\n['get'].forEach(function (name) {\n"
                 "  A.prototype[name] = function () {};\n});\n"}, set(), {"b.js:2 get"}),
    "stars that lead outside, asked twice": (
        {"a.py": "from b import *\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n",
         "b.py": "from numpy import *\n", "u1.py": "from a import f, g\n",
         "u2.py": "from a import g\n"},
        {"a.py": "from b import *\n"}, set(), {"u1.py:1 f", "u1.py:1 g", "u2.py:1 g"}),
    "sys.modules and the like that say nothing of the module's names": (
        {"a.py": "import sys\n\n\ndef gone():\n    pass\n\n\nclass Net:\n    def __getattr__(self, name):\n"
                 "        return self.modules[name]\n\n\nprint('x' in sys.modules, sys.modules.get('y'),\n"
                 "      globals()['gone'], getattr(sys.modules[__name__], 'z', None))\n",
         "pkg/__init__.py": "import pkgutil\n\n\ndef lost():\n    pass\n\n\n"
                            "print(list(pkgutil.iter_modules(__path__)))\n",
         "b.py": "import a\nfrom a import gone\nfrom pkg import lost\n\na.gone()\n"},
        {"a.py": "import sys\n\n\nclass Net:\n    def __getattr__(self, name):\n"
                 "        return self.modules[name]\n\n\nprint('x' in sys.modules, sys.modules.get('y'),\n"
                 "      globals()['gone'], getattr(sys.modules[__name__], 'z', None))\n",
         "pkg/__init__.py": "import pkgutil\n\nprint(list(pkgutil.iter_modules(__path__)))\n"},
        {"b.py:2 name gone", "b.py:3 name lost", "b.py:5 use gone"}),
    "a module that takes another's place": (
        {"a.py": "import sys\n\n\ndef f():\n    pass\n", "b.py": "from a import f\nimport a\n\na.f()\n"},
        {"a.py": "import sys\n\n\nclass Lazy:\n    pass\n\n\nsys.modules[__name__] = Lazy()\n"},
        set(), {"b.py:1 f", "b.py:4 f"}),
    "a module that takes another's place by its name": (
        {"pkg/__init__.py": "import sys\nfrom types import ModuleType\n\nfrom .a import f\n", "pkg/a.py": "def f():\n    pass\n",
         "b.py": "from pkg import f\n"},
        {"pkg/__init__.py": "import sys\nfrom types import ModuleType\n\n\nclass Lazy(ModuleType):\n    pass\n\n\n"
                            "new = sys.modules['pkg'] = Lazy('pkg')\n"}, set(), {"b.py:1 f"}),
    "a name that is set through globals, and one that is not": (
        {"a.py": "def f():\n    pass\n\n\ndef g():\n    pass\n", "b.py": "from a import f, g\n"},
        {"a.py": "globals()['f'] = 1\n"}, {"b.py:1 name g"}, {"b.py:1 f"}),
    "any name that is set through globals": (
        {"a.py": "def f():\n    pass\n", "b.py": "from a import f\n"},
        {"a.py": "for name in 'fgh':\n    globals()[name] = 1\n"}, set(), {"b.py:1 f"}),
    "a name elsewhere in a file that was only partly understood": (
        {"a.ts": "export function gone() {}\nexport class Keep {}\n",
         "b.ts": "import { gone } from './a';\ngone();\n"},
        {"a.ts": "export class Keep {}\nexport interface A extends )( Base {\n"}, {"a.ts:2 syntax a.ts", "b.ts:1 name gone"}),
    "a method that is called otherwise now, the base is from outside": (
        {"a.py": "from django.views import View\n\n\nclass B(View):\n    def load(self):\n        pass\n",
         "b.py": "from a import B\n\nB().load()\n"},
        {"a.py": "from django.views import View\n\n\nclass B(View):\n    def fetch(self):\n        pass\n"},
        set(), {"b.py:3 load"}),
    "bases of the language's own are known": (
        {"a.py": "import abc\n\n\nclass E(ValueError):\n    def load(self):\n        pass\n\n    def add_note(self):\n"
                 "        pass\n\n\nclass A(abc.ABC):\n    def load(self):\n        pass\n",
         "b.py": "from a import A, E\n\nE().load()\nE().add_note()\nA().load()\n",
         "e.ts": "export class E extends Error { code() {} }\n",
         "f.ts": "import { E } from './e';\nnew E().code();\n"},
        {"a.py": "import abc\n\n\nclass E(ValueError):\n    pass\n\n\nclass A(abc.ABC):\n    pass\n",
         "e.ts": "export class E extends Error {}\n"},
        {"b.py:3 use load", "b.py:5 use load", "f.ts:2 use code"}, {"b.py:4 add_note"}),
    "a class with a __getattr__": (
        {"a.py": "class A:\n    def f(self):\n        pass\n", "b.py": "from a import A\n\nA().f()\n"},
        {"a.py": "class A:\n    def __getattr__(self, name):\n        return 1\n"}, set(), {"b.py:3 f"}),
    "a subclass that has it": (
        {"a.py": "class A:\n    def run(self):\n        return self.step()\n\n    def step(self):\n        pass\n",
         "b.py": "from a import A\n\n\nclass B(A):\n    def step(self):\n        pass\n"},
        {"a.py": "class A:\n    def run(self):\n        return self.step()\n"}, set(), {"a.py:3 step"}),
    "a receiver of unknown type, and nobody else has such a member": (
        {"a.py": "class A:\n    def locate(self):\n        pass\n\n    def append(self):\n        pass\n",
         "b.py": "def f(anything):\n    anything.locate()\n    anything.append(1)\n"},
        {"a.py": "class A:\n    pass\n"}, set(), {"b.py:2 locate"}),
    "a receiver of unknown type, and others have one": (
        {"a.py": "class A:\n    def locate(self):\n        pass\n\n\nclass B:\n    def locate(self):\n        pass\n",
         "b.py": "def f(anything):\n    anything.locate()\n"},
        {"a.py": "class B:\n    def locate(self):\n        pass\n"}, set()),
    "what a package no longer hands on": (
        {"pkg/__init__.py": "from .util import f, g\n", "pkg/util.py": "def f():\n    pass\n\n\ndef g():\n    pass\n",
         "b.py": "import pkg\nfrom pkg import f\n\npkg.f()\npkg.g()\n",
         "src/index.ts": "export { a, b } from './util';\n",
         "src/util.ts": "export const a = 1;\nexport const b = 1;\n",
         "app.ts": "import { a, b } from './src';\na;\nb;\n"},
        {"pkg/__init__.py": "from .util import g\n", "src/index.ts": "export { b } from './util';\n"},
        {"b.py:2 name f", "b.py:4 use f", "app.ts:1 name a"}),
    "a default export that is gone": (
        {"a.ts": "export default function f() {}\nexport const b = 1;\n", "b.ts": "import f from './a';\nf();\n"},
        {"a.ts": "export const b = 1;\n"}, {"b.ts:1 name default"}),
    "modules that are made when it runs": (
        {"pkg/__init__.py": "", "pkg/moves.py": "import sys\n\nfor name in 'ab':\n"
                                               "    sys.modules['pkg.moves.' + name] = sys\n", "b.py": "x = 1\n"},
        {"b.py": "from pkg.moves.a import x\n"}, set(), {"b.py:1 pkg.moves.a"}),
    "a new import of a member made on request": (
        {"pkg/__init__.py": "def __getattr__(name):\n    return 1\n", "b.py": "from pkg import old\n"},
        {"b.py": "from pkg import old, new\n"}, set(), {"b.py:1 new"}),
    "deleted package": (
        {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/m.py": "def f():\n    pass\n",
         "main.py": "from pkg.sub.m import f\nimport pkg.sub.m\n"},
        {"pkg/sub/__init__.py": None, "pkg/sub/m.py": None},
        {"main.py:1 import pkg.sub.m", "main.py:2 import pkg.sub.m"}),
}


# Cases in which a place may use a removed definition.
POSSIBLE = {"a receiver of unknown type, and others have one",
            "a receiver of unknown type, and nobody else has such a member"}


def check_case(program, name):
    before, change, wanted, *unchecked = CASES[name]
    unchecked = unchecked[0] if unchecked else set()
    with tempfile.TemporaryDirectory(prefix="codexmem-check-test-") as folder:
        repository = Repository(program, folder)
        repository.commit(before)
        repository.index()
        repository.write(change)
        found, code = repository.findings()
        assert found == wanted, f"work tree: {found}, wanted {wanted}"
        assert code == (1 if wanted else 0), code
        assert repository.unchecked() == unchecked, f"{repository.unchecked()}, wanted {unchecked}"
        done = repository.codexmem("check")
        is_open = name in POSSIBLE
        assert ("may use what is gone" in done.stderr) == is_open, done.stderr
        assert ("nothing is broken" in done.stderr) == (not wanted and not unchecked and not is_open), done.stderr
        is_partial = any(path.endswith(".rs") for path in change)  # only calls and the syntax
        assert ("not checked: " in done.stderr) == bool(unchecked or is_partial), done.stderr
        done = repository.codexmem("check", "--hook", "--strict")
        assert done.returncode == (1 if wanted else 2 if unchecked or is_partial else 0), done.returncode
        # The staged content counts, not the work tree's current content.
        repository.git("add", "-A")
        repository.git("stash", "-q")
        repository.git("checkout", "stash@{0}", "--", ".")
        for path, text in change.items():
            if text is None:
                repository.git("rm", "-q", "--cached", "--ignore-unmatch", path)
        repository.write({path: text for path, text in before.items()})
        for path in change:
            if path not in before:
                (repository.root / path).unlink()
        found, code = repository.findings("--staged")
        assert found == wanted, f"staged: {found}, wanted {wanted}"
        # Nothing of it is in the store.
        assert repository.findings()[0] == set(), "work tree"
        repository.git("commit", "-qm", "change")
        repository.git("checkout", "-q", "-f", "HEAD")
        repository.git("clean", "-fdq")
        found, code = repository.findings("--since", "HEAD~1")
        assert found == wanted, f"since: {found}, wanted {wanted}"
        assert repository.findings("--staged")[1] == 0
        left = [path for path in (repository.base).glob("codexmem-check-*")]
        assert not left, left


def check_possible(program):
    """Places of which nothing says what they belong to are counted where a member of their name is gone."""
    with tempfile.TemporaryDirectory(prefix="codexmem-check-test-") as folder:
        repository = Repository(program, folder)
        repository.commit({"a.py": "class A:\n    def run(self):\n        pass\n\n\nclass B:\n    def run(self):\n        pass\n",
                           "b.py": "def go(thing, run):\n    thing.run()\n    thing.part.run()\n    run()\n"})
        repository.index()
        repository.write({"a.py": "class A:\n    pass\n\n\nclass B:\n    def run(self):\n        pass\n"})
        done = repository.codexmem("check")
        message = "2 places with the name run may use what is gone: what they belong to is unknown"
        assert done.returncode == 0 and message in done.stderr, done.stderr
        assert "nothing is broken" not in done.stderr, done.stderr
        assert json.loads(repository.codexmem("check", "--json").stdout)["possibleUses"] == {"run": 2}
        assert message in repository.codexmem("check", "--format", "sarif").stdout


def check_edges(program):
    with tempfile.TemporaryDirectory(prefix="codexmem-check-test-") as folder:
        repository = Repository(program, folder)
        # Before the first commit everything is new.
        repository.write({"a.ts": "import { x } from './no';\n"})
        repository.git("add", "-A")
        assert repository.findings("--staged") == ({"a.ts:1 import ./no"}, 1)
        repository.write({"src/b.ts": "\n"})
        assert repository.findings("--staged", "src") == (set(), 0)
        assert repository.findings("--staged", ".", cwd=repository.root / "src") == (set(), 0)
        assert repository.findings("--staged", ".")[1] == 1
        done = repository.codexmem("check", "--staged", "no/such")
        assert done.returncode == 2 and "there is no no/such" in done.stderr, done.stderr
        done = repository.codexmem("check", "--staged")
        assert done.stdout.startswith('a.ts:1:1: import of "./no"'), done.stdout
        assert repository.codexmem("check", "--since", "nothing").returncode == 2
        done = repository.codexmem("check", "--since", "nothing", "--hook")
        assert done.returncode == 0 and "NOTHING WAS CHECKED" in done.stderr, done.stderr
        (repository.base / "plain").mkdir()
        done = repository.codexmem("check", cwd=repository.base / "plain")
        assert done.returncode == 2 and done.stderr.count("repository") == 1, done.stderr
        assert not (repository.base / "plain/.codexmem").exists(), "there is nothing to index for"
        # A deletion is never reported as a misspelling.
        repository.git("commit", "-qm", "first")
        (repository.root / "a.ts").unlink()
        assert repository.findings("a.ts") == (set(), 0)
    with tempfile.TemporaryDirectory(prefix="codexmem-check-test-") as folder:
        repository = Repository(program, folder)
        repository.commit({"src/url.ts": "export function getPath() {}\nexport const a = 1;\n",
                           "app.ts": "import { getPath, a } from './src/url';\ngetPath(a);\n",
                           "url.test.ts": "const none = { getPath() {} };\nnone;\n"})
        # A partial clone may lack files that are not code.
        repository.commit({"logo.sketch": "one\n"})
        blob = repository.git("rev-parse", "HEAD:logo.sketch").strip()
        repository.commit({"logo.sketch": "two\n", "src/url.ts": "export const a = 1;\n"})
        (repository.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
        assert repository.findings("--since", "HEAD~1") == ({"app.ts:1 name getPath"}, 1)
        repository.commit({"src/url.ts": "export function getPath() {}\nexport const a = 1;\n"})
        assert "nothing has changed" in repository.codexmem("check").stderr
        repository.write({"note.md": "# Note\n"})
        assert "nothing to check in 1 changed file" in repository.codexmem("check").stderr
        repository.write({"src/url.ts": "export function getPathOf() {}\nexport const a = 1;\n"})
        done = repository.codexmem("check")
        assert "has no such name; it may be getPathOf now" in done.stdout, done.stdout
        assert "1 broken use, by changes of 2 files" in done.stderr, done.stderr
        done = repository.codexmem("check", "--format", "github")
        assert done.returncode == 1, done
        assert done.stdout.startswith("::error file=app.ts,line=1,col="), done.stdout
        done = repository.codexmem("check", "--format", "sarif")
        results = json.loads(done.stdout)["runs"][0]["results"]
        assert done.returncode == 1 and results[0]["ruleId"] == "name", done.stdout
        assert repository.codexmem("check", "--format", "xml").returncode == 2
        # Notes that lie about are no reason to copy the store, for which there is no room here.
        repository.git("add", "src")
        nowhere = {"TMPDIR": str(repository.base / "nowhere")}
        repository.write({"src/url.ts": "export function getPath() {}\nexport const a = 2;\n"})
        repository.git("add", "src")
        done = repository.codexmem("check", "--staged", env=nowhere)
        assert done.returncode == 0 and "nothing is broken" in done.stderr, done.stderr
        # A check makes no vectors, the next run does.
        repository.codexmem("index", "-q")
        repository.write({"src/more.ts": "export function more() { return 1; }\n"})
        repository.findings()
        done = repository.codexmem("index", "--json")
        assert json.loads(done.stdout)["stats"]["embeddingsGenerated"] > 0, done.stdout
    with tempfile.TemporaryDirectory(prefix="codexmem-check-test-") as folder:
        repository = Repository(program, folder)
        repository.commit({"a.ts": "export const a = 1;\n"})
        repository.write({"b.ts": "import { no } from './a';\n"})
        repository.git("add", "-A")
        # Without an index a hook makes one; one that has no time for it says so.
        def late(**settings):
            return repository.codexmem("check", "--staged", "--hook", env={"CODEXMEM_CHECK_SECONDS": "0", **settings})
        for _ in range(2):
            done = late()
            assert done.returncode == 0 and "NOTHING WAS CHECKED: indexing takes longer" in done.stderr, done
        assert late(CODEXMEM_UNCHECKED="fail").returncode == 2
        assert late(CODEXMEM_UNCHECKED="strict").returncode == 2
        done = repository.codexmem("check", "--staged", "--hook")
        assert done.returncode == 1 and "b.ts:1:10: import of no" in done.stdout, done


def check_clones(program):
    """A sparse checkout, partial clones and a submodule."""
    with tempfile.TemporaryDirectory(prefix="codexmem-check-test-") as folder:
        origin = Repository(program, folder, "origin")
        origin.git("config", "uploadpack.allowFilter", "true")
        origin.commit({"a/f.ts": "export function f() {}\n", "b/u.ts": "import { f } from '../a/f';\nf();\n",
                       "m.ts": "import './b/u';\nimport { f } from './a/f';\nf();\n", "old.ts": "export const a = 1;\n"})
        origin.commit({"a/f.ts": "export function f() { return 1 }\n", "old.ts": "export const a = 2;\n"})
        gone = {"a/f.ts": "export function g() {}\n"}

        def clone(name, *words):
            made = Repository(program, folder, name)
            (made.root / ".git").rename(made.base / (name + ".git"))
            made.git("clone", "-q", *words, f"file://{origin.root}", ".")
            return made
        sparse = clone("sparse", "--no-checkout")
        sparse.git("sparse-checkout", "set", "--cone", "a")
        sparse.git("checkout", "-q")
        assert "nothing has changed" in sparse.codexmem("check").stderr
        sparse.write({"n.ts": "import './b/u';\n", **gone})
        for words in [], ["--staged"]:
            done = sparse.codexmem("check", *words)
            assert done.returncode == 1 and done.stdout.startswith("m.ts:2:10: import of f"), done
            assert done.stdout.count("import") == 2, done.stdout
            assert "not checked: 1 file that the sparse checkout leaves out" in done.stderr, done.stderr
            sparse.git("add", "-A")
        for filters in "blob:none", "tree:0":
            partial = clone(filters[:4], "--filter=" + filters)
            assert partial.findings() == (set(), 0)
            done = partial.codexmem("check", "--since", "HEAD~1")
            assert done.returncode == 2 and "partial clone" in done.stderr, done.stderr
            partial.git("diff", "HEAD~1")
            assert partial.findings("--since", "HEAD~1") == (set(), 0)
            partial.write(gone)
            assert partial.findings() == ({"b/u.ts:1 name f", "m.ts:2 name f"}, 1)
        # A change in a submodule, with an index of its own or of the repository around it.
        outer = Repository(program, folder, "outer")
        outer.git("submodule", "add", "-q", f"file://{origin.root}", "lib")
        outer.commit({"m.ts": "import { f } from './lib/a/f';\nf();\n"})
        outer.write(gone, outer.root / "lib")
        own = ({"b/u.ts:1 name f", "m.ts:2 name f"}, 1)
        assert outer.findings(cwd=outer.root / "lib") == own
        shutil.rmtree(outer.root / "lib/.codexmem")
        outer.index()
        outer.git("add", "-A", cwd=outer.root / "lib")
        for words in [], ["--staged"]:
            assert outer.findings(*words, cwd=outer.root / "lib") == (
                {"lib/b/u.ts:1 name f", "lib/m.ts:2 name f", "m.ts:1 name f"}, 1)


run_cases(__doc__, CASES, check_case, {"edges": check_edges, "clones": check_clones, "possible uses": check_possible})
