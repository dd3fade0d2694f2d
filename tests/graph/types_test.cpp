// What receivers hold: references to a member are found through the types of values.
#include <gtest/gtest.h>

#include <string>

#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

class Types : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(Types, LeadToTheMember) { testing::expect_marked(GetParam()); }

// Another class with the same member, so that a guess by name would be wrong.
const std::string kOther =
    "class Other { run() {} }\nclass More { run() {} }\n"
    "class Most { run() {} }\n";
const std::string kOtherPython =
    "class Other:\n    def run(self): pass\nclass More:\n    def run(self): pass\n"
    "class Most:\n    def run(self): pass\n";

const MarkedCase kEcmaScript[] = {
    {"GenericMember",
     {{"a.ts",
       "class A { <!>run() {} }\nclass Box<T> { value!: T; get(): T { return this.value } }\n"
       "function f(b: Box<A>, o: Box<Other>) {\n  b.value.<>run();\n  b.get().<>run();\n"
       "  o.value.run();\n}\n" +
           kOther}}},
    {"InheritedTypeArguments",
     {{"a.ts",
       "class A { <!>run() {} }\nclass Base<T> { item!: T }\nclass Derived extends Base<A> {\n"
       "  go() { this.item.<>run() }\n}\nnew Derived().item.<>run();\n" +
           kOther}}},
    {"ArraysAndCallbacks",
     {{"a.ts",
       "class A { <!>run() {} }\nfunction f(list: A[], set: Set<A>, map: Map<string, A>) {\n"
       "  list.map(x => x.<>run());\n  list.filter(x => true).forEach(y => y.<>run());\n"
       "  for (const z of set) z.<>run();\n  map.get('a')?.<>run();\n"
       "  for (const [key, value] of map) value.<>run();\n  list[0].<>run();\n"
       "  const [first] = list;\n  first.<>run();\n"
       "  list.find(Boolean)!.<>run();\n}\n" +
           kOther}}},
    {"PromisesAndAwait",
     {{"a.ts",
       "class A { <!>run() {} }\nasync function make() { return new A() }\n"
       "async function f(p: Promise<A>) {\n  (await p).<>run();\n  (await make()).<>run();\n"
       "  make().then(x => x.<>run());\n  const a = await make();\n  a.<>run();\n}\n" +
           kOther}}},
    {"CallbackParametersFromTheCallee",
     {{"a.ts",
       "export interface Builder { <!>add(n: number): Builder }\n"
       "export function build(f: (b: Builder) => void) {}\n"},
      {"b.ts",
       "import { build } from './a';\nbuild(b => {\n  b.<>add(1).<>add(2);\n});\n"
       "interface X { add(): void }\ninterface Y { add(): void }\ninterface Z { add(): void }\n"}}},
    {"ObjectLiteralKeysFromTheCallee",
     {{"a.ts",
       "export interface Options { <!>name: string; init?: (o: Options) => void }\n"
       "export function make(options: Options) { return options.<>name }\n"},
      {"b.ts",
       "import { make, Options } from './a';\nconst name = 'n';\n"
       "make({ <>name: 'x', init: o => o.<>name });\nmake({ <>name });\n"
       "const given: Options = { <>name: 'y' };\n"
       "const { <>name: other } = given;\n"
       "const list: Options[] = [{ <>name: 'z' }];\n"
       "function f(): Options { return { <>name: 'q' } }\n"
       "const free = { name: 'no' };\n"}}},
    {"NestedPatterns",
     {{"a.ts",
       "class A { <!>run() {} }\ninterface In { deep: { a: A }; all: A[] }\n"
       "function f({ deep: { a }, all: [first] }: In) {\n  a.<>run();\n  first.<>run();\n}\n" +
           kOther}}},
    {"InferredTypeArguments",
     {{"a.ts",
       "class A { <!>run() {} }\nfunction same<T>(x: T): T { return x }\n"
       "function first<T>(list: T[]): T { return list[0] }\n"
       "function made<T>(make: () => T): T { return make() }\n"
       "class Ref<T> { constructor(public value: T) {} }\n"
       "function f(list: A[]) {\n  same(new A()).<>run();\n  first(list).<>run();\n"
       "  made(() => new A()).<>run();\n  new Ref(new A()).value.<>run();\n"
       "  same<A>(null as any).<>run();\n}\n" +
           kOther}}},
    {"UnionsAndNarrowing",
     {{"a.ts",
       "class A { <!>run() {} }\nclass B { stop() {} }\nfunction f(x: B | A, y: unknown) {\n"
       "  if (x instanceof A) x.<>run();\n  if (y instanceof A) {\n    y.<>run();\n  }\n"
       "  const z = x as B | A;\n  (z as A).<>run();\n}\n" +
           kOther}}},
    {"AliasesWithArguments",
     {{"a.ts",
       "class A { <!>run() {} }\ntype Maybe<T> = T | undefined;\ntype Has<T> = { it: T };\n"
       "function f(m: Maybe<A>, h: Has<A>, p: Partial<A>) {\n  m!.<>run();\n  h.it.<>run();\n"
       "  p.<>run?.();\n}\n" +
           kOther}}},
    {"ReturnedObjects",
     {{"a.ts",
       "class A { <!>run() {} }\nfunction use() {\n  const a = new A();\n  return { a, b: 1 };\n}\n"
       "const { a } = use();\na.<>run();\nuse().a.<>run();\n" +
           kOther}}},
    {"CallSignatures",
     {{"a.ts",
       "class A { <!>run() {} }\ninterface Make { (x: number): A }\n"
       "type Made = (x: number) => A;\nfunction f(make: Make, made: Made) {\n"
       "  make(1).<>run();\n  made(1).<>run();\n}\n" +
           kOther}}},
    {"ModuleAugmentation",
     {{"lib.ts",
       "export interface Context { base: number }\nexport function f(c: Context) { c.base }\n"},
      {"more.ts",
       "import type { Context } from './lib';\ndeclare module './lib' {\n"
       "  interface Context { <!>extra: string }\n}\n"
       "export function g(c: Context) { return c.<>extra }\n"}}},
    {"BasesOfModuleAugmentations",
     {{"lib.ts", "export interface Context { base: number }\n"},
      {"more.ts",
       "declare module './lib' {\n  interface Context extends More {}\n}\n"
       "export interface More { <!>extra: string }\n"},
      {"use.ts",
       "import type { Context } from './lib';\n"
       "export function g(c: Context) { return c.<>extra }\n"}}},
    {"BasesOfMergedInterfaces",
     {{"a.ts",
       "interface Mixin { <!>mixed(): void }\nclass A { own() { this.<>mixed() } }\n"
       "interface A extends Mixin {}\nnew A().<>mixed();\n"}}},
    {"GlobalDeclarations",
     {{"env.d.ts", "declare namespace Host {\n  function <!>start(): void;\n}\n"},
      {"a.ts", "import x from './b';\nHost.<>start();\n"},
      {"b.ts", "export default 1;\nconst Host = { start() {} };\nHost.start();\n"}}},
    {"ElementAttributesAndProps",
     {{"a.tsx",
       "interface Props { <!>label: string }\nfunction Tag({ <>label }: Props) { return label }\n"
       "export const x = <Tag <>label=\"a\" />;\nexport const y = <div label=\"b\" />;\n"}}},
    {"BuildersOfSubclasses",
     {{"a.ts",
       "class Base { with(): this { return this } }\nclass A extends Base { <!>run() {} }\n"
       "new A().with().<>run();\n" +
           kOther}}},
    {"DeclarationsOfOneFileMerge",
     {{"a.ts",
       "class A { <!>run() {} }\nclass Mix {}\ninterface Mix { extra: A }\n"
       "new Mix().extra.<>run();\nconst map = new Map<string, A>();\nmap.get('a')!.<>run();\n" +
           kOther}}},
    {"RequiredModulesHaveMembers",
     {{"lib.js", "class A { <!>run() {} }\nexports.make = function () { return new A() }\n"},
      {"b.js", "require('./lib').make().<>run();\n" + kOther}}},
    {"DynamicImports",
     {{"lib.ts", "export class A { <!>run() {} }\nexport const a = new A();\n"},
      {"b.ts",
       "const load = () => import('./lib');\nasync function f() {\n"
       "  const { a } = await load();\n  a.<>run();\n  (await import('./lib')).a.<>run();\n"
       "  import('./lib').then(m => m.a.<>run());\n}\n"
       "function g(x: import('./lib').A) { x.<>run() }\n" +
           kOther}}},
    {"AliasesOfNamespaceMembers",
     {{"lib.ts", "export namespace N { export class A { <!>run() {} } }\n"},
      {"b.ts",
       "import { N } from './lib';\nimport Short = N.A;\nnew Short().<>run();\n"
       "function f(a: Short) { a.<>run() }\n" +
           kOther}}},
    {"TypeArgumentsFromThePlaceOfTheCall",
     {{"a.ts",
       "class A { <!>run() {} }\ninterface Made<T> { of: T }\n"
       "declare function make<T>(f: (x: T) => void): Made<T>;\n"
       "export const made: Made<A> = make(x => { x.<>run() });\n" +
           kOther}}},
    {"InferredTypesHaveBounds",
     {{"a.ts",
       "class <!>A {}\ntype First<T> = T extends [infer H extends <>A, ...infer R] ? H : "
       "never;\n"}}},
    {"ClosingTags",
     {{"a.tsx",
       "export function <!>Tag() { return null }\n"
       "export const x = <<>Tag><div></div></<>Tag>;\n"}}},
    {"ComputedKeysAreNotAnyKey",
     {{"a.ts",
       "class A { <!>run() {} }\ndeclare const s: unique symbol;\ntype T = { [s]: A; other: "
       "Other };\n"
       "function f(t: T) {\n  t.other.run();\n  t.none.run();\n}\n" +
           kOther}}},
    {"DocumentedTypes",
     {{"a.js", "class A { <!>run() {} }\nmodule.exports = { A };\n" + kOther},
      {"shop.js",
       "class Shop { /** @returns {import('./a').A} */ first() {} }\n"
       "module.exports = Shop;\n"},
      {"b.js",
       "/** @typedef {import('./a').A} A */\n/** @typedef {import('./shop')} Shop */\n"
       "/**\n * @typedef {Object} Options\n * @property {A[]} all\n */\n"
       "/**\n * @param {Options} options\n * @param {?A} [one]\n * @param {Object} more\n"
       " * @param {A} more.of\n * @returns {Promise<A>}\n */\n"
       "async function f(options, one, more) {\n  options.all[0].<>run();\n  one.<>run();\n"
       "  more.of.<>run();\n  (await f()).<>run();\n}\n"
       "/** @type {Map<string, A>} */\nconst map = make();\nmap.get('a').<>run();\n"
       "/** @type {Object<string, A>} */\nvar record = {};\nrecord.any.<>run();\n"
       "/** @type {A} */ (make()).<>run();\nconst cast = /** @type {A} */ (make());\n"
       "cast.<>run();\nclass Holder {\n  constructor() {\n    /** @type {A} */\n"
       "    this.a = null;\n  }\n  go() { this.a.<>run(); }\n}\n"
       "function g(/** @type {A} */ a, /** @type {Shop} */ shop) {\n  a.<>run();\n"
       "  shop.first().<>run();\n}\n"}}},
    {"DocumentedTypesAreNoValues",
     {{"a.js", "class A { <!>run() {} }\nmodule.exports = { A };\n" + kOther},
      {"b.js",
       "/** @typedef {import('./a').A} A */\n"
       "/** @typedef {typeof import('./a').A} Made */\nvar A = class { run() {} };\n"
       "new A().run();\n/** @type {Made} */\nlet Made;\nnew Made().<>run();\n"}}},
    {"AssignedLater",
     {{"a.js",
       "class A { <!>run() {} }\n" + kOther +
           "describe(() => {\n  let a;\n  beforeEach(() => { a = new A(); });\n"
           "  it(() => a.<>run());\n});\ndescribe(() => { let a; a = new Other(); a.run(); });\n"
           "function init() { hoisted = new A(); }\nvar hoisted = null;\nhoisted.<>run();\n"
           "let empty = undefined;\nempty = new A();\nempty.<>run();\n"
           "class Holder {\n  field;\n  constructor() { this.a = null; }\n"
           "  init() { this.a = new A(); this.field = new A(); }\n"
           "  go() { this.a.<>run(); this.field.<>run(); }\n}\n"
           "Holder.main = null;\nHolder.main = new A();\nHolder.main.<>run();\n"}}},
    {"SpreadsKeepTheirMembers",
     {{"a.ts",
       "class A { <!>run() {} }\nconst base = { a: new A() };\nconst all = { ...base, b: 1 };\n"
       "all.a.<>run();\n" +
           kOther}}},
    {"ThisOfAccessors",
     {{"a.ts",
       "class A {\n  <!>run() {}\n  get x() { const f = () => this.<>run(); return f() }\n"
       "  set x(v) { const f = () => { this.<>run() }; f() }\n}\n" +
           kOther}}},
    {"UsingDeclarations",
     {{"a.ts",
       "class A { <!>run() {} }\nfunction f() {\n  using a = new A();\n  a.<>run();\n"
       "  for (using b of [new A()]) b.<>run();\n}\nasync function g() {\n"
       "  await using a: A = new A();\n  a.<>run();\n}\n" +
           kOther},
      {"b.js", "import { A } from './a';\n"}}},
    {"AdditionsToAPackage",
     {{"a.ts",
       "class A { <!>run() {} }\ndeclare module 'lib' { interface Request { user: A } }\n"
       "export {};\n" +
           kOther},
      {"b.ts", "import { Request } from 'lib';\nfunction f(r: Request) { r.user.<>run() }\n"}}},
    {"MappedAsTheyAre",
     {{"a.ts",
       "class A { <!>run() {} }\ntype Loose<T> = { [K in keyof T]?: T[K] };\n"
       "interface Options { a: A; o: Other }\n"
       "function f(l: Loose<Options>) { l.a!.<>run(); l.o!.run() }\n" +
           kOther}}},
    {"InferredTypes",
     {{"a.ts",
       "class A { <!>run() {} }\nclass Box<T> { value!: T }\n"
       "type Element<T> = T extends (infer E)[] ? E : Other;\n"
       "type Held<T> = T extends Box<infer V> ? V : Other;\n"
       "function first<T>(of: T): Element<T> { return of as any }\n"
       "function f(a: Element<A[]>, b: Held<Box<A>>, c: Held<number>) {\n"
       "  a.<>run();\n  b.<>run();\n  c.run();\n  first([new A()]).<>run();\n"
       "  first(new Box<A>()).run();\n}\n" +
           kOther}}},
    {"ConditionalTypes",
     {{"a.ts",
       "class Base {}\nclass Derived extends Base {}\nclass A { <!>run() {} }\n"
       "type Of<T> = T extends Base ? A : Other;\ntype No<T> = T extends Base ? Other : A;\n"
       "function f(a: Of<Derived>, b: No<Derived>) { a.<>run(); b.run() }\n"
       "function g<T extends Base>(of: T): Of<T> { return null as any }\n"
       "g(new Derived()).<>run();\n" +
           kOther}}},
    {"LookedUpTypes",
     {{"a.ts",
       "class A { <!>run() {} }\ninterface Table { one: A; two: A }\ninterface More { one: Other "
       "}\n"
       "type Any<T> = T[keyof T];\nfunction f(a: Any<Table>, b: Any<More>) { a.<>run(); b.run() }\n"
       "function get<T, K extends keyof T>(of: T, key: K): T[K] { return of[key] }\n"
       "function g(t: Table, m: More) { get(t, 'one').<>run(); get(m, 'one').run() }\n" +
           kOther}}},
    {"DefaultsOfPatterns",
     {{"a.ts",
       "class A { <!>run() {} }\ninterface Options { a?: A; o?: Other }\n"
       "function f({ a = other(), o = new A() as any }: Options) { a.<>run(); o.run() }\n"
       "function g({ a = new A() }) { a.<>run() }\n" +
           kOther}}},
    {"AugmentationsOfPackagesThatAreNotImported",
     {{"package.json", R"({"private": true, "workspaces": ["packages/*"]})"},
      {"packages/core/package.json", R"({"name": "core", "version": "1.0.0", "main": "index.ts"})"},
      {"packages/core/index.ts",
       "export interface Shape { base: number }\nexport function f(s: <>Shape) {}\n"},
      {"packages/app/package.json", R"({"name": "app", "version": "1.0.0"})"},
      {"packages/app/a.ts",
       "export {};\ndeclare module 'core' {\n  interface <!>Shape { extra: string }\n}\n"}}},
    {"AssignedWhereATypeDeclaresIt",
     {{"a.ts",
       "interface Atom { <!>onMount?: () => void }\nfunction atom(): Atom { return {} }\n"
       "const a = atom();\na.<>onMount = () => {};\n"
       "function g(b: Atom, c: any) {\n  b.<>onMount = function () {};\n"
       "  c.onMount = () => {};\n}\n"}}},
    {"NamespacesBehindTypeParameters",
     {{"p.ts", "export type <!>narrow<T> = T;\n"},
      {"a.ts",
       "import * as P from './p';\n"
       "export function f<P>(p: P): P.<>narrow<P> { return p }\n"
       "export type T<P> = { [K in keyof P]: P.<>narrow<P[K]> };\n"}}},
    {"ParametersThatAreProperties",
     {{"a.ts",
       "class A {\n  constructor(readonly <!>size: number, depth: number) {\n"
       "    if (<>size > depth) throw <>size;\n  }\n"
       "  twice(size: number) { return this.<>size * size }\n}\n"}}},
    {"BigintIsAType",
     {{"a.ts",
       "export function <!>bigint(x: bigint): Array<bigint> { return [x] }\n"
       "export const one = <>bigint(1n);\n"}}},
    {"ATypeThatIsTheDefault",
     {{"a.ts",
       "type <!>RegistrationOptions = { scope: string };\nexport default <>RegistrationOptions;\n"},
      {"b.ts", "import <>Options from './a';\nexport function f(o: <>Options) {}\n"}}},
    {"StepsOfGenerators",
     {{"a.ts",
       "class A { <!>run() {} }\nfunction* make() { yield new A() }\n"
       "async function* later() { yield new A() }\n"
       "async function f() {\n  make().next().value.<>run();\n"
       "  const step = await later().next();\n  step.value.<>run();\n}\n" +
           kOther}}},
    {"WhatIsNarrowedOtherwiseMayBeIt",
     {{"a.ts",
       "interface Token { name: string }\ninterface Shift extends Token { <!>deltas: number[] }\n"
       "function isShift(t: any): t is Shift { return true }\n"
       "function f(t: Token | string) { if (isShift(t)) return t.<~>deltas }\n"
       "function g(t: string) { return (t as string).deltas }\n"}}},
    {"ResultsAreExpected",
     {{"a.ts",
       "class A { <!>run() {} }\ntype Handler = (a: A, o: Other) => void;\n"
       "const make = (): Handler => (a, o) => { a.<>run(); o.run() };\n"
       "function named(): Handler { return (a, o) => { a.<>run(); o.run() } }\n" +
           kOther}}},
};

const MarkedCase kPython[] = {
    {"Containers",
     {{"a.py",
       "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
           "def f(items: list[A], table: dict[str, A]):\n    for x in items:\n        x.<>run()\n"
           "    items[0].<>run()\n    table['a'].<>run()\n    for v in table.values():\n        "
           "v.<>run()\n"
           "    for k, w in table.items():\n        w.<>run()\n    [y.<>run() for y in items]\n"
           "    for i, z in enumerate(items):\n        z.<>run()\n    "
           "sorted(items)[0].<>run()\n"}}},
    {"KeywordsOfDataclasses",
     {{"a.py",
       "from dataclasses import dataclass\n\n@dataclass\nclass Edge:\n    <!>size: int = 0\n"
       "    ratio: int = 1\n\nEdge(<>size=3, ratio=1)\ndef f(size): pass\nf(size=2)\n"}}},
    {"ContextsOfAsyncGenerators",
     {{"a.py",
       "import typing\nfrom contextlib import asynccontextmanager\n\nclass A:\n"
       "    def <!>run(self): pass\n\n" +
           kOtherPython +
           "class Client:\n    @asynccontextmanager\n"
           "    async def stream(self) -> typing.AsyncIterator[A]:\n        yield A()\n"
           "    async def plain(self) -> A:\n        return A()\n\n"
           "async def f(c: Client):\n    async with c.stream() as a:\n        a.<>run()\n"
           "    (await c.plain()).<>run()\n"}}},
    {"ItemsAreMethodsBySyntax",
     {{"a.py",
       "from typing import Generic, TypeVar\n\nT = TypeVar('T')\n\nclass Bag(Generic[T]):\n"
       "    def <!>__getitem__(self, key): return 1\n    def __setitem__(self, key, value): "
       "pass\n\n"
       "class Other:\n    def __getitem__(self, key): return 2\n\n"
       "def f(b: Bag[int], o: Other, plain):\n    b<>[1]\n    o[1]\n    plain[1]\n    b[2] = 3\n"
       "    other = {}\n    other['a']\n    c: 'Bag[int]' = Bag()\n    c<>[1]\n    Bag[int]\n"}}},
    {"CallsOfInstances",
     {{"a.py",
       "class Handler:\n    def <!>__call__(self, x): return x\n\nclass Runner:\n"
       "    def __init__(self, handler: Handler):\n        self.handler = handler\n"
       "    def run(self):\n        self.handler<>(1)\n        self.other(1)\n    def other(self, "
       "x): pass\n\n"
       "def f(h: Handler, g):\n    h<>(1)\n    g(1)\n    Handler()\n    Handler()<>(2)\n"}}},
    {"ContextsAreEntered",
     {{"a.py",
       "class Lock:\n    def <!>__enter__(self): return self\n    def __exit__(self, *args): "
       "pass\n\n"
       "class Later:\n    async def __aenter__(self): return self\n\n"
       "def f(lock: Lock):\n    with lock<>:\n        pass\n    with Lock()<> as held, open('a') "
       "as file:\n"
       "        pass\nasync def g():\n    async with Later() as later:\n        pass\n"}}},
    {"LengthsAndMembership",
     {{"a.py",
       "class Bag:\n    def <!>__contains__(self, x): return True\n    def __len__(self): return "
       "1\n\n"
       "class Base:\n    pass\n\nclass Derived(Base):\n    def __contains__(self, x): return "
       "True\n\n"
       "def f(b: Bag, base: Base):\n    if 1 <>in b and 2 <>not in b: pass\n    len(b)\n    3 in "
       "base\n    4 in [1]\n"}}},
    {"AlternativesOfAnImport",
     {{"a.py",
       "try:\n    import one as <>thing\nexcept ImportError:\n    try:\n        import two as "
       "<>thing\n"
       "    except ImportError:\n        <!>thing = None\n\nprint(<>thing)\n"}}},
    {"OptionalUnionAndStrings",
     {{"a.py", "from typing import Optional, Union\n\nclass A:\n    def <!>run(self): pass\n\n" +
                   kOtherPython +
                   "def f(a: Optional[A], b: 'A', c: Union[int, A], d: 'list[A]', e: int | A):\n   "
                   " a.<>run()\n"
                   "    b.<>run()\n    c.<>run()\n    d[0].<>run()\n    e.<>run()\n"}}},
    {"Narrowing",
     {{"a.py", "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
                   "def f(x):\n    if isinstance(x, A):\n        x.<>run()\n    x.run\n"
                   "def g(x):\n    assert isinstance(x, A)\n    x.<>run()\n"}}},
    {"ClassesAsArguments",
     {{"a.py",
       "from typing import TypeVar\n\nT = TypeVar('T')\n\nclass A:\n    def <!>run(self): "
       "pass\n\n" +
           kOtherPython +
           "class Widget:\n    def find(self, kind: type[T]) -> T: ...\n    def run(self): pass\n"
           "    def go(self):\n        self.find(A).<>run()\n        self.find(Widget).run()\n"}}},
    {"FunctionsThatCallEachOther",
     {{"a.py", "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
                   "class B:\n    def stop(self): pass\n"
                   "def even(n): return odd(n) if n else A()\n"
                   "def odd(n): return even(n) if n else B()\n"
                   "even(1).<>run()\nodd(1).<>run()\n"}}},
    {"FunctionsThatCallEachOtherAskedTheOtherWay",
     {{"a.py", "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
                   "class B:\n    def stop(self): pass\n"
                   "def even(n): return odd(n) if n else A()\n"
                   "def odd(n): return even(n) if n else B()\n"
                   "odd(1).<>run()\neven(1).<>run()\n"}}},
    {"StarredNamesAreTheRest",
     {{"a.py", "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
                   "class B:\n    def stop(self): pass\n"
                   "x, *rest = B(), A()\nrest[0].<>run()\nx.run()\n"}}},
    {"DictsAreNotTheLibrarysAlone",
     {{"a.py", "class A:\n    def <!>zork(self): pass\n\nreg = {'a': A()}\nreg['a'].<?>zork()\n"}}},
    {"NarrowingOfMembers",
     {{"a.py", "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
                   "class B:\n    def f(self, x):\n        if isinstance(x.y, A):\n            "
                   "x.y.<>run()\n"
                   "        if isinstance(self.z, A):\n            self.z.<>run()\n"}}},
    {"FinalSaysNothing",
     {{"a.py", "from typing import Final\n\nclass A:\n    def <!>run(self): pass\n\n" +
                   kOtherPython + "a: Final = A()\na.<>run()\n"}}},
    {"ContextManagers",
     {{"a.py",
       "from contextlib import contextmanager\nfrom typing import Iterator\n\nclass A:\n"
       "    def <!>run(self): pass\n    def __enter__(self): return self\n"
       "    def __exit__(self, *a): pass\n\n" +
           kOtherPython +
           "@contextmanager\ndef made() -> Iterator[A]:\n    yield A()\n\n"
           "with A() as a:\n    a.<>run()\nwith made() as b:\n    b.<>run()\n"}}},
    {"GenericClasses",
     {{"a.py",
       "from typing import Generic, TypeVar\n\nT = TypeVar('T')\n\nclass A:\n    def <!>run(self): "
       "pass\n\n" +
           kOtherPython +
           "class Box(Generic[T]):\n    value: T\n    def get(self) -> T: ...\n\n"
           "class Boxed(Box[A]):\n    def go(self):\n        self.value.<>run()\n\n"
           "def f(b: Box[A]):\n    b.get().<>run()\n    Boxed().get().<>run()\n"}}},
    {"Properties",
     {{"a.py",
       "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
           "class Holder:\n    @property\n    def a(self) -> A: ...\n    def __init__(self):\n"
           "        self.mine = A()\n\nh = Holder()\nh.a.<>run()\nh.mine.<>run()\n"}}},
    {"TypedMembersWin",
     {{"a.py",
       "class Base:\n    <!>x: int\n    y = 1\n\nclass Sub(Base):\n    x = 2\n    y = 2\n\n"
       "class Assigning(Base):\n    def __init__(self):\n        self.<>x = 1\n        self.y = "
       "1\n\n"
       "class Typed(Base):\n    x: bool\n\n"
       "def f(a: Sub, b: Assigning, c: Typed):\n    a.<>x + b.<>x + c.x + a.y\n"}}},
    {"AssignedAsGlobal",
     {{"a.py",
       "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
           "def init():\n    global current, late\n    current = A()\n    late = A()\n\n"
           "current = None\ncurrent.<>run()\n\ndef go():\n    late.<>run()\n\nlate = None\n\n"
           "def outer():\n    held = None\n    def inner():\n        nonlocal held\n"
           "        held = A()\n    inner()\n    held.<>run()\n"}}},
    {"AwaitAndTuples",
     {{"a.py",
       "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
           "async def make() -> A: ...\ndef pair() -> tuple[int, A]: ...\n\nasync def f():\n"
           "    (await make()).<>run()\n    a = await make()\n    a.<>run()\n    n, b = pair()\n   "
           " b.<>run()\n"}}},
    {"Operators",
     {{"a.py",
       "class A:\n    def <!>run(self): pass\n    def __add__(self, o) -> 'A': ...\n"
       "    def __rmul__(self, o) -> 'A': ...\n    def __neg__(self) -> 'A': ...\n\n" +
           kOtherPython +
           "class B:\n    def __add__(self, o) -> Other: ...\n\n"
           "def f(a: A, b: B):\n    (a + b).<>run()\n    c = 2 * a\n    c.<>run()\n"
           "    (-a).<>run()\n    (b + a).run()\n    ('%s' % a).run()\n"}}},
    {"OverridingMethodsInheritTypes",
     {{"a.py",
       "class A:\n    def <!>run(self): pass\n\n" + kOtherPython +
           "class Base:\n    item: A\n    def go(self, a: A, o: Other): ...\n\n"
           "class Derived(Base):\n    def __init__(self, given):\n        self.item = given\n"
           "    def go(self, a, o):\n        a.<>run()\n        o.run()\n"
           "        self.item.<>run()\n"}}},
    {"LambdasByTheirPlace",
     {{"a.py", "from typing import Callable\n\nclass A:\n    def <!>run(self): pass\n\n" +
                   kOtherPython +
                   "def f(do: Callable[[Other, A], None]) -> None: ...\n"
                   "f(lambda o, a: a.<>run())\nf(lambda o, a: o.run())\n"}}},
    {"LibraryPassesValuesOn",
     {{"a.py",
       "import asyncio\nimport queue\nfrom concurrent.futures import ThreadPoolExecutor\n\n"
       "class A:\n    def <!>run(self): pass\n\n" +
           kOtherPython +
           "async def load() -> A: ...\n\nasyncio.run(load()).<>run()\n\n"
           "def made(): return A()\n\n"
           "def use(q: queue.Queue[A], pool: ThreadPoolExecutor):\n    q.get().<>run()\n"
           "    pool.submit(made).result().<>run()\n"}}},
    {"LibraryClassesAreNotOurs",
     {{"a.py",
       "import subprocess\nfrom pathlib import Path\n\n"
       "class A:\n    def <!>zork(self): pass\n\n"
       "class B(Path):\n    def go(self):\n        self.zork()\n\n"
       "Path('a').parent.zork()\nsubprocess.run(['a']).zork()\nA().<>zork()\n"}}},
};

const MarkedCase kJava[] = {
    {"OverloadsOfObject",
     {{"A.java",
       "class A {\n  void <!>run(Object o) {}\n  void run(B b) {}\n"
       "  void f() {\n    <>run(new A());\n    run(new B());\n    <>run(\"s\");\n  }\n}\n"
       "class B {}\n"}}},
    {"OverloadsThatACallLeavesArePossible",
     {{"A.java",
       "import lib.Foreign;\n\nclass A {\n  void <!>run(A a) {}\n  void run(B b) {}\n"
       "  void f(Foreign x) {\n    <~>run(x.y());\n    <>run(new A());\n    run(new B());\n"
       "  }\n}\nclass B {}\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Java, Types, ::testing::ValuesIn(kJava), testing::case_name);
INSTANTIATE_TEST_SUITE_P(EcmaScript, Types, ::testing::ValuesIn(kEcmaScript), testing::case_name);
INSTANTIATE_TEST_SUITE_P(Python, Types, ::testing::ValuesIn(kPython), testing::case_name);

}  // namespace
}  // namespace codexmem::graph
