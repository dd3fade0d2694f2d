// What an edit breaks, over a real index. The hosts' programs are in worker/edit_guard_test.py.
#include "serve/edit_guard.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "index/run/indexer.h"
#include "index/run/open_texts.h"
#include "store/code/overlay_reader.h"
#include "support/temporary_directory.h"
#include "text/json_object.h"

namespace codexmem::serve {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Texts = std::map<std::string, std::string>;

class Guarded {
 public:
  explicit Guarded(const Texts& files) {
    std::filesystem::create_directory(folder_.path() / ".git");
    for (const auto& [path, text] : files) folder_.write(path, text);
    const auto workspace = store::Workspace::open(folder_.path());
    EXPECT_TRUE(index::index_repository(**workspace, {.skip_embeddings = true}, {}, {}).ok());
  }

  std::string path(const std::string& below) const { return (folder_.path() / below).string(); }

  EditGuard::Answer write(const std::string& file, const std::string& text,
                          const std::string& session = "s") {
    return check("Write", json_object("file_path", path(file), "content", text), session);
  }
  EditGuard::Answer check(const std::string& tool, const JsonText& input,
                          const std::string& session = "s") {
    auto answer = guard_.check({.session = session,
                                .cwd = folder_.path().string(),
                                .tool_name = tool,
                                .tool_input = input.text,
                                .time = std::chrono::seconds(2)},
                               {});
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? *std::move(answer) : EditGuard::Answer();
  }
  // A tool was used on a file.
  void note(const std::string& tool, const std::string& file) {
    observe::ObservationRequest event;
    event.content_session_id = "s";
    event.tool_name = tool;
    event.tool_input = json_object("file_path", path(file), "old_string", "a", "new_string", "b");
    event.tool_response = "{}";
    event.cwd = folder_.path();
    guard_.note(event);
  }

  testing::TemporaryDirectory folder_;
  ServedRepositories repositories_{{.is_for_all = true}};
  EditGuard guard_{&repositories_};
};

// "save: a.py:3; possible b.py:4", a line each.
std::string shown(const graph::EditBreaks& breaks) {
  std::string text;
  for (const graph::EditBreak& each : breaks.breaks) {
    text += each.name + (each.new_name.empty() ? "" : " -> " + each.new_name) + ":";
    for (const auto& place : each.broken) text += fmt::format(" {}:{}", place.path, place.line);
    for (const auto& place : each.possible) {
      text += fmt::format(" ?{}:{}", place.path, place.line);
    }
    text += "\n";
  }
  return text;
}

TEST(EditGuard, NamesTheUsesThatBreak) {
  const struct {
    const char* name;
    Texts files;
    const char *edited, *text, *want;
  } cases[] = {
      {"python, a function with one more parameter",
       {{"a.py", "def f(a):\n    pass\n"}, {"b.py", "from a import f\n\nf(1)\nf(1, 2)\n"}},
       "a.py",
       "def f(a, b):\n    pass\n",
       "f: b.py:3\n"},
      {"python, one more that may be left out",
       {{"a.py", "def f(a):\n    pass\n"}, {"b.py", "from a import f\n\nf(1)\n"}},
       "a.py",
       "def f(a, b=1):\n    pass\n",
       ""},
      {"python, a method and a constructor",
       {{"a.py",
         "class A:\n    def __init__(self):\n        pass\n\n    def run_it(self, x):\n        "
         "pass\n"},
        {"b.py",
         "from a import A\n\nA().run_it(1)\nA.run_it(A(), 1)\n\n\ndef g(z):\n    z.run_it(1)\n"}},
       "a.py",
       "class A:\n    def __init__(self, y):\n        pass\n\n    def run_it(self, x, y):\n        "
       "pass\n",
       "A.__init__: b.py:3 b.py:4\nA.run_it: b.py:3 b.py:4 b.py:8\n"},
      {"python, a class method",
       {{"a.py",
         "class A:\n    @classmethod\n    def make(cls, row, flag=True):\n        return cls()\n"},
        {"b.py", "from a import A\n\nA.make(1, False)\nA.make(1)\n"}},
       "a.py",
       "class A:\n    @classmethod\n    def make(cls, row):\n        return cls()\n",
       "A.make: b.py:3\n"},
      {"java, a method that another overrides",
       {{"A.java", "package p;\n\nclass A {\n  void run() {}\n}\n"},
        {"B.java", "package p;\n\nclass B extends A {\n  @Override\n  void run() {}\n}\n"}},
       "A.java",
       "package p;\n\nclass A {\n  void walk() {}\n}\n",
       "A.run -> walk: B.java:5\n"},
      {"java, a method that the class has to have, and one with a body",
       {{"I.java", "package p;\n\ninterface I {\n  void run();\n  default void walk() {}\n}\n"},
        {"A.java",
         "package p;\n\nclass A implements I {\n  public void run() {}\n  public void walk() "
         "{}\n}\n"}},
       "A.java",
       "package p;\n\nclass A implements I {\n}\n",
       "A.run: I.java:4\n"},
      {"java, a method that the class inherits from now on",
       {{"I.java", "package p;\n\ninterface I {\n  void run();\n}\n"},
        {"B.java", "package p;\n\nclass B {\n  public void run() {}\n}\n"},
        {"A.java", "package p;\n\nclass A extends B implements I {\n  public void run() {}\n}\n"}},
       "A.java",
       "package p;\n\nclass A extends B implements I {\n}\n",
       ""},
      {"java, a method of an interface that the class leaves",
       {{"I.java", "package p;\n\ninterface I {\n  void run();\n}\n"},
        {"A.java", "package p;\n\nclass A implements I {\n  public void run() {}\n}\n"}},
       "A.java",
       "package p;\n\nclass A {\n}\n",
       ""},
      {"ruby, a hook that a subclass defines, and a method that it calls itself",
       {{"a.rb", "class A\n  def after_run\n  end\n\n  def take_part\n  end\nend\n"},
        {"b.rb",
         "require_relative 'a'\n\nclass B < A\n  def after_run\n    take_part\n  end\n\n  def "
         "take_part\n  end\nend\n"}},
       "a.rb",
       "class A\nend\n",
       "A.after_run: ?b.rb:4\n"},
      {"ruby, a method of a module that is mixed in elsewhere",
       {{"a.rb", "module A\n  def lex_sample\n  end\nend\n"},
        {"b.rb", "describe 'B' do\n  it { lex_sample.to_a }\nend\n"}},
       "a.rb",
       "module A\nend\n",
       "A.lex_sample: ?b.rb:2\n"},
      {"python, a type that is a variable elsewhere",
       {{"a.py", "class Stream:\n    pass\n\n\ndef f() -> Stream:\n    pass\n"},
        {"types_.py", "Stream = int\n"}},
       "a.py",
       "from types_ import Stream\n\n\ndef f() -> Stream:\n    pass\n",
       ""},
      {"c#, an enum of which a property has the name",
       {{"A.cs", "namespace P;\n\npublic enum RequestFormat { Xml }\n"},
        {"B.cs",
         "namespace P;\n\npublic class B {\n  public RequestFormat RequestFormat { get; set; "
         "}\n}\n"}},
       "A.cs",
       "namespace P;\n\npublic enum Format { Xml }\n",
       "P.RequestFormat -> Format: ?B.cs:4\n"},
      {"rust, an associated function",
       {{"Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\n"},
        {"src/lib.rs", "mod a;\nmod b;\n"},
        {"src/a.rs",
         "pub struct A(u8);\n\nimpl A {\n    pub fn from_part(x: u8) -> A {\n        A(x)\n    "
         "}\n}\n"},
        {"src/b.rs", "use crate::a::A;\n\nfn f() -> A {\n    A::from_part(1)\n}\n"}},
       "src/a.rs",
       "pub struct A(u8);\n",
       "A.from_part: src/b.rs:4\n"},
      {"python, a renamed function, used in its own file as well",
       {{"a.py", "def f():\n    pass\n\n\ndef g():\n    f()\n"}, {"b.py", "from a import f\n"}},
       "a.py",
       "def h():\n    pass\n\n\ndef g():\n    f()\n",
       "f -> h: a.py:6 b.py:1\n"},
      {"python, a function that moves and is imported back",
       {{"a.py", "def f():\n    pass\n"},
        {"c.py", "def f():\n    pass\n"},
        {"b.py", "from a import f\nf()\n"}},
       "a.py",
       "from c import f\n",
       ""},
      {"typescript, no longer exported",
       {{"a.ts", "export function f() {}\n"}, {"b.ts", "import { f } from './a';\nf();\n"}},
       "a.ts",
       "function f() {}\n",
       "f: b.ts:1 b.ts:2\n"},
      {"typescript, a constructor",
       {{"a.ts", "export class A { constructor(x: number) {} }\n"},
        {"b.ts", "import { A } from './a';\nnew A(1);\n"}},
       "a.ts",
       "export class A { constructor(x: number, y: number) {} }\n",
       "A.constructor: b.ts:2\n"},
      {"go, a method",
       {{"go.mod", "module m\n"},
        {"a/a.go", "package a\n\ntype T struct{}\n\nfunc (t T) Do(x int) {}\n"},
        {"b/b.go", "package b\n\nimport \"m/a\"\n\nfunc g(t a.T) {\n\tt.Do(1)\n}\n"}},
       "a/a.go",
       "package a\n\ntype T struct{}\n\nfunc (t T) Do(x int, y int) {}\n",
       "T.Do: b/b.go:6\n"},
      {"go, a method apart from its type, with a value of a type assertion",
       {{"go.mod", "module m\n"},
        {"t.go", "package m\n\ntype T struct{}\n"},
        {"a.go", "package m\n\nfunc (t T) Do(x int) {}\n"},
        {"b.go", "package m\n\nfunc g(t T, v any) {\n\tt.Do(v.(int))\n}\n"}},
       "a.go",
       "package m\n\nfunc (t T) Do(x int, y int) {}\n",
       "T.Do: b.go:4\n"},
      {"java, one of two overloads",
       {{"p/A.java", "package p;\nclass A {\n  void f(int a) {}\n  void f(int a, int b) {}\n}\n"},
        {"p/B.java",
         "package p;\nclass B {\n  void g(A a) {\n    a.f(1);\n    a.f(1, 2);\n  }\n}\n"}},
       "p/A.java",
       "package p;\nclass A {\n  void f(int a, int b) {}\n}\n",
       "A.f: p/B.java:4\n"},
      {"python, a class with its members, where its name is and where it is not",
       {{"a.py", "class Old:\n    def do_a_thing(self):\n        pass\n"},
        {"b.py", "from a import Old\n\nOld().do_a_thing()\n"},
        {"c.py", "def f(x):\n    x.do_a_thing()\n"}},
       "a.py",
       "",
       "Old: b.py:1 b.py:3\nOld.do_a_thing: c.py:2\n"},
      {"a text that cannot be read",
       {{"a.ts", "export function f() {}\n"}, {"b.ts", "import { f } from './a';\n"}},
       "a.ts",
       "export function f( {{{\n",
       ""},
      {"a body",
       {{"a.ts", "export function f() {}\n"}, {"b.ts", "import { f } from './a';\n"}},
       "a.ts",
       "export function f() { return 1; }\n",
       ""},
  };
  for (const auto& each : cases) {
    Guarded guarded(each.files);
    const auto answer = guarded.write(each.edited, each.text);
    EXPECT_EQ(shown(answer.breaks), each.want) << each.name;
    EXPECT_EQ(answer.text.empty(), *each.want == '\0') << each.name;
    EXPECT_LE(answer.text.size(), kMaxGuardBytes);
  }
}

const Texts kShop = {{"a.py", "def f(a):\n    pass\n"},
                     {"b.py", "from a import f\n\nf(1)\n"},
                     {"c.py", "from a import f\n\nf(1)\n"},
                     {"tests/test_a.py", "from a import f\n\n\ndef test_f():\n    f(1)\n"}};

TEST(EditGuard, SaysEachThingOnceASessionUnlessItGrew) {
  Guarded guarded(kShop);
  const auto input =
      json_object("file_path", guarded.path("a.py"), "old_string", "(a)", "new_string", "(a, b)");
  EXPECT_EQ(guarded.check("Edit", input).text,
            "codexmem: this edit breaks other code. f: 3 calls do not fit (it needs 2 arguments, "
            "and 1 is given): b.py:3, c.py:3, tests/test_a.py:5.");
  EXPECT_THAT(guarded.check("Edit", input).text, IsEmpty());
  EXPECT_THAT(guarded.check("Edit", input, "another").text, HasSubstr("3 calls"));
  // The files are read as they are now, whatever the index has of them.
  guarded.folder_.write("b.py", "from a import f\n\nf(1, 2)\n");
  EXPECT_THAT(guarded.check("Edit", input, "third").text, HasSubstr("2 calls"));
  guarded.folder_.write("b.py", "from a import f\n\nf(1)\nf(2)\n");
  EXPECT_THAT(guarded.check("Edit", input).text, HasSubstr("4 calls"));
}

TEST(EditGuard, IsSilentWhereItKnowsNothing) {
  Guarded guarded(kShop);
  EXPECT_THAT(guarded.write("new.py", "def g(): pass\n").text, IsEmpty());
  EXPECT_THAT(guarded.write("../outside.py", "def g(): pass\n").text, IsEmpty());
  const std::string path = guarded.path("a.py");
  EXPECT_THAT(guarded.check("Read", json_object("file_path", path)).text, IsEmpty());
  EXPECT_THAT(
      guarded
          .check("Edit", json_object("file_path", path, "old_string", "nowhere", "new_string", "b"))
          .text,
      IsEmpty());
  EXPECT_THAT(guarded.check("Edit", JsonText{"[1]"}).text, IsEmpty());
  std::filesystem::remove(path);
  std::filesystem::create_symlink("b.py", path);
  EXPECT_THAT(guarded.write("a.py", "").text, IsEmpty());
}

TEST(EditGuard, WithoutTimeForTheUsesItCountsTheFilesWithTheName) {
  const std::string user = "from a import load_all, f\nload_all()\nf()\n";
  Guarded guarded({{"a.py", "def load_all():\n    pass\n\n\ndef f():\n    pass\n"},
                   {"b.py", user},
                   {"c.py", user},
                   {"d.py", user}});
  const auto code = guarded.repositories_.reading_at(guarded.folder_.path());
  ASSERT_TRUE(code.ok());
  auto lease = (*code)->workspace.reader();
  const auto texts = index::OpenTexts::make(guarded.folder_.path());
  (*texts)->put("a.py", "def g(a):\n    pass\n");
  const auto after = store::make_overlay_reader(**lease, *(*texts)->over(**lease));
  const auto found =
      graph::find_edit_breaks((*code)->facts, **lease, *after, "a.py", graph::EditDepth::kNames);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->breaks.size(), 1U);
  EXPECT_EQ(found->breaks[0].naming_files, 3U);
  EXPECT_FALSE(found->is_complete);
}

TEST(EditGuard, AManyUsedDefinitionFitsIntoItsBytes) {
  Texts files = {{"a.py", "def f(a):\n    pass\n\n\ndef g(a):\n    pass\n"}};
  for (int i = 0; i < 60; ++i) {
    files[fmt::format("a_rather_long_folder/module_{}.py", i)] =
        "from a import f, g\n\nf(1)\ng(1)\n";
  }
  Guarded guarded(files);
  const auto answer = guarded.write("a.py", "");
  EXPECT_EQ(answer.breaks.breaks.size(), 2U);
  EXPECT_LE(answer.text.size(), kMaxGuardBytes);
  EXPECT_THAT(answer.text, HasSubstr("f is gone, 120 uses left: a_rather_long_folder/"));
  EXPECT_THAT(answer.text, HasSubstr("g is gone, 120 uses left: "));
}

TEST(EditGuard, ListsTheUsersThatTheSessionNeverOpened) {
  Guarded guarded(kShop);
  EXPECT_EQ(*guarded.guard_.list_unseen("s", {}), "");
  guarded.note("Read", "b.py");
  guarded.write("a.py", "def f(a):\n    return a\n");
  // The host may have refused the edit.
  EXPECT_EQ(*guarded.guard_.list_unseen("s", {}), "");
  guarded.note("Edit", "a.py");
  EXPECT_EQ(*guarded.guard_.list_unseen("s", {}),
            "codexmem: changed and not looked at: users of f in c.py; tests tests/test_a.py");
  EXPECT_EQ(*guarded.guard_.list_unseen("s", {}), "");
}

}  // namespace
}  // namespace codexmem::serve
