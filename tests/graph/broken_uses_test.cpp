// Two states by hand. The many cases are in tests/git/check_test.py, with the program.
#include "graph/uses/broken_uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "graph/core/language_semantics.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Texts = std::map<std::string, std::string>;

std::vector<std::string> lines(const std::vector<BrokenUse>& uses) {
  std::vector<std::string> list;
  for (const BrokenUse& use : uses) {
    const char* kind = use.kind == BrokenUse::Kind::kImport ? "import"
                       : use.kind == BrokenUse::Kind::kName ? "name"
                                                            : "use";
    list.push_back(use.path + ":" + std::to_string(use.position.line) + " " + kind + " " +
                   use.name);
  }
  return list;
}

struct Answer {
  std::vector<std::string> suspects, broken, unchecked;
};

Answer ask(const Texts& before, const Texts& after, const ChangeScope& scope) {
  testing::CodeFixture old(before), now(after);
  auto old_reader = old.workspace().reader(), reader = now.workspace().reader();
  FactsCache old_cache, cache;
  auto suspects = find_suspects(cache, **reader, scope, {});
  EXPECT_TRUE(suspects.ok()) << (suspects.ok() ? "" : suspects.error().message());
  EXPECT_TRUE(suspects->is_complete);
  Answer answer{lines(suspects->broken), {}, lines(suspects->unchecked)};
  const auto broken = keep_broken(old_cache, **old_reader, scope, suspects->broken, {});
  EXPECT_TRUE(broken.ok()) << (broken.ok() ? "" : broken.error().message());
  answer.broken = lines(*broken);
  return answer;
}

ChangeScope changed(const std::string& path, std::vector<GoneSymbol> gone = {}) {
  ChangeScope scope;
  scope.changed = {path};
  scope.gone = std::move(gone);
  return scope;
}

TEST(BrokenUses, AUseOfWhatIsGoneInAFileThatHasNotChanged) {
  const std::string user = "from a import f, g\n\nf()\ng()\n";
  const Answer answer = ask(
      {{"a.py", "def f():\n    pass\n\n\ndef g():\n    pass\n"}, {"b.py", user}},
      {{"a.py", "def g():\n    pass\n"}, {"b.py", user}}, changed("a.py", {{"a.py", "f", "f"}}));
  EXPECT_THAT(answer.broken, ElementsAre("b.py:1 name f"));
}

TEST(BrokenUses, ASuspectThatMeantNothingBeforeIsNoNews) {
  const std::string user = "import { x } from './missing';\nimport { no } from './b';\n";
  const Answer answer =
      ask({{"a.ts", user}, {"b.ts", "export const b = 1;\n"}},
          {{"a.ts", user + "x(no);\n"}, {"b.ts", "export const b = 1;\n"}}, changed("a.ts"));
  EXPECT_THAT(answer.suspects, ElementsAre("a.ts:1 import ./missing", "a.ts:2 name no"));
  EXPECT_THAT(answer.broken, IsEmpty());
}

TEST(BrokenUses, ANewImportCountsUnlessItMayFailOrComesFromOutside) {
  const Answer answer = ask(
      {{"a.py", "x = 1\n"}, {"pkg/__init__.py", ""}, {"pkg/core.py", ""}},
      {{"a.py",
        "from pkg import core, nothing\nimport re\ntry:\n    from .fast import f\nexcept "
        "ImportError:\n    f = None\n"},
       {"pkg/__init__.py", ""}},
      {.changed = {"a.py", "pkg/core.py"}, .deleted = {"pkg/core.py"}, .gone = {}, .imports = {}});
  EXPECT_THAT(answer.broken, ElementsAre("a.py:1 name core", "a.py:1 name nothing"));
}

TEST(BrokenUses, ImportsOfAFileThatIsGoneAreLookedForInAllFiles) {
  const std::string user = "import { a } from './a';\na;\n";
  const Answer answer =
      ask({{"a.ts", "export const a = 1;\n"}, {"b.ts", user}}, {{"b.ts", user}},
          {.changed = {"a.ts"}, .deleted = {"a.ts"}, .gone = {{"a.ts", "a", "a"}}, .imports = {}});
  EXPECT_THAT(answer.broken, ElementsAre("b.ts:1 import ./a"));
}

TEST(BrokenUses, FunctionsOfANamespaceAreMissedInOtherFiles) {
  const std::string user =
      "#include \"a.hpp\"\nnamespace n { void f() { fail(1); } }\nvoid g() { n::fail(2); }\n";
  const ChangeScope scope = changed("a.hpp", {{"a.hpp", "fail", "n.fail", family_of("cpp")}});
  const Answer answer =
      ask(Texts{{"a.hpp", "namespace n { void fail(int code); }\n"}, {"u.cpp", user}},
          Texts{{"a.hpp", "namespace n { void fail_with(int code); }\n"}, {"u.cpp", user}}, scope);
  EXPECT_THAT(answer.broken, ElementsAre("u.cpp:2 use fail", "u.cpp:3 use fail"));
}

TEST(BrokenUses, FieldsThatAreWrittenAreUsed) {
  const std::string user =
      "#include \"a.h\"\nint f(struct s *s) {\n  s->count = 1;\n  return s->count;\n}\n";
  const Answer answer = ask(Texts{{"a.h", "struct s { int count; };\n"}, {"u.c", user}},
                            Texts{{"a.h", "struct s { int number; };\n"}, {"u.c", user}},
                            changed("a.h", {{"a.h", "count", "s.count", family_of("c")}}));
  EXPECT_THAT(answer.broken, ElementsAre("u.c:3 use count", "u.c:4 use count"));
}

// issue 18: such uses were passed over in silence.
TEST(BrokenUses, AReceiverOfUnknownTypeIsNotCheckedIfNobodyElseHasSuchAMember) {
  const std::string user = "def f(anything):\n    anything.locate()\n    anything.find()\n";
  const std::string methods =
      "    def locate(self):\n        pass\n\n    def find(self):\n        pass\n";
  const ChangeScope scope = changed("a.py", {{"a.py", "locate", "A.locate", Family::kPython, false},
                                             {"a.py", "find", "A.find", Family::kPython, false}});
  const Texts before = {{"a.py", "class A:\n" + methods}, {"b.py", user}};
  const Answer answer = ask(before, {{"a.py", "class A:\n    pass\n"}, {"b.py", user}}, scope);
  EXPECT_THAT(answer.broken, IsEmpty());
  EXPECT_THAT(answer.unchecked, ElementsAre("b.py:2 use locate"));  // find() is the library's too
  const Answer other = ask(
      before, {{"a.py", "class A:\n    pass\n\n\nclass B:\n" + methods}, {"b.py", user}}, scope);
  EXPECT_THAT(other.unchecked, IsEmpty());
}

// The namespaces of `namespace a::b` are no symbols.
TEST(BrokenUses, AMethodOfAClassInANamespace) {
  const std::string user = "#include \"a.hpp\"\nvoid g(a::b::T& t) {\n  t.run();\n  t.stay();\n}\n";
  const std::string head = "namespace a::b {\nclass T {\n public:\n  void stay();\n";
  const Answer answer = ask(Texts{{"a.hpp", head + "  void run();\n};\n}\n"}, {"u.cpp", user}},
                            Texts{{"a.hpp", head + "};\n}\n"}, {"u.cpp", user}},
                            changed("a.hpp", {{"a.hpp", "run", "a.b.T.run", family_of("cpp")}}));
  EXPECT_THAT(answer.suspects, ElementsAre("u.cpp:3 use run"));
  EXPECT_THAT(answer.broken, ElementsAre("u.cpp:3 use run"));
}

TEST(BrokenUses, AMethodOfPhp) {
  const std::string use =
      "<?php\nnamespace B;\nuse A\\Box;\nfunction f(Box $b) {\n  $b->go();\n  $b->stop();\n}\n";
  const Answer answer = ask(
      {{"Box.php", "<?php\nnamespace A;\nclass Box { function go() {} function stop() {} }\n"},
       {"use.php", use}},
      {{"Box.php", "<?php\nnamespace A;\nclass Box { function stop() {} }\n"}, {"use.php", use}},
      changed("Box.php", {{"Box.php", "go", "A.Box.go"}}));
  EXPECT_THAT(answer.broken, ElementsAre("use.php:5 use go"));
}

TEST(BrokenUses, AMethodOfKotlin) {
  const std::string use =
      "package c\nimport a.b.Box\nfun run() {\n  Box().go()\n  Box().stop()\n}\n";
  const Answer answer = ask(
      {{"src/A.kt", "package a.b\nclass Box { fun go() {}\n fun stop() {} }\n"}, {"use.kt", use}},
      {{"src/A.kt", "package a.b\nclass Box { fun stop() {} }\n"}, {"use.kt", use}},
      changed("src/A.kt", {{"src/A.kt", "go", "Box.go"}}));
  EXPECT_THAT(answer.broken, ElementsAre("use.kt:4 use go"));
}

TEST(BrokenUses, AMethodOfAPartialClassOfCSharp) {
  const std::string use =
      "namespace A;\nclass Use {\n  void F(Box b) {\n    b.Go();\n    b.Stop();\n  }\n}\n";
  const std::string part = "namespace A; partial class Box { public void Stop() { } }\n";
  const Answer answer =
      ask({{"Box.cs", "namespace A; partial class Box { public void Go() { } }\n"},
           {"Part.cs", part},
           {"Use.cs", use}},
          {{"Box.cs", "namespace A; partial class Box { }\n"}, {"Part.cs", part}, {"Use.cs", use}},
          changed("Box.cs", {{"Box.cs", "Go", "A.Box.Go"}}));
  EXPECT_THAT(answer.broken, ElementsAre("Use.cs:4 use Go"));
}

TEST(BrokenUses, TheSearchCanBeCancelled) {
  testing::CodeFixture fixture(Texts{{"a.ts", "import { x } from './b';\n"}});
  auto reader = fixture.workspace().reader();
  FactsCache cache;
  std::stop_source stop;
  stop.request_stop();
  const auto suspects = find_suspects(cache, **reader, changed("a.ts"), stop.get_token());
  EXPECT_EQ(suspects.error().code(), ErrorCode::kCancelled);
}

TEST(LanguageSemantics, NamesOfTheLibraryNeedNoDefinition) {
  const auto is_global = [](std::string_view language, std::string_view name) {
    return semantics_of(family_of(language)).library().has("globals", name);
  };
  EXPECT_TRUE(is_global("python", "print"));
  EXPECT_TRUE(is_global("typescript", "fetch"));
  EXPECT_FALSE(is_global("python", "fetch"));
  EXPECT_FALSE(is_global("typescript", "len"));
  EXPECT_TRUE(is_global("go", "len"));
  EXPECT_FALSE(is_global("rust", "len"));
}

}  // namespace
}  // namespace codexmem::graph
