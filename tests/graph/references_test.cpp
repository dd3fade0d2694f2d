#include "graph/uses/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "graph/usage_case.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Texts = std::map<std::string, std::string>;

ReferenceAnswer ask(store::Workspace& workspace, const ReferenceQuery& query) {
  FactsCache cache;
  auto lease = workspace.reader();
  EXPECT_TRUE(lease.ok());
  auto answer = find_references(cache, **lease, query);
  EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message());
  return std::move(answer).value();
}

// Usages as "path:line:column", with the confidence where it is not resolved.
std::vector<std::string> usages(const ReferenceAnswer& answer) {
  std::vector<std::string> list;
  for (const ReferenceItem& item : answer.items) {
    if (item.is_definition || is_doubtful(item)) continue;
    std::string text = item.path + ":" + std::to_string(item.position.line) + ":" +
                       std::to_string(item.position.column);
    if (item.confidence != Confidence::kResolved) {
      text += " " + std::string(confidence_name(item.confidence));
    }
    list.push_back(std::move(text));
  }
  return list;
}

struct ReferenceCase {
  std::string name;
  Texts files;
  std::string symbol, file;
  std::vector<std::string> want;
};

class Usages : public ::testing::TestWithParam<ReferenceCase> {};

TEST_P(Usages, AreThoseThatMeanTheDefinition) {
  const ReferenceCase& c = GetParam();
  testing::CodeFixture fixture(c.files);
  ReferenceQuery query;
  query.symbol = c.symbol;
  if (!c.file.empty()) query.file_path = c.file;
  EXPECT_EQ(usages(ask(fixture.workspace(), query)), c.want);
}

const ReferenceCase kEcmaScriptCases[] = {
    {"ImportsAndCalls",
     {{"a.ts", "export function run() {}\nrun();\n"},
      {"b.ts", "import { run } from './a';\nrun();\n"},
      {"c.ts", "import { run } from 'elsewhere';\nrun();\n"},
      {"d.ts", "function run() {}\nrun();\n"}},
     "run",
     "a.ts",
     {"a.ts:2:1", "b.ts:1:10", "b.ts:2:1"}},
    {"ComponentsOfSvelte",
     {{"store.ts", "export const count = make();\nexport function go() {}\n"},
      {"Card.svelte", "<script>\nexport let title\n</script>\n<b>{title}</b>\n"},
      {"App.svelte",
       "<script>\n  import Card from './Card.svelte'\n  import { count, go } from './store'\n"
       "  $: twice = $count * 2\n</script>\n{#each [1] as count}{count}{/each}\n"
       "<Card on:click={go} title={$count}/>\n"}},
     "count",
     "store.ts",
     {"App.svelte:3:12", "App.svelte:4:15", "App.svelte:7:29"}},
    {"AliasesAreFollowed",
     {{"a.ts", "export function run() {}\n"},
      {"b.ts", "import { run as go } from './a';\ngo();\nconst f = () => go;\n"}},
     "run",
     "a.ts",
     {"b.ts:1:10", "b.ts:1:17", "b.ts:2:1", "b.ts:3:17"}},
    {"ShadowsAreLeftOut",
     {{"a.ts",
       "export const value = 1;\nfunction f(value: number) {\n  return value;\n}\nfunction g() {\n"
       "  const value = 2;\n  return value;\n}\nfunction h() {\n  return value;\n}\n"}},
     "value",
     "a.ts",
     {"a.ts:10:10"}},
    {"BarrelsRenameAndStar",
     {{"a.ts", "export class Box {}\n"},
      {"barrel.ts", "export * from './a';\nexport { Box as Crate } from './a';\n"},
      {"index.ts", "export { Crate } from './barrel';\nexport * as all from './barrel';\n"},
      {"use.ts",
       "import { Crate, all } from '.';\nimport { Box } from './barrel';\nnew Crate();\n"
       "new all.Box();\nlet b: Box;\n"}},
     "Box",
     "a.ts",
     {"barrel.ts:2:10", "index.ts:1:10", "use.ts:1:10", "use.ts:2:10", "use.ts:3:5", "use.ts:4:9",
      "use.ts:5:8"}},
    {"DefaultExportsHaveAnyName",
     {{"a.ts", "export default function make() {}\n"},
      {"b.ts", "import create from './a';\ncreate();\n"},
      {"c.ts", "export { default as build } from './a';\n"},
      {"d.ts", "import { build } from './c';\nbuild();\n"}},
     "make",
     "a.ts",
     {"b.ts:1:8", "b.ts:2:1", "c.ts:1:10", "d.ts:1:10", "d.ts:2:1"}},
    {"NamespaceImports",
     {{"a.ts", "export const one = 1;\n"},
      {"b.ts", "import * as ns from './a';\nns.one;\nconst o = { one: 2 };\no.one;\n"}},
     "one",
     "a.ts",
     {"b.ts:2:4"}},
    {"CommonJs",
     {{"lib.js", "function helper() {}\nexports.helper = helper;\nmodule.exports.other = 1;\n"},
      {"use.js", "const lib = require('./lib');\nlib.helper();\n"},
      {"pick.js", "const { helper } = require('./lib');\nhelper();\n"}},
     "helper",
     "lib.js",
     {"lib.js:2:9", "lib.js:2:18", "pick.js:1:9", "pick.js:2:1", "use.js:2:5"}},
    {"NamesTakenFromAnExportedObject",
     {{"keys.js",
       "const keys = { kA: Symbol('a') };\nkeys.kC = Symbol('c');\nmodule.exports = keys;\n"},
      {"other.js", "const kA = 1;\nmodule.exports = { kA };\n"},
      {"use.js", "const { kA } = require('./keys');\nx[kA] = kA;\n"},
      {"renamed.js", "const { kA: a } = require('./keys');\nx[a];\n"},
      {"whole.js", "const keys = require('./keys');\nconst { kA } = keys;\nkeys.kA;\n"},
      {"inside.js", "function f() {\n  const { kA } = require('./keys');\n  x[kA];\n}\n"},
      {"wrong.js", "const { kA } = require('./other');\nx[kA];\n"}},
     "keys.kA",
     "keys.js",
     {"inside.js:2:11", "inside.js:3:5", "renamed.js:1:9", "renamed.js:1:13", "renamed.js:2:3",
      "use.js:1:9", "use.js:2:3", "use.js:2:9", "whole.js:2:9", "whole.js:3:6"}},
    {"NamesTakenFromAnExportedObjectThatGrows",
     {{"keys.js", "const keys = {};\nkeys.make = function () {};\nmodule.exports = keys;\n"},
      {"use.js", "const { make } = require('./keys');\nmake();\n"}},
     "keys.make",
     "keys.js",
     {"use.js:1:9", "use.js:2:1"}},
    {"NamesTakenFromAnExportedLiteral",
     {{"keys.js", "module.exports = { kB: Symbol('b'), f() {} };\n"},
      {"use.js", "const { kB, f } = require('./keys');\nx[kB];\n"},
      {"one.js", "const keys = require('./keys');\nkeys.kB;\n"}},
     "kB",
     "keys.js",
     {"one.js:2:6", "use.js:1:9", "use.js:2:3"}},
    {"NamesTakenFromADefaultExport",
     {{"keys.js", "const keys = { kA: Symbol('a') };\nexport default keys;\n"},
      {"use.js", "import keys from './keys';\nfunction f() {\n  const { kA } = keys;\n}\n"}},
     "keys.kA",
     "keys.js",
     {"use.js:3:11"}},
    {"MembersThroughThisAndAnnotations",
     {{"a.ts",
       "export class Base {\n  step() {}\n}\nexport class Walker extends Base {\n  go() {\n"
       "    this.step();\n    super.step();\n  }\n}\nclass Other {\n  step() {}\n}\n"},
      {"b.ts",
       "import { Walker, Base } from './a';\nfunction f(w: Walker) {\n  w.step();\n}\n"
       "const b = new Base();\nb.step();\nnew Walker().step();\n"}},
     "Base.step",
     "a.ts",
     {"a.ts:6:10", "a.ts:7:11", "b.ts:3:5", "b.ts:6:3", "b.ts:7:14"}},
    {"EnumMembersAndObjectConstants",
     {{"a.ts",
       "export enum Color { Red, Green }\nexport const table = { Red: 1, f() {} };\n"
       "table.Red;\nColor.Red;\n"}},
     "Color.Red",
     "a.ts",
     {"a.ts:4:7"}},
    {"UnknownReceiversAreLikelyWhenFewHaveTheName",
     {{"a.ts", "export class Box {\n  unpackAll() {}\n}\n"},
      {"b.ts", "export function f(x) {\n  x.unpackAll();\n}\n"},
      {"c.ts", "import y from 'library';\ny.unpackAll();\n"}},
     "unpackAll",
     "a.ts",
     {"b.ts:2:5 likely"}},
    {"ACommonNameNeedsItsClassInTheFile",
     {{"a.ts", "export class Box {\n  unbox() {}\n}\n"},
      {"b.ts", "export function f(x) {\n  x.unbox();\n}\n"},
      {"c.ts", "import { Box } from './a';\nexport function f(x, b: Box) {\n  x.unbox();\n}\n"}},
     "unbox",
     "a.ts",
     {"c.ts:3:5 likely"}},
    {"OfTwoUnrelatedClassesNoneIsLikely",
     {{"a.ts", "export class Box {\n  unpackAll() {}\n}\n"},
      {"b.ts", "export class Parcel {\n  unpackAll() {}\n}\n"},
      {"c.ts", "export function f(x) {\n  x.unpackAll();\n}\n"}},
     "unpackAll",
     "a.ts",
     {}},
    {"ClassesThatInheritAMemberAreOne",
     {{"a.ts", "export class Box {\n  unpackAll() {}\n}\n"},
      {"b.ts",
       "import { Box } from './a';\nexport class Crate extends Box {\n  unpackAll() {}\n}\n"},
      {"c.ts", "export function f(x) {\n  x.unpackAll();\n}\n"}},
     "unpackAll",
     "a.ts",
     {"c.ts:2:5 likely"}},
    {"MembersByAssignment",
     {{"app.js",
       "var app = exports = module.exports = {};\napp.start = function () {\n  this.stop();\n};\n"
       "app.stop = function () {};\nfunction View() {}\nView.prototype.stop = function () {};\n"
       "new View().stop();\n"},
      {"use.js", "const app = require('./app');\napp.stop();\n"}},
     "app.stop",
     "app.js",
     {"app.js:3:8", "use.js:2:5"}},
    {"AssignmentsToInheritedMembersAreWrites",
     {{"a.ts",
       "class Base {\n  code = 1;\n}\nclass Child extends Base {\n  constructor() {\n    super();\n"
       "    this.code = 2;\n  }\n}\n"}},
     "Base.code",
     "a.ts",
     {"a.ts:7:10"}},
    {"TypesAndValuesOfOneNameAreApart",
     {{"a.ts",
       "type Error = string;\nfunction f(e: Error) {\n  throw new Error(e);\n}\n"
       "function g(Error: number): Error {\n  return '';\n}\n"}},
     "Error",
     "a.ts",
     {"a.ts:2:15", "a.ts:5:28"}},
    {"ExportedPropertiesAreNoOtherNames",
     {{"lib.js", "var req = {};\nexports.request = req;\n"},
      {"use.js", "const lib = require('./lib');\nlib.request;\n"}},
     "req",
     "lib.js",
     {"lib.js:2:19"}},
    {"ObjectPatternsTakeMembers",
     {{"a.ts",
       "interface Options { body: Part }\ninterface Part { size: number }\nclass Request {\n"
       "  options!: Options;\n  send({ body: b }: Options) {\n    const { options } = this;\n"
       "    const { body } = options;\n    return body.size + b.size;\n  }\n}\n"}},
     "size",
     "a.ts",
     {"a.ts:8:17", "a.ts:8:26"}},
    {"KeysOfObjectPatternsAreUses",
     {{"a.ts",
       "interface Options { body: string }\nfunction f({ body }: Options, o: Options) {\n"
       "  const { body: other } = o;\n  return { body };\n}\n"}},
     "Options.body",
     "a.ts",
     {"a.ts:2:14", "a.ts:3:11"}},
    {"MethodsThatReturnThisAreChained",
     {{"a.ts",
       "class Base {\n  set(): this {\n    return this;\n  }\n}\nclass Child extends Base {\n"
       "  finish() {}\n}\nnew Child().set().set().finish();\n"}},
     "finish",
     "a.ts",
     {"a.ts:9:25"}},
    {"QualifiedTypesOfCasts",
     {{"core.ts", "export interface Deep {}\n"},
      {"z.ts", "export * as core from './core';\n"},
      {"a.ts",
       "import * as z from './z';\nconst a = b as z.core.Deep;\nf() satisfies z.core.Deep;\n"}},
     "Deep",
     "core.ts",
     {"a.ts:2:23", "a.ts:3:22"}},
    {"TypeAliasesHaveTheMembersOfTheirType",
     {{"a.ts",
       "interface Part { size: number }\ntype Alias = Readonly<Part>;\n"
       "function f(a: Alias) {\n  return a.size;\n}\n"}},
     "size",
     "a.ts",
     {"a.ts:4:12"}},
    {"UsesThroughWhatIsImplementedAreLikely",
     {{"a.ts",
       "interface Router {\n  add(): void;\n}\nclass Tree implements Router {\n  add() {}\n}\n"
       "function f(r: Router, t: Tree) {\n  r.add();\n  t.add();\n}\n"}},
     "Tree.add",
     "a.ts",
     {"a.ts:8:5 likely", "a.ts:9:5"}},
    {"InterfacesAndTypes",
     {{"a.ts", "export interface Shape { area: number }\nexport type Size = Shape;\n"},
      {"b.ts",
       "import type { Shape } from './a';\nclass Square implements Shape {\n  area = 1;\n}\n"
       "function f(s: Shape) {\n  return s.area;\n}\n"}},
     "Shape",
     "a.ts",
     {"a.ts:2:20", "b.ts:1:15", "b.ts:2:25", "b.ts:5:15"}},
};

const ReferenceCase kPythonCases[] = {
    {"GlobalInTheModulesOwnScopeSaysNothing",  // it was followed until the stack was full
     {{"a.py",
       "global total\ntotal = 1\nprint(total)\ndef f():\n    global total\n    total = 2\n"}},
     "total",
     "",
     {"a.py:1:8", "a.py:3:7", "a.py:5:12", "a.py:6:5"}},
    {"AModuleThatImportsItselfGivesItsOwnNames",
     {{"pkg/__init__.py", ""},
      {"pkg/live.py",
       "class Live:\n    pass\n\n\nif __name__ == '__main__':\n"
       "    from .live import Live as Live\n    Live()\n"},
      {"a.py", "from pkg.live import Live\nLive()\n"}},
     "Live",
     "",
     {"a.py:1:22", "a.py:2:1", "pkg/live.py:6:23", "pkg/live.py:6:31", "pkg/live.py:7:5"}},
    {"AKeywordOfClsIsTheConstructors",
     {{"a.py",
       "class A:\n    def __init__(self, style):\n        self.style = style\n\n"
       "    @classmethod\n    def make(cls):\n        return cls(style=1)\n\n\n"
       "class B:\n    def __init__(self):\n        self.style = 2\n"}},
     "B.style",
     "",
     {}},
    {"AKeywordIsNoAttributeThatTheConstructorAssigns",
     {{"a.py",
       "class Bar:\n    def __init__(self, width):\n        self.width = width\n\n"
       "    def go(self):\n        return self.width\n\n\nBar(width=1)\n"}},
     "Bar.width",
     "",
     {"a.py:6:21"}},
    {"UnpackedKeywordsAreFields",
     {{"a.py",
       "from typing import TypedDict, Unpack\n\n\nclass Opt(TypedDict):\n"
       "    headers: dict\n\n\ndef get(url, **kw: Unpack[Opt]):\n    pass\n\n\n"
       "get(1, headers={})\n"}},
     "Opt.headers",
     "",
     {"a.py:12:8"}},
    {"FromImportsAndAttributes",
     {{"pkg/__init__.py", "from .core import run\n"},
      {"pkg/core.py", "def run():\n    pass\n"},
      {"a.py", "import pkg\npkg.run()\n"},
      {"b.py", "import pkg.core as c\nc.run()\n"},
      {"c.py", "import pkg.core\npkg.core.run()\n"},
      {"d.py", "from pkg import core\ncore.run()\n"},
      {"e.py", "from other import run\nrun()\n"}},
     "run",
     "pkg/core.py",
     {"a.py:2:5", "b.py:2:3", "c.py:2:10", "d.py:2:6", "pkg/__init__.py:1:19"}},
    {"AliasesTravel",
     {{"m.py", "def work():\n    pass\n"},
      {"n.py", "from m import work as labour\nlabour()\n"},
      {"o.py", "from n import labour\nlabour()\n"}},
     "work",
     "m.py",
     {"n.py:1:15", "n.py:1:23", "n.py:2:1", "o.py:1:15", "o.py:2:1"}},
    {"StarImportsHonourAll",
     {{"m.py", "__all__ = ['shown']\ndef shown():\n    pass\ndef hidden():\n    pass\n"},
      {"n.py", "from m import *\nshown()\nhidden()\n"}},
     "hidden",
     "m.py",
     {}},
    {"StarImportsBringNames",
     {{"m.py", "def shown():\n    pass\n"}, {"n.py", "from m import *\nshown()\n"}},
     "shown",
     "m.py",
     {"n.py:2:1"}},
    {"ClassScopeIsNotSeenByMethods",
     {{"m.py",
       "def name():\n    pass\nclass A:\n    name = 1\n    other = name\n    def f(self):\n"
       "        return name()\n"}},
     "name",
     "m.py",
     {"m.py:5:13", "m.py:7:16"}},
    {"MembersThroughSelfAndInstances",
     {{"m.py",
       "class Base:\n    def step(self):\n        pass\nclass Walker(Base):\n    def go(self):\n"
       "        self.step()\n        super().step()\n"},
      {"n.py",
       "from m import Walker\ndef f(w: Walker):\n    w.step()\nx = Walker()\nx.step()\n"
       "Walker().step()\n"}},
     "Base.step",
     "m.py",
     {"m.py:6:14", "m.py:7:17", "n.py:3:7", "n.py:5:3", "n.py:6:10"}},
    {"SelfInNestedFunctions",
     {{"m.py",
       "class A:\n    size = 1\n    def f(self):\n        def inner(x):\n"
       "            return self.size\n        return inner\n"}},
     "A.size",
     "m.py",
     {"m.py:5:25"}},
    {"FallbackImports",
     {{"m.py", "try:\n    import fast\nexcept ImportError:\n    fast = None\nprint(fast)\n"}},
     "fast",
     "m.py",
     {"m.py:5:7"}},
    {"GlobalAndNonlocal",
     {{"m.py",
       "count = 0\ndef f():\n    global count\n    count = 1\ndef g():\n    count = 2\n"
       "    return count\n"}},
     "count",
     "m.py",
     {"m.py:3:12", "m.py:4:5"}},
};

std::string case_name(const ::testing::TestParamInfo<ReferenceCase>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(EcmaScript, Usages, ::testing::ValuesIn(kEcmaScriptCases), case_name);
INSTANTIATE_TEST_SUITE_P(Python, Usages, ::testing::ValuesIn(kPythonCases), case_name);

TEST(FindReferences, DefinitionsComeFirstAndSayWhere) {
  testing::CodeFixture fixture(
      {{"b.ts", "// one\nexport class Thing {}\n"},
       {"a.ts", "import { Thing } from './b';\nfunction use() {\n  return new Thing();\n}\n"},
       {"tests/c.ts", "class Thing {}\n"}});
  ReferenceQuery query;
  query.symbol = "Thing";
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  ASSERT_EQ(answer.definitions.size(), 2U);
  EXPECT_EQ(answer.definitions[0].path, "b.ts");
  ASSERT_EQ(answer.items.size(), 4U);
  EXPECT_TRUE(answer.items[0].is_definition);
  EXPECT_EQ(answer.items[0].position, (Position{2, 1}));
  EXPECT_EQ(answer.items[0].name_position, (Position{2, 14}));
  EXPECT_TRUE(answer.items[1].is_definition);
  EXPECT_EQ(answer.items[1].definition, 1U);
  EXPECT_EQ(answer.items[2].kind, UsageKind::kImport);
  EXPECT_EQ(answer.items[3].kind, UsageKind::kCall);
  EXPECT_EQ(answer.items[3].container, "use");
  EXPECT_EQ(answer.items[3].context, "return new Thing();");
  EXPECT_EQ(answer.items[3].definition, 0U);
}

TEST(FindReferences, PossibleUsesComeLastAndAreCountedWhenNotAskedFor) {
  testing::CodeFixture fixture({{"a.py", "class A:\n    def get(self):\n        pass\n"},
                                {"b.py", "def f(x):\n    x.get()\n"},
                                {"c.py", "from a import A\nA().get()\n"},
                                {"c.ts", "export function f(x) { x.get(); }\n"}});
  ReferenceQuery query;
  query.symbol = "get";
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  ASSERT_EQ(answer.items.size(), 3U);
  EXPECT_EQ(answer.items[1].path, "c.py");
  EXPECT_EQ(answer.items[2].path, "b.py");
  EXPECT_EQ(answer.items[2].confidence, Confidence::kPossible);
  EXPECT_EQ(answer.items[2].doubt, Doubt::kReceiver);
  EXPECT_EQ(answer.coverage.name_matches_omitted, 1U);
  query.min_confidence = Confidence::kLikely;
  const ReferenceAnswer sure = ask(fixture.workspace(), query);
  EXPECT_THAT(usages(sure), ElementsAre("c.py:2:5"));
  EXPECT_EQ(sure.coverage.name_matches_omitted, 2U);
}

TEST(FindReferences, UnknownSymbolsGetSuggestions) {
  testing::CodeFixture fixture(Texts{{"a.py", "def calculate_total():\n    pass\n"}});
  ReferenceQuery query;
  query.symbol = "calculate_totl";
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  EXPECT_THAT(answer.items, IsEmpty());
  EXPECT_THAT(answer.suggestions, ElementsAre("calculate_total"));
}

TEST(FindReferences, AFileThatOnlyImportsTheSymbolLeadsToItsDefinition) {
  testing::CodeFixture fixture(
      {{"a.ts", "export function run() {}\n"}, {"b.ts", "import { run } from './a';\nrun();\n"}});
  ReferenceQuery query;
  query.symbol = "run";
  query.file_path = "b.ts";
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  ASSERT_EQ(answer.definitions.size(), 1U);
  EXPECT_EQ(answer.definitions[0].path, "a.ts");
  EXPECT_EQ(usages(answer).size(), 2U);
}

TEST(FindReferences, WhatStandsInAFunctionIsAnotherOne) {
  testing::CodeFixture fixture(
      Texts{{"a.py",
             "def app(): pass\napp()\ndef test():\n    def app(): pass\n    app()\n"
             "def other():\n    def only(): pass\n    only()\n"}});
  ReferenceQuery query;
  query.symbol = "app";
  query.file_path = "a.py";
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  EXPECT_THAT(usages(answer), ElementsAre("a.py:2:1"));
  EXPECT_EQ(answer.coverage.local_definitions_omitted, 1U);
  query.line = 4;
  EXPECT_THAT(usages(ask(fixture.workspace(), query)), ElementsAre("a.py:5:5"));
  query.line.reset();
  query.symbol = "only";
  EXPECT_THAT(usages(ask(fixture.workspace(), query)), ElementsAre("a.py:8:5"));
}

TEST(FindReferences, AFileWithoutTheSymbolGetsTheFilesThatDefineIt) {
  testing::CodeFixture fixture({{"a.ts", "export class Box {\n  open() {}\n}\n"},
                                {"b.ts", "export function open() {}\nopen();\n"},
                                {"c.ts", "export function opened() {}\n"}});
  ReferenceQuery query;
  query.symbol = "open";
  query.file_path = "c.ts";
  ReferenceAnswer answer = ask(fixture.workspace(), query);
  EXPECT_THAT(answer.items, IsEmpty());
  EXPECT_THAT(answer.suggestions, ElementsAre("a.ts::Box.open", "b.ts::open", "opened"));
  query.symbol = "b.ts::open";
  query.file_path.reset();
  EXPECT_THAT(usages(ask(fixture.workspace(), query)), ElementsAre("b.ts:2:1"));
  query.symbol = "a.ts::Box.open";
  EXPECT_EQ(ask(fixture.workspace(), query).definitions.size(), 1U);
}

TEST(FindReferences, PrototypeMembersAreNamedEitherWay) {
  testing::CodeFixture fixture({{"reply.js",
                                 "function Reply() {}\nReply.prototype.send = function () {};\n"
                                 "new Reply().send();\n"},
                                {"other.js", "class Other {\n  send() {}\n}\n"}});
  for (const char* symbol : {"Reply.send", "Reply.prototype.send"}) {
    ReferenceQuery query;
    query.symbol = symbol;
    EXPECT_THAT(usages(ask(fixture.workspace(), query)), ElementsAre("reply.js:3:13")) << symbol;
  }
}

TEST(FindReferences, CoverageCountsWhatWasNotSeen) {
  testing::CodeFixture fixture(
      Texts{{"a.py",
             "def run():\n    pass\nrun()\ngetattr(object, 'run')\nfrom . import missing_one\n"}});
  ReferenceQuery query;
  query.symbol = "run";
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  EXPECT_EQ(answer.coverage.files_searched, 1U);
  EXPECT_EQ(answer.coverage.dynamic.reflection, 1U);
  EXPECT_EQ(answer.coverage.dynamic.total(), 1U);
  EXPECT_THAT(answer.coverage.blind_spots, IsEmpty());  // there is a use
}

TEST(FindReferences, WhatIsUnusedSaysWhereAUseCouldHide) {
  testing::CodeFixture fixture(
      {{"a.py",
        "def unused():\n    pass\n\nclass A:\n    def idle(self):\n        pass\n"
        "f = globals()[name]\nfrom .missing_one import thing\n"},
       {"b.py", "value = getattr(a, name)\n"},
       {"c.js", "eval(text)\n"}});
  const auto spots = [&](const std::string& symbol) {
    ReferenceQuery query;
    query.symbol = symbol;
    const ReferenceAnswer answer = ask(fixture.workspace(), query);
    EXPECT_EQ(answer.usages, 0U);
    EXPECT_EQ(answer.coverage.files_with_reflection, 1U);  // b.py: c.js is of another language
    EXPECT_EQ(answer.coverage.unresolved_imports, 1U);
    std::vector<std::string> list;
    for (const BlindSpot& spot : answer.coverage.blind_spots) {
      list.push_back(spot.what + " " + spot.path + ":" + std::to_string(spot.line));
    }
    return list;
  };
  EXPECT_THAT(spots("unused"), ElementsAre("reflection a.py:7", "import a.py:8"));
  EXPECT_THAT(spots("idle"), ElementsAre("reflection a.py:7", "import a.py:8"));
}

TEST(FindReferences, WhereNamesAreNotResolvedWhatIsSpelledAlikeIsToldAsSuch) {
  testing::CodeFixture fixture({{"a.lua",
                                 "\n\n-- run runs.\nfunction run() local s = \"run\" end\n\n"
                                 "function ask() run(); b.run() end\n"},
                                {"b/b.lua", "function run() end\n"},
                                {"c.py", "run()\n"}});
  ReferenceQuery query;
  query.symbol = "run";
  query.file_path = "a.lua";
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  EXPECT_THAT(usages(answer), ElementsAre("a.lua:6:16 possible", "a.lua:6:25 possible"));
  EXPECT_EQ(answer.items.back().kind, UsageKind::kCall);
  EXPECT_EQ(answer.coverage.unresolved_language, "lua");
  query.min_confidence = Confidence::kLikely;
  const ReferenceAnswer sure = ask(fixture.workspace(), query);
  EXPECT_THAT(usages(sure), IsEmpty());
  EXPECT_EQ(sure.coverage.name_matches_omitted, 6U);
  query = {};
  query.symbol = "a.run";  // the module counts as a qualifier
  EXPECT_EQ(ask(fixture.workspace(), query).definitions.size(), 1U);
}

TEST(FindReferences, PartsMakeTheWhole) {
  std::string text = "def run():\n    pass\n";
  for (int i = 0; i < 20; ++i) text += "run()\n";
  testing::CodeFixture fixture({{"a.py", text}, {"b.py", "def run():\n    x.run()\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ReferenceQuery query;
  query.symbol = "run";
  query.explain = true;
  const auto whole = find_references(cache, **lease, query);
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->total, whole->items.size());
  EXPECT_EQ(whole->total, 23U);
  EXPECT_EQ(whole->usages, 21U);
  std::vector<std::string> stated, want;
  const auto tell = [](const ReferenceItem& item) {
    return item.path + ":" + std::to_string(item.position.line) + item.context + item.container +
           (item.chain.empty() ? "" : item.chain.front());
  };
  for (const ReferenceItem& item : whole->items) want.push_back(tell(item));
  query.limit = 3;
  for (; query.offset < whole->total; query.offset += query.limit) {
    const auto part = find_references(cache, **lease, query);
    ASSERT_TRUE(part.ok());
    EXPECT_EQ(part->total, whole->total);
    EXPECT_EQ(part->coverage.name_matches_omitted, whole->coverage.name_matches_omitted);
    EXPECT_LE(part->items.size(), 3U);
    for (const ReferenceItem& item : part->items) stated.push_back(tell(item));
  }
  EXPECT_EQ(stated, want);
}

// A name with thousands of definitions took time with their square: over 20 s for 14,000.
TEST(FindReferences, ManyDefinitionsOfANameAreAllFound) {
  std::string members, overloads;
  for (int i = 0; i < 3000; ++i) {
    members += "export interface T" + std::to_string(i) + " { size: number }\n";
    overloads += "export function make(a: " + std::to_string(i) + "): void;\n";
  }
  testing::CodeFixture fixture({{"a.ts", members},
                                {"b.ts", "import { T7 } from './a';\nlet t: T7;\nt.size;\n"},
                                {"c.ts", overloads + "export function make(a: any) {}\n"}});
  ReferenceQuery query;
  query.symbol = "size";
  ReferenceAnswer answer = ask(fixture.workspace(), query);
  EXPECT_EQ(answer.definitions.size(), 3000U);
  EXPECT_THAT(usages(answer), ElementsAre("b.ts:3:3"));
  query.symbol = "make";
  answer = ask(fixture.workspace(), query);
  EXPECT_EQ(answer.definitions.size(), 3001U);
}

TEST(FindReferences, ExplainsTheStepsToTheDefinition) {
  testing::CodeFixture fixture(
      {{"a.ts", "export class Box {\n  open() {}\n}\n"},
       {"b.ts", "import { Box } from './a';\nfunction f(b: Box) {\n  b.open();\n}\n"}});
  ReferenceQuery query;
  query.symbol = "Box.open";
  query.explain = true;
  const ReferenceAnswer answer = ask(fixture.workspace(), query);
  ASSERT_EQ(answer.items.size(), 2U);
  EXPECT_THAT(
      answer.items[1].chain,
      ElementsAre("'b' is declared in b.ts", "'open' is a member of an instance of 'Box' of a.ts",
                  "the definition is 'Box.open' of a.ts"));
  query.symbol = "Box";
  EXPECT_THAT(ask(fixture.workspace(), query).items[1].chain,
              ElementsAre("'Box' is imported as 'Box' from './a', which is a.ts",
                          "the definition is 'Box' of a.ts"));
}

TEST(FindReferences, ManyThreadsShareOneCache) {
  testing::CodeFixture fixture(
      {{"a.py", "def run():\n    pass\n"}, {"b.py", "from a import run\nrun()\n"}});
  FactsCache cache(1);  // every entry is pushed out by the next
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      auto lease = fixture.workspace().reader();
      ReferenceQuery query;
      query.symbol = "run";
      for (int round = 0; round < 10; ++round) {
        const auto answer = find_references(cache, **lease, query);
        if (answer.ok() && answer->items.size() == 3) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 80);
}

TEST(FindReferences, StopsWhenCancelled) {
  testing::CodeFixture fixture(Texts{{"a.py", "def run():\n    pass\nrun()\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  std::stop_source source;
  source.request_stop();
  ReferenceQuery query;
  query.symbol = "run";
  const auto answer = find_references(cache, **lease, query, source.get_token());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
}

TEST(FindReferences, ColumnsCountUtf16Units) {
  testing::CodeFixture fixture(
      Texts{{"a.ts", "function run() {}\nconst s = '\xF0\x9F\x98\x80'; run();\n"}});
  ReferenceQuery query;
  query.symbol = "run";
  EXPECT_THAT(usages(ask(fixture.workspace(), query)), ElementsAre("a.ts:2:17"));
}

}  // namespace
}  // namespace codexmem::graph
