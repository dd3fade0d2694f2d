// What extends a type and what that makes of members; constructors; members that strings name.
#include "graph/core/subtypes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "graph/uses/relatives.h"
#include "graph/uses/symbol_search.h"
#include "graph/usage_case.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

class ConstructorUsages : public UsageTest {};

TEST_P(ConstructorUsages, AreCallsOfTheClass) { check(); }

const UsageCase kConstructorCases[] = {
    {"PythonInit",
     {{"a.py",
       "class Pet:\n    def __init__(self, n): pass\nclass Dog(Pet):\n"
       "    def __init__(self):\n        super().__init__(1)\nclass Cat(Pet): pass\n"},
      {"b.py", "import a\nfrom a import Cat as C, Pet\nPet(1)\nC(2)\na.Dog()\nx = Pet\n"}},
     "Pet.__init__",
     "",
     {"a.py:5:17", "b.py:3:1", "b.py:4:1"}},
    {"PythonNew",
     {{"a.py", "class Pet:\n    def __new__(cls): pass\nPet()\nPet.__new__(Pet)\n"}},
     "Pet.__new__",
     "",
     {"a.py:3:1", "a.py:4:5"}},
    {"PythonClassMethods",
     {{"a.py",
       "class Pet:\n    def __init__(self, n): pass\n    @classmethod\n    def make(cls):\n"
       "        return cls(1)\ndef cls(): pass\ncls()\n"}},
     "Pet.__init__",
     "",
     {"a.py:5:16"}},
    {"TypeScript",
     {{"a.ts",
       "export class Pet { constructor(n: number) {} }\nexport class Cat extends Pet {}\n"
       "class Dog extends Pet { constructor() { super(1); } run() { super.toString(); } }\n"
       "new Dog();\n"},
      {"b.ts", "import { Cat, Pet as P } from './a';\nnew P(1);\nnew Cat(2);\nlet t: P;\n"}},
     "Pet.constructor",
     "",
     {"a.ts:3:41", "b.ts:2:5", "b.ts:3:5"}},
    {"Php",
     {{"a.php",
       "<?php\nclass Pet { function __construct() {} static function make() { return new static; }\n"
       "  static function own() { return new self; } }\nclass Cat extends Pet {}\n"
       "class Dog extends Pet { function __construct() { parent::__construct(); } }\n"},
      {"b.php", "<?php\nnew Pet();\nnew Cat;\nnew Dog;\nCat::make();\n"}},
     "Pet.__construct",
     "",
     {"a.php:2:75", "a.php:3:38", "a.php:5:58", "b.php:2:5", "b.php:3:5"}},
};

INSTANTIATE_TEST_SUITE_P(Cases, ConstructorUsages, ::testing::ValuesIn(kConstructorCases),
                         usage_case_name);

class MixinUsages : public UsageTest {};

TEST_P(MixinUsages, AreThoseOfWhatUsesIt) { check(); }

const UsageCase kMixinCases[] = {
    {"PhpTrait",
     {{"a.php",
       "<?php\ntrait Logs { function warn() { $this->write(1); self::open(); static::open(); } }\n"
       "class Sink { function write($x) {} static function open() {} }\n"
       "class File extends Sink { use Logs; }\n"}},
     "Sink.write",
     "",
     {"a.php:2:39 likely"}},
    {"PhpTraitStatic",
     {{"a.php",
       "<?php\ntrait Logs { function warn() { self::open(); } }\n"
       "class Sink { use Logs; static function open() {} }\n"}},
     "Sink.open",
     "",
     {"a.php:2:38 likely"}},
    {"PhpAbstractClass",
     {{"a.php",
       "<?php\nabstract class Job { function go() { $this->step(); } }\n"
       "class Mail extends Job { function step() {} }\n"}},
     "Mail.step",
     "",
     {"a.php:2:45 likely"}},
    {"PythonMixin",
     {{"a.py",
       "class Logs:\n    def warn(self):\n        self.write(1)\n        self.level\n"
       "class Sink:\n    level = 1\n    def write(self, x): pass\nclass File(Logs, Sink): pass\n"}},
     "Sink.write",
     "",
     {"a.py:3:14 likely"}},
    {"JavaScriptClass",
     {{"a.js",
       "class Job { go() { this.step(); } }\nclass Mail extends Job { step() {} }\n"}},
     "Mail.step",
     "",
     {"a.js:1:25 likely"}},
};

INSTANTIATE_TEST_SUITE_P(Cases, MixinUsages, ::testing::ValuesIn(kMixinCases), usage_case_name);

class TextMemberUsages : public UsageTest {};

TEST_P(TextMemberUsages, AreThoseOfWhatIsNamed) { check(); }

const UsageCase kTextMemberCases[] = {
    {"PythonAttributes",
     {{"a.py",
       "class Box:\n    __slots__ = ('size', \"depth\")\n    def __init__(self):\n"
       "        self.size = 1\ndef f(b: Box):\n    getattr(b, 'size')\n    setattr(b, \"size\", 2)\n"
       "    hasattr(b, 'size')\n"}},
     "Box.size",
     "",
     {"a.py:2:19", "a.py:6:17", "a.py:7:17", "a.py:8:17"}},
    {"PythonModules",
     {{"m.py", "def size(): pass\n"},
      {"a.py", "import m\nsetattr(m, 'size', 1)\nm.size()\n"}},
     "size",
     "m.py",
     {"a.py:3:3", "a.py:2:13 possible"},
     0,
     Confidence::kPossible},
    {"PythonOtherClass",
     {{"a.py",
       "class Box:\n    size = 1\nclass Bag:\n    size = 1\ndef f(b: Bag):\n"
       "    getattr(b, 'size')\n"}},
     "Box.size",
     "",
     {}},
    {"PythonCopies",
     {{"a.py",
       "from dataclasses import dataclass, replace\nfrom typing import NamedTuple\n"
       "@dataclass\nclass Box:\n    size: int\nclass Pair(NamedTuple):\n    size: int\n"
       "def f(b: Box, p: Pair):\n    replace(b, size=2)\n    p._replace(size=3)\n"}},
     "Pair.size",
     "",
     {"a.py:10:16"}},
    {"JavaScriptKeys",
     {{"a.ts",
       "class Box { size = 1; grow() {} }\nfunction f(b: Box) { b['size']; b[\"grow\"](); }\n"}},
     "Box.grow",
     "",
     {"a.ts:2:36"}},
    {"PhpCallables",
     {{"a.php",
       "<?php\nnamespace A;\nclass Job { public $run; function run() {}\n"
       "  function go() { array_map([$this, 'run'], []); array_map('A\\Job::run', []);\n"
       "    array_map([Job::class, \"run\"], []); return ['x', 'run']; } }\n"}},
     "Job.run",
     "",
     {"a.php:4:38", "a.php:4:68", "a.php:5:29"}},
};

INSTANTIATE_TEST_SUITE_P(Cases, TextMemberUsages, ::testing::ValuesIn(kTextMemberCases),
                         usage_case_name);

class StubUsages : public UsageTest {};

TEST_P(StubUsages, AreThoseOfWhatItDescribes) { check(); }

const std::map<std::string, std::string> kStubFiles = {
    {"m.py", "class Box:\n    def size(self): return 1\n"},
    {"m.pyi", "class Box:\n    def size(self) -> int: ...\n"},
    {"use.py", "from m import Box\nBox().size()\n"}};

const UsageCase kStubCases[] = {
    {"Implementation", kStubFiles, "Box.size", "m.py", {"use.py:2:7"}},
    {"Stub", kStubFiles, "Box.size", "m.pyi", {"use.py:2:7"}},
};

INSTANTIATE_TEST_SUITE_P(Cases, StubUsages, ::testing::ValuesIn(kStubCases), usage_case_name);

class AmbientUsages : public UsageTest {};

TEST_P(AmbientUsages, AreAtLeastNamed) { check(); }

const std::map<std::string, std::string> kAmbientFiles = {
    {"add.ts",
     "import { Req } from 'server';\ndeclare module 'server' { interface Req { user: string } }\n"
     "declare global { interface Array<T> { last(): T } }\n"},
    {"use.ts",
     "import * as server from 'server';\n"
     "export function f(r: server.Req, a: number[], s: server.Other) {\n"
     "  r.user; a.last(); s.user;\n}\n"}};

const UsageCase kAmbientCases[] = {
    {"AddedToAPackage", kAmbientFiles, "Req.user", "", {"use.ts:3:5", "use.ts:3:23 possible"}, 0, Confidence::kPossible},
    {"AddedToTheLibrary", kAmbientFiles, "Array.last", "", {"use.ts:3:13 possible"}, 0, Confidence::kPossible},
};

INSTANTIATE_TEST_SUITE_P(Cases, AmbientUsages, ::testing::ValuesIn(kAmbientCases),
                         usage_case_name);

struct JoinedCase {
  std::string name;
  std::string file, text;
  std::string above, below;  // of which the second implements the first for a third type
};

class JoinedMembers : public ::testing::TestWithParam<JoinedCase> {};

TEST_P(JoinedMembers, StandAboveEachOther) {
  const JoinedCase& c = GetParam();
  testing::CodeFixture fixture(std::map<std::string, std::string>{{c.file, c.text}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto names = [&](const std::string& symbol, const std::string& relation) {
    const auto symbols = find_symbols(**lease, {.symbol = symbol});
    const auto found =
        find_relatives(cache, **lease, symbols->results, *parse_relation(relation), 20);
    EXPECT_TRUE(found.ok());
    std::vector<std::string> all;
    for (const Relative& each : found->found) all.push_back(each.match.symbol.qualified_name());
    return all;
  };
  EXPECT_EQ(names(c.above, "overrides"), (std::vector<std::string>{c.below}));
  EXPECT_EQ(names(c.below, "overridden_by"), (std::vector<std::string>{c.above}));
}

const JoinedCase kJoinedCases[] = {
    {"Java", "a.java",
     "interface Runs { void run(); }\nclass Base { public void run() {} }\n"
     "class Job extends Base implements Runs {}\n",
     "Runs.run", "Base.run"},
    {"Kotlin", "a.kt",
     "interface Runs { fun run() }\nopen class Base { fun run() {} }\nclass Job : Runs, Base()\n",
     "Runs.run", "Base.run"},
    {"CSharp", "a.cs",
     "interface Runs { void Run(); }\nclass Base { public void Run() {} }\n"
     "class Job : Base, Runs {}\n",
     "Runs.Run", "Base.Run"},
    {"TypeScript", "a.ts",
     "interface Runs { run(): void }\nclass Base { run() {} }\n"
     "class Job extends Base implements Runs {}\n",
     "Runs.run", "Base.run"},
    {"PhpTrait", "a.php",
     "<?php\ninterface Runs { function run(); }\ntrait Base { function run() {} }\n"
     "class Job implements Runs { use Base; }\n",
     "Runs.run", "Base.run"},
    {"Python", "a.py",
     "class Runs:\n    def run(self): raise NotImplementedError\n"
     "class Base:\n    def run(self): pass\nclass Job(Base, Runs): pass\n",
     "Runs.run", "Base.run"},
    {"ThroughASubclass", "b.java",
     "interface Runs { void run(); }\ninterface More extends Runs {}\n"
     "class Base { public void run() {} }\nclass Mid extends Base {}\n"
     "class Job extends Mid implements More {}\n",
     "Runs.run", "Base.run"},
};

INSTANTIATE_TEST_SUITE_P(Cases, JoinedMembers, ::testing::ValuesIn(kJoinedCases),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace codexmem::graph
