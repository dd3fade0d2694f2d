#include "graph/uses/symbol_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/stored/qualified_name.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::map<std::string, std::string> kShopFiles = {
    {"src/user.ts",
     "export class UserService {\n  getUserById() {}\n  save() {}\n}\nfunction local() {}\n"},
    {"src/store.ts", "export class Store {\n  save() {}\n}\nexport function local() {}\n"},
    {"tests/user.test.ts", "export function local() {}\n"},
    {"pkg/models.py",
     "Key: TypeAlias = int\nclass User:\n    name: str = ''\n    def save(self):\n        pass\n"}};

Result<SymbolAnswer> search(const SymbolQuery& query) {
  testing::CodeFixture fixture(kShopFiles);
  auto lease = fixture.workspace().reader();
  return find_symbols(**lease, query);
}

std::vector<std::string> found(const SymbolQuery& query) {
  const auto answer = search(query);
  EXPECT_TRUE(answer.ok());
  std::vector<std::string> list;
  for (const SymbolMatch& match : answer->results) {
    list.push_back(match.path + " " + match.symbol.qualified_name() + " " +
                   std::string(name_match_name(match.match)));
  }
  return list;
}

TEST(FindSymbols, ExactNamesComeAloneExportedThenSourceFirst) {
  EXPECT_THAT(found({.symbol = "local"}),
              ElementsAre("src/store.ts local exact", "tests/user.test.ts local exact",
                          "src/user.ts local exact"));
}

TEST(FindSymbols, QualifiedNamesMeanClassesModulesAndPaths) {
  EXPECT_THAT(found({.symbol = "UserService.save"}),
              ElementsAre("src/user.ts UserService.save exact"));
  EXPECT_THAT(found({.symbol = "models.User"}), ElementsAre("pkg/models.py User exact"));
  EXPECT_THAT(found({.symbol = "pkg.models.User.save"}),
              ElementsAre("pkg/models.py User.save exact"));
  EXPECT_THAT(found({.symbol = "src/store.ts::local"}), ElementsAre("src/store.ts local exact"));
  EXPECT_THAT(found({.symbol = "Nothing.save"}), IsEmpty());
}

TEST(FindSymbols, PackagesHandOnWhatTheirModulesDefine) {
  EXPECT_THAT(found({.symbol = "pkg.User"}), ElementsAre("pkg/models.py User exact"));
  EXPECT_THAT(found({.symbol = "pkg.User.save"}), ElementsAre("pkg/models.py User.save exact"));
  EXPECT_THAT(found({.symbol = "pkg.save"}), IsEmpty());
  EXPECT_THAT(found({.symbol = "src.save"}), IsEmpty());
}

TEST(FindSymbols, WhatIsDefinedComesBeforeWhatIsAnnounced) {
  testing::CodeFixture fixture(
      {{"include/a.h", "API_EXPORT int run(int x);\n"},
       {"src/z.c", "#include \"a.h\"\nint run(int x) { return x; }\n"},
       {"src/b.cc", "namespace n {\nclass A { void go(); };\nvoid A::go() {}\n}\n"},
       {"lib/src/de/mod.rs", "pub struct Thing;\nimpl Thing { pub fn make() {} }\n"}});
  auto lease = fixture.workspace().reader();
  const auto places = [&](const std::string& symbol) {
    const auto answer = find_symbols(**lease, {.symbol = symbol});
    EXPECT_TRUE(answer.ok());
    std::vector<std::string> list;
    for (const SymbolMatch& match : answer->results) {
      list.push_back(match.path + " " + match.symbol.kind);
    }
    return list;
  };
  EXPECT_THAT(places("run"), ElementsAre("src/z.c function", "include/a.h prototype"));
  EXPECT_THAT(places("n::A::go"), ElementsAre("src/b.cc method", "src/b.cc prototype"));
  EXPECT_THAT(places("de::Thing::make"), ElementsAre("lib/src/de/mod.rs method"));
  EXPECT_THAT(places("lib::de::Thing"), ElementsAre("lib/src/de/mod.rs struct"));
}

TEST(FindSymbols, KeysOfConfigurationComeLastAndAreNearNamesOnlyWhereCodeHasNone) {
  testing::CodeFixture fixture(
      {{"a.yaml", "build:\n  steps: 1\n  only_here: 2\n"},
       {"b.toml", "[tool.build]\nrunner = 1\n"},
       {"z.py", "def build(): pass\ndef run_steps(): pass\nclass Runner: pass\n"}});
  auto lease = fixture.workspace().reader();
  const auto paths = [&](const char* name) {
    std::vector<std::string> list;
    const auto answer = find_symbols(**lease, {.symbol = name});
    for (const SymbolMatch& match : answer->results) {
      list.push_back(match.path + " " + match.symbol.qualified_name());
    }
    return list;
  };
  EXPECT_THAT(paths("build"), ElementsAre("z.py build", "a.yaml build", "b.toml tool.build"));
  EXPECT_THAT(paths("tool.build"), ElementsAre("b.toml tool.build"));
  EXPECT_THAT(paths("build.steps"), ElementsAre("a.yaml build.steps"));
  EXPECT_THAT(paths("runner"), ElementsAre("z.py Runner", "b.toml tool.build.runner"));
  EXPECT_THAT(paths("run"), ElementsAre("z.py Runner", "z.py run_steps"));
  EXPECT_THAT(paths("here"), ElementsAre("a.yaml build.only_here"));
}

TEST(FindSymbols, MembersOfSupertypesAreFoundAsInherited) {
  testing::CodeFixture fixture({{"base.py", "class Scaffold:\n    def route(self): ...\n"},
                                {"app.py",
                                 "from base import Scaffold\n"
                                 "class App(Scaffold):\n    def run(self): ...\n"},
                                {"flask.py", "from app import App\nclass Flask(App): ...\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto inherited = [&](const SymbolQuery& query) {
    const auto answer = find_inherited(cache, **lease, query);
    EXPECT_TRUE(answer.ok());
    std::vector<std::string> list;
    for (const SymbolMatch& match : *answer) {
      list.push_back(match.path + " " + match.symbol.qualified_name());
    }
    return list;
  };
  EXPECT_THAT(inherited({.symbol = "Flask.route"}), ElementsAre("base.py Scaffold.route"));
  EXPECT_THAT(inherited({.symbol = "flask.Flask.run"}), ElementsAre("app.py App.run"));
  EXPECT_THAT(inherited({.symbol = "Flask.route", .type = SymbolType::kClass}), IsEmpty());
  EXPECT_THAT(inherited({.symbol = "Scaffold.run"}), IsEmpty());
  EXPECT_THAT(inherited({.symbol = "route"}), IsEmpty());
}

TEST(FindSymbols, ANameOfAnotherTypeHasNoStandIn) {
  const auto answer = search({.symbol = "local", .type = SymbolType::kClass});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(answer->results, IsEmpty());
  EXPECT_THAT(answer->other_types, ElementsAre(SymbolType::kFunction));
  const auto save = search({.symbol = "save", .type = SymbolType::kFunction});
  ASSERT_TRUE(save.ok());
  EXPECT_THAT(save->results, IsEmpty());
  EXPECT_THAT(save->other_types, ElementsAre(SymbolType::kMethod));
}

TEST(FindSymbols, APythonAliasIsATypeAndAVariable) {
  EXPECT_THAT(found({.symbol = "Key", .type = SymbolType::kVariable}),
              ElementsAre("pkg/models.py Key exact"));
  EXPECT_THAT(found({.symbol = "Key", .type = SymbolType::kType}),
              ElementsAre("pkg/models.py Key exact"));
}

TEST(FindSymbols, OtherSpellingsAreMarkedAndScoredLower) {
  EXPECT_THAT(found({.symbol = "userservice"}), ElementsAre("src/user.ts UserService case"));
  EXPECT_THAT(found({.symbol = "getUser"}),
              ElementsAre("src/user.ts UserService.getUserById prefix"));
  EXPECT_THAT(found({.symbol = "gUBI"}), ElementsAre("src/user.ts UserService.getUserById camel"));
  EXPECT_THAT(found({.symbol = "service"}), ElementsAre("src/user.ts UserService subword"));
  const auto answer = search({.symbol = "getUser"});
  EXPECT_LT(answer->results[0].score, 1.0);
}

TEST(FindSymbols, TypeAndFileFilter) {
  EXPECT_THAT(found({.symbol = "save", .type = SymbolType::kMethod, .file_path = "pkg/models.py"}),
              ElementsAre("pkg/models.py User.save exact"));
  EXPECT_THAT(found({.symbol = "local", .type = SymbolType::kClass}), IsEmpty());
}

TEST(FindSymbols, MisspeltNamesAreSuggestedNotReturned) {
  const auto answer = search({.symbol = "UserServise"});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(answer->results, IsEmpty());
  EXPECT_THAT(answer->suggestions, ElementsAre("UserService"));
}

TEST(FindSymbols, UnknownFilesNameTheNearestOne) {
  const auto answer = search({.symbol = "local", .file_path = "lib/store.ts"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kNotFound);
  EXPECT_NE(answer.error().message().find("src/store.ts"), std::string::npos);
}

TEST(FindSymbols, SkippedFilesSayWhy) {
  testing::CodeFixture fixture(kShopFiles);
  store::Database* database = fixture.workspace().writer().value();
  auto transaction = store::Transaction::begin(*database);
  ASSERT_TRUE(transaction.ok());
  store::CodeWriter writer(*database);
  const std::vector<store::SkippedFile> skipped = {
      {"src/big.ts", "too_large", "2,000,000 bytes, the limit is 1,048,576"},
      {"node_modules/", "vendored", "node_modules"}};
  ASSERT_TRUE(writer.put_skipped(skipped).ok());
  ASSERT_TRUE(transaction->commit().ok());
  auto lease = fixture.workspace().reader();
  const auto message = [&](const char* path) {
    const auto file = get_indexed_file(**lease, path);
    EXPECT_EQ(file.error().code(), ErrorCode::kNotFound);
    return file.error().message();
  };
  EXPECT_EQ(message("src/big.ts"),
            "src/big.ts is not indexed: too_large (2,000,000 bytes, the limit is 1,048,576)");
  EXPECT_EQ(message("node_modules/x/index.js"),
            "node_modules/x/index.js is not indexed: vendored (node_modules)");
  EXPECT_THAT(message("lib/user.ts"), ::testing::HasSubstr("the nearest is 'src/user.ts'"));
}

TEST(FindSymbols, ParametersChooseAmongOverloads) {
  testing::CodeFixture fixture(
      {{"Box.java",
        "class Box {\n  void put(final char c) {}\n  void put(final String s) {}\n"
        "  void put(int n, java.util.List<String> all) {}\n  void put(String... all) {}\n}\n"},
       {"box.py", "class Crate:\n    def put(self, thing):\n        pass\n"}});
  auto lease = fixture.workspace().reader();
  const auto lines = [&](const std::string& symbol) {
    std::vector<std::uint32_t> list;
    const auto answer = find_symbols(**lease, {.symbol = symbol});
    for (const SymbolMatch& match : answer->results) {
      if (match.match == NameMatch::kExact) list.push_back(match.symbol.name_start.line);
    }
    return list;
  };
  EXPECT_THAT(lines("Box.put(String)"), ElementsAre(3));
  EXPECT_THAT(lines("Box.put(char c)"), ElementsAre(2));
  EXPECT_THAT(lines("Box.java::Box.put(int, List)"), ElementsAre(4));
  EXPECT_THAT(lines("Box.put(String[])"), ElementsAre(5));
  EXPECT_THAT(lines("Box.put(long)"), IsEmpty());
  EXPECT_THAT(lines("Box.put()"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(lines("Crate.put(self, thing)"), ElementsAre(2));
}

TEST(QualifiedNames, ParametersAreReadAsTheirTypes) {
  EXPECT_THAT(parameter_types("final java.lang.String a, int... b, const char* c = nullptr"),
              ElementsAre("String", "int[]", "char*"));
  EXPECT_THAT(parameter_types("Map<String, List<Integer>> m, @Nullable T[] t, name: Int"),
              ElementsAre("Map", "T[]", "Int"));
  EXPECT_THAT(parameter_types("const std::vector<int>& v, void (*f)(int, int)"),
              ElementsAre("vector", "void*"));
}

TEST(QualifiedNames, PartsAreReadAndMatched) {
  struct Case {
    std::string text, container, path;
    bool matches;
  };
  for (const Case& c :
       {Case{"a.ts::f", "", "src/a.ts", true}, Case{"a.ts::f", "", "src/ba.ts", false},
        Case{"src/a::f", "", "src/a.ts", true}, Case{"B::m", "B", "x.ts", true},
        Case{"B#m", "A.B", "x.ts", true}, Case{"A.m", "A.B", "x.ts", false},
        Case{"util.f", "", "pkg/util/__init__.py", true}, Case{"x.B.m", "B", "pkg/x.py", true},
        Case{"f()", "", "x.py", true}, Case{"R.prototype.m", "R", "x.js", true},
        Case{"net.f", "", "src/net/mod.rs", true}, Case{"types.f", "", "lib/types.d.ts", true},
        Case{"http.f", "", "http/index.go", false}, Case{"R.prototype.m", "Q", "x.js", false},
        Case{"prototype.m", "R", "x.js", false}}) {
    const Family family = parse::family_of(*parse::detect_language(c.path, ""));
    EXPECT_EQ(parse_qualified_name(c.text).matches(c.container, c.path, family), c.matches)
        << c.text;
  }
}

}  // namespace
}  // namespace codexmem::graph
