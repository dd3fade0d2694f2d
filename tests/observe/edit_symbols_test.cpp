#include "observe/intake/edit_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "support/growth.h"

namespace codexmem::observe {
namespace {

struct Case {
  std::string_view name, path;
  TextChange change;
  std::vector<std::string> added, changed, removed, renamed, tests;
  std::string_view place = "";
};

const Case kCases[] = {
    {"a function more",
     "src/auth.ts",
     {"export function logout() { return 1; }\n",
      "export function logout() { return 1; }\nexport function login(name: string) { return 2; }\n",
      "", true},
     {"login()"},
     {},
     {},
     {},
     {}},
    {"a method changed, its class not told",
     "src/session.ts",
     {"class Session {\n  a() { return 1; }\n  refresh() { return 1; }\n}\n",
      "class Session {\n  a() { return 1; }\n  refresh() { return 2; }\n}\n", "", true},
     {},
     {"Session.refresh()"},
     {},
     {},
     {}},
    {"a new class is told without its methods",
     "a.py",
     {"", "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n",
      "", true},
     {"A"},
     {},
     {},
     {},
     {}},
    {"a function gone",
     "a.go",
     {"package a\n\nfunc F() int { return 1 }\n\nfunc G() int { return 2 }\n",
      "package a\n\nfunc G() int { return 2 }\n", "", true},
     {},
     {},
     {"F()"},
     {},
     {}},
    {"renamed",
     "a.py",
     {"def old_name(a):\n    return a + 1\n", "def new_name(a):\n    return a + 1\n", "", true},
     {},
     {},
     {},
     {"old_name() to new_name()"},
     {}},
    {"indentation alone",
     "a.py",
     {"def f(a):\n    return a + 1\n", "def f(a):\n        return a + 1\n", "", true},
     {},
     {},
     {},
     {},
     {}},
    {"overloads",
     "a.cpp",
     {"int f(int a) { return a; }\nint f(long a) { return 1; }\n",
      "int f(int a) { return a; }\nint f(long a) { return 2; }\n", "", true},
     {},
     {"f()"},
     {},
     {},
     {}},
    {"a fragment with a function",
     "a.py",
     {"    x = 1\n", "    x = 1\n\ndef helper():\n    return 3\n", "", false},
     {"helper()"},
     {},
     {},
     {},
     {}},
    {"a fragment of members",
     "a.ts",
     {"  async refresh(): Promise<void> {\n    await this.a();\n  }",
      "  async refresh(): Promise<void> {\n    await this.b();\n  }\n\n  close(): void {\n    "
      "this.a();\n  }",
      "", false},
     {"close()"},
     {"refresh()"},
     {},
     {},
     {}},
    {"a fragment whose first line has no indentation",
     "A.java",
     {"public int size() {\n        return 1;\n    }",
      "public int size() {\n        return 2;\n    }", "", false},
     {},
     {"size()"},
     {},
     {},
     {}},
    {"local variables of a fragment are not told",
     "a.js",
     {"const a = 1;\n  return a;", "const a = 2;\n  const b = 3;\n  return a + b;", "", false},
     {},
     {},
     {},
     {},
     {}},
    {"the heading of a patch",
     "a.go",
     {"\tx := 1\n", "\tx := 2\n", "func (s *Session) Close(ctx context.Context) error {", false},
     {},
     {},
     {},
     {},
     {},
     "Close()"},
    {"a heading of C",
     "a.c",
     {"  x = 1;\n", "  x = 2;\n", "static void reset(Session* s) {", false},
     {},
     {},
     {},
     {},
     {},
     "reset()"},
    {"tests by their sentences",
     "a.test.ts",
     {"describe('a', () => {\n  it('stays', () => {});\n});\n",
      "describe('a', () => {\n  it('stays', () => {});\n  it('says hello', () => {});\n});\n", "",
      true},
     {},
     {},
     {},
     {},
     {"says hello"}},
    {"headings of a document",
     "docs/a.md",
     {"# A\n\n## Old\n\ntext\n", "# A\n\n## New\n\ntext\n", "", true},
     {"New"},
     {},
     {"Old"},
     {},
     {}},
    {"keys of a configuration",
     "package.json",
     {"{\n  \"version\": \"1.0.0\",\n  \"type\": \"module\"\n}\n",
      "{\n  \"version\": \"1.1.0\",\n  \"type\": \"module\",\n  \"license\": \"MIT\"\n}\n", "",
      true},
     {"license"},
     {"version", "type"},
     {},
     {},
     {}},
    {"no grammar",
     "lib/a.cr",
     {"class A\n  def f\n  end\nend\n",
      "class A\n  def f\n  end\n\n  def self.build(a)\n  end\nend\n", "", true},
     {"build()"},
     {},
     {},
     {},
     {}},
    {"statements are no members",
     "a.java",
     {"    int key = 1;\n    if (a) {\n      b();\n    }",
      "    int key = 2;\n    if (a) {\n      c();\n    } else {\n      d();\n    }", "", false},
     {},
     {},
     {},
     {},
     {}},
    {"a fragment that begins in a comment",
     "A.java",
     {"   * defines a (new) thing.\n   */\n  public int size() {\n    return 1;\n  }\n",
      "   * defines another (new) thing.\n   */\n  public int size() {\n    return 2;\n  }\n", "",
      false},
     {},
     {"size()"},
     {},
     {},
     {}},
    {"a shell function",
     "a.sh",
     {"", "deploy() {\n  true\n}\n", "", true},
     {"deploy()"},
     {},
     {},
     {},
     {}},
};

TEST(EditReader, NamesWhatCameChangedAndWent) {
  EditReader reader;
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    const EditSymbols edit = reader.read(one.path, {one.change});
    EXPECT_EQ(edit.added, one.added);
    EXPECT_EQ(edit.changed, one.changed);
    EXPECT_EQ(edit.removed, one.removed);
    EXPECT_EQ(edit.renamed, one.renamed);
    EXPECT_EQ(edit.tests, one.tests);
    EXPECT_EQ(edit.place, one.place);
  }
}

TEST(EditReader, CountsLinesAndSeesWhiteSpace) {
  EditReader reader;
  const EditSymbols lines = reader.read("a.txt", {{"a\nb\nc\n", "a\nx\nc\nd\n", "", true}});
  EXPECT_EQ(lines.lines_added, 2U);
  EXPECT_EQ(lines.lines_removed, 1U);
  EXPECT_FALSE(lines.only_white_space);
  const EditSymbols space = reader.read("a.py", {{"if a:\n  b()\n", "if a:\n    b()\n", "", true}});
  EXPECT_TRUE(space.only_white_space);
}

TEST(EditReader, HostileTextsTakeLinearTime) {
  EditReader reader;
  const auto start = testing::ProcessorClock::now();
  for (const std::string_view part :
       {"function f(){}\n", "class A{", "((((", "{\n", "def f(): pass\n", "it('", "a.b.c ", "\n"}) {
    std::string text;
    while (text.size() < kMaxEditBytes / 16) text += part;
    for (const std::string_view path : {"a.ts", "a.cpp", "a.rb", "a.json"}) {
      const EditSymbols edit =
          reader.read(path, {{text, text + "x", "", true}, {text + "y", "", "((((", false}});
      EXPECT_LE(edit.added.size(), kMaxSymbolsOfEdit);
    }
  }
  EXPECT_LT(testing::ProcessorClock::now() - start, std::chrono::seconds(60 * CODEXMEM_SLOWNESS));
}

}  // namespace
}  // namespace codexmem::observe
