#include "index/changes/changed_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "support/growth.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ChangedSymbolsTest : public ::testing::Test {
 protected:
  ChangedSymbolsTest() { tree_.git("init -q"); }

  void commit() {
    tree_.git("add -A");
    tree_.git("commit -qm before");
  }

  ChangedCode find(bool is_staged = false) {
    const auto changes =
        GitChanges::find(tree_.root(), tree_.root(), {.since = "", .is_staged = is_staged});
    auto found = find_changed_symbols(tree_.root(), changes.value(), {});
    EXPECT_TRUE(found.ok());
    return *std::move(found);
  }

  // "body greet", "renamed hello was greet", "moved src/b.py::f was src/a.py::f".
  std::vector<std::string> described(bool is_staged = false) {
    std::vector<std::string> list;
    for (const ChangedSymbol& symbol : find(is_staged).symbols) {
      std::string line(symbol_change_name(symbol.change));
      line += " " + (symbol.old_path.empty() ? "" : symbol.path + "::") + symbol.name;
      if (!symbol.old_name.empty()) {
        line += " was " + (symbol.old_path.empty() ? "" : symbol.old_path + "::") + symbol.old_name;
      }
      list.push_back(std::move(line));
    }
    return list;
  }

  TemporaryTree tree_;
};

constexpr char kGreeter[] =
    "import os\n"
    "\n"
    "LIMIT = 3\n"
    "\n"
    "class Greeter:\n"
    "    \"\"\"Greets.\"\"\"\n"
    "    def greet(self, name):\n"
    "        if name:\n"
    "            print(name)\n"
    "        return name\n"
    "\n"
    "    def part(self):\n"
    "        return os.getcwd()\n"
    "\n"
    "def helper(a, b):\n"
    "    total = a + b * LIMIT\n"
    "    return total - a\n";

std::string with(std::string text, const std::string& old, const std::string& other) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), other);
}

TEST_F(ChangedSymbolsTest, ReportsTheChangesOfADefinition) {
  tree_.write("a.py", kGreeter);
  commit();
  EXPECT_THAT(described(), IsEmpty());
  tree_.write("a.py", with(kGreeter, "print(name)", "print(name, 1)"));
  EXPECT_THAT(described(), ElementsAre("body Greeter.greet")) << "the class is as it was";
  tree_.write("a.py", with(kGreeter, "greet(self, name)", "greet(self, name, loud=False)"));
  EXPECT_THAT(described(), ElementsAre("signature Greeter.greet"));
  tree_.write("a.py", with(kGreeter, "LIMIT = 3", "LIMIT = 4"));
  EXPECT_THAT(described(), ElementsAre("body LIMIT"));
  tree_.write("a.py", std::string(kGreeter) + "\ndef more():\n    pass\n");
  EXPECT_THAT(described(), ElementsAre("added more"));
  tree_.write("a.py", with(kGreeter, "    def part(self):\n        return os.getcwd()\n", ""));
  EXPECT_THAT(described(), ElementsAre("removed Greeter.part"));
}

TEST_F(ChangedSymbolsTest, CommentsAndFormattingAreNoChange) {
  tree_.write("a.py", kGreeter);
  tree_.write("b.ts", "export function f(a: number) { return a + 1; }\n");
  commit();
  tree_.write("a.py",
              with(kGreeter, "            print(name)", "            print( name )  # aloud"));
  tree_.write("b.ts", "// adds\nexport function f(a: number) {\n  return a + 1;\n}\n");
  const ChangedCode found = find();
  EXPECT_THAT(found.symbols, IsEmpty());
  EXPECT_THAT(found.text_only, ElementsAre("a.py", "b.ts"));
  // Only the indentation says that this is another program.
  tree_.write("a.py", with(kGreeter, "            print(name)\n        return name\n",
                           "            print(name)\n            return name\n"));
  EXPECT_THAT(described(), ElementsAre("body Greeter.greet"));
}

TEST_F(ChangedSymbolsTest, KnowsCodeByItsTokensUnderAnotherNameAndElsewhere) {
  tree_.write("a.py", kGreeter);
  commit();
  tree_.write("a.py", with(kGreeter, "def helper(", "def weigh("));
  EXPECT_THAT(described(), ElementsAre("renamed weigh was helper"));
  const std::string helper = "def helper(a, b):\n    total = a + b * LIMIT\n    return total - a\n";
  tree_.write("a.py", with(kGreeter, helper, ""));
  tree_.write("b.py", helper);
  EXPECT_THAT(described(), ElementsAre("moved b.py::helper was a.py::helper"));
  // The same place, kind and callers' view: renamed although its body is other, too.
  std::filesystem::remove(tree_.root() / "b.py");
  tree_.write("a.py", with(with(kGreeter, "def helper(", "def weigh("), "total - a", "total - b"));
  EXPECT_THAT(described(), ElementsAre("renamed weigh was helper"));
}

TEST_F(ChangedSymbolsTest, OverloadsAreMatchedByTheirCode) {
  const std::string two = "  int f(int a) { return a; }\n  int f(String s) { return 2; }\n}\n";
  tree_.write("A.java", "class A {\n" + two);
  commit();
  tree_.write("A.java", "class A {\n  int f(long l, int b) { return b; }\n" + two);
  EXPECT_THAT(described(), ElementsAre("added A.f"));
  EXPECT_EQ(find().symbols.front().line, 2U);
}

TEST_F(ChangedSymbolsTest, OtherCodeUnderAnotherNameIsNoRename) {
  tree_.write("a.py", "DEFAULTS = {1: 2, 3: 4}\n\ndef load():\n    return open('a').read()\n");
  commit();
  tree_.write("a.py", "TIMEOUT = 5\n\ndef stop():\n    raise SystemExit\n");
  EXPECT_THAT(described(),
              ElementsAre("removed DEFAULTS", "added TIMEOUT", "removed load", "added stop"));
}

// One line each and all the same: distinguishing them takes no more time than reading them.
TEST_F(ChangedSymbolsTest, ManyDefinitionsTakeTheirTimeOnce) {
  // A sanitizer's program reads few in the time for a parse.
  constexpr std::size_t kMany = CODEXMEM_SLOWNESS == 1 ? 20000 : 1000;
  std::string text;
  for (std::size_t i = 0; i < kMany; ++i)
    text += "function f" + std::to_string(i) + "() { return g(1, 2, 3); }\n";
  tree_.write("a.js", text);
  commit();
  tree_.git("mv a.js b.js");
  const auto begin = testing::ProcessorClock::now();
  EXPECT_EQ(find().symbols.size(), kMany);
  EXPECT_LT(testing::ProcessorClock::now() - begin, std::chrono::seconds(30 * CODEXMEM_SLOWNESS));
}

TEST_F(ChangedSymbolsTest, CodeOutsideOfDefinitionsIsOfTheFile) {
  tree_.write("a.py", std::string(kGreeter) + "\nprint(helper(1, 2))\n");
  commit();
  tree_.write("a.py", "import sys\n" + std::string(kGreeter) + "\nprint(helper(1, 2))\n");
  EXPECT_THAT(find().top_level, IsEmpty()) << "imports are seen by what uses them";
  EXPECT_THAT(find().text_only, IsEmpty());
  tree_.write("a.py", std::string(kGreeter) + "\nprint(helper(1, 3))\n");
  EXPECT_THAT(find().top_level, ElementsAre("a.py"));
  EXPECT_THAT(described(), IsEmpty());
}

TEST_F(ChangedSymbolsTest, WholeFilesAndFilesThatAreNotCode) {
  tree_.write("a.py", kGreeter);
  tree_.write("notes.md", "# Notes\n");
  commit();
  std::filesystem::remove(tree_.root() / "a.py");
  tree_.write("c.py", "def f():\n    return 1\n");
  tree_.write("notes.md", "# More\n");
  tree_.write("picture.png", std::string("\x89PNG\0\0", 6));
  EXPECT_THAT(described(),
              ElementsAre("removed LIMIT", "removed Greeter", "removed helper", "added f"))
      << "what is inside of a class goes with it";
  const ChangedCode found = find();
  EXPECT_THAT(found.files, ElementsAre("a.py", "c.py", "notes.md", "picture.png"));
  ASSERT_EQ(found.unread.size(), 1U);
  EXPECT_EQ(found.unread.front().first, "notes.md");
}

TEST_F(ChangedSymbolsTest, StagedAndWorkTreeAreTwoChanges) {
  tree_.write("a.py", kGreeter);
  commit();
  tree_.write("a.py", with(kGreeter, "LIMIT = 3", "LIMIT = 4"));
  tree_.git("add -A");
  tree_.write("a.py", with(kGreeter, "total - a", "total"));
  EXPECT_THAT(described(true), ElementsAre("body LIMIT"));
  EXPECT_THAT(described(), ElementsAre("body helper"));
}

}  // namespace
}  // namespace codexmem::index
