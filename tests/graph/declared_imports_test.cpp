// Imports that name declarations lead to the files that declare them, whatever those are called.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

struct ImportCase {
  std::string name;
  std::map<std::string, std::string> files;
  std::string source;
  std::vector<std::string> want;  // of each row the target, with a package its folder and "/"
};

class DeclaredImports : public ::testing::TestWithParam<ImportCase> {};

TEST_P(DeclaredImports, LeadToTheirFiles) {
  testing::CodeFixture fixture(GetParam().files);
  auto reader = fixture.workspace().reader();
  const auto source = (*reader)->find_file(GetParam().source);
  const auto rows = (*reader)->list_dependencies(source.value()->id);
  ASSERT_TRUE(rows.ok());
  std::vector<std::string> found;
  for (const store::DependencyRow& row : *rows) {
    if (!row.target) {
      found.push_back(row.is_external ? "external " + row.package : "nothing");
    } else {
      const auto target = (*reader)->find_file(*row.target);
      found.push_back(row.package.ends_with('/') ? row.package : target.value()->path);
    }
  }
  EXPECT_EQ(found, GetParam().want);
}

const ImportCase kCases[] = {
    {"MembersOfPackagesOfKotlin",
     {{"src/x/Util.kt",
       "package a.b\nfun go() {}\nval Int.size get() = 1\nclass Box { object In }\n"},
      {"src/x/More.kt", "package a.b\nfun go(n: Int) {}\nprivate fun size() {}\n"},
      {"src/x/Other.kt", "package a.c\nfun go() {}\nclass Box\n"},
      {"src/use.kt",
       "package u\nimport a.b.go\nimport a.b.size\nimport a.b.Box\nimport a.b.Box.In\n"
       "import a.b.none\n"}},
     "src/use.kt",
     {"src/x/More.kt", "src/x/Util.kt", "src/x/Util.kt", "src/x/Util.kt", "src/x/Util.kt",
      "external a.b.none"}},
    {"OfSeveralPlatformsTheNearest",
     {{"src/common/A.kt", "package a\nexpect fun go()\n"},
      {"src/js/A.kt", "package a\nactual fun go() {}\n"},
      {"src/jvm/A.kt", "package a\nactual fun go() {}\n"},
      {"src/jvm/use.kt", "package u\nimport a.go\n"}},
     "src/jvm/use.kt",
     {"src/jvm/A.kt"}},
    {"PackagesOfKotlinAreFolders",
     {{"main/a/b/A.kt", "package a.b\nclass A\n"},
      {"main/a/b/B.kt", "package a.b\nclass B\n"},
      {"test/a/b/T.kt", "package a.b\nclass T\n"},
      {"test/use.kt", "package u\nimport a.b.*\n"}},
     "test/use.kt",
     {"main/a/b/"}},
    {"NamespacesAndTypesOfCSharp",
     {{"lib/One.cs", "namespace A.B;\nclass One {}\nclass Two<T> {}\n"},
      {"lib/Three.cs", "namespace A.B { class Three {} }\n"},
      {"far/Four.cs", "namespace A.B { class Four {} }\nnamespace A { class Top {} }\n"},
      {"Use.cs",
       "using A.B;\nusing X = A.B.Two<int>;\nusing static A.Top;\nusing System;\n"
       "namespace A.C { using B; }\n"}},
     "Use.cs",
     {"lib/", "lib/One.cs", "far/Four.cs", "external System", "lib/"}},
    {"ModulesOfElixir",
     {{"lib/acme/all.ex", "defmodule Acme.One do\nend\n\ndefmodule Acme.Two do\nend\n"},
      {"lib/acme/use.ex", "defmodule Acme.Use do\n  alias Acme.{One, Two}\n  import Two\nend\n"}},
     "lib/acme/use.ex",
     {"lib/acme/all.ex", "lib/acme/all.ex", "lib/acme/all.ex"}},
};

INSTANTIATE_TEST_SUITE_P(All, DeclaredImports, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace codexmem::graph
