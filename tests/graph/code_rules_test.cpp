#include "graph/imports/code_rules.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

TEST(CodeRules, AreReadFromALine) {
  const struct Case {
    std::string text;
    CodeRule::Kind kind;
    std::string written;
    std::vector<std::string> things;
  } cases[] = {
      {"forbid  import src/ui,lib/** -> src/db, lodash",
       CodeRule::Kind::kForbidImport,
       "forbid import src/ui,lib/** -> src/db, lodash",
       {"src/db", "lodash"}},
      {"only src/net may use curl",
       CodeRule::Kind::kOnlyMayUse,
       "only src/net may use curl",
       {"curl"}},
      {" symbol Cart.total must exist ",
       CodeRule::Kind::kMustExist,
       "symbol Cart.total must exist",
       {"Cart.total"}},
      {"no new uses of a, b.c", CodeRule::Kind::kNoNewUses, "no new uses of a, b.c", {"a", "b.c"}},
  };
  for (const Case& c : cases) {
    const auto rule = CodeRule::parse(c.text);
    ASSERT_TRUE(rule.ok()) << c.text;
    EXPECT_EQ(rule->kind, c.kind);
    EXPECT_EQ(rule->text, c.written);
    EXPECT_EQ(rule->things, c.things);
  }
}

TEST(CodeRules, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "forbid", "forbid import", "forbid import a", "forbid import -> b",
        "forbid import a ->", "only may use b", "only a may use", "symbol  must exist",
        "symbol a may exist", "no new uses of", "no new uses of ,", "import a -> b",
        "forbid import a -> /", "forbid import / -> a"}) {
    const auto rule = CodeRule::parse(text);
    ASSERT_FALSE(rule.ok()) << text;
    EXPECT_EQ(rule.error().code(), ErrorCode::kInvalidArgument);
  }
}

const std::map<std::string, std::string> kShop = {
    {"ui/page.py",
     "import requests.sessions\nfrom db.rows import rows\n\n\ndef page():\n"
     "    return rows()\n"},
    {"db/__init__.py", ""},
    {"db/rows.py", "def rows():\n    return old_rows()\n\n\ndef old_rows():\n    return []\n"},
    {"net/get.py", "import requests\n"},
    {"main.py", "from db.rows import old_rows\n\nold_rows()\n"},
};

struct RuleCase {
  std::string rule;
  std::vector<std::string> want;     // path:line name
  std::vector<std::string> unknown;  // of all files
  std::set<std::string> files;       // empty: all
};

class RulesBroken : public ::testing::TestWithParam<RuleCase> {};

TEST_P(RulesBroken, AreFoundWhereTheyAre) {
  const RuleCase& c = GetParam();
  testing::CodeFixture fixture(kShop);
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto rule = CodeRule::parse(c.rule);
  ASSERT_TRUE(rule.ok());
  RuleCheck check(cache, **lease, c.files.empty() ? nullptr : &c.files, {});
  const auto state = check.run(*rule, 10);
  ASSERT_TRUE(state.ok());
  std::vector<std::string> found;
  for (const RuleBreach& each : state->breaches) {
    found.push_back(each.path + ":" + std::to_string(each.position.line) + " " + each.name);
    EXPECT_EQ(each.context.empty(), each.path.empty());
  }
  EXPECT_EQ(found, c.want);
  EXPECT_EQ(state->total, c.want.size());
  EXPECT_EQ(state->unknown, c.unknown);
}

INSTANTIATE_TEST_SUITE_P(
    All, RulesBroken,
    ::testing::ValuesIn(std::vector<RuleCase>{
        {"forbid import ui -> db", {"ui/page.py:2 db.rows"}, {}, {}},
        {"forbid import ui -> db", {}, {}, {"main.py"}},
        {"forbid import db -> ui", {}, {}, {}},
        {"forbid import ui -> requests", {"ui/page.py:1 requests.sessions"}, {}, {}},
        {"only net may use requests", {"ui/page.py:1 requests.sessions"}, {}, {}},
        {"only net, ui may use requests", {}, {}, {}},
        {"only ui may use db", {"main.py:1 db.rows"}, {}, {}},
        {"only ui may use old_rows", {"main.py:1 old_rows", "main.py:3 old_rows"}, {}, {}},
        {"only ui may use nothing_here", {}, {"nothing_here"}, {}},
        {"forbid import ui -> dbb", {}, {"dbb"}, {}},
        {"symbol rows must exist", {}, {}, {}},
        {"symbol row must exist", {":1 row"}, {}, {}},
        {"no new uses of old_rows", {}, {}, {}},
        {"no new uses of old_rows", {"main.py:1 old_rows", "main.py:3 old_rows"}, {}, {"main.py"}},
        {"no new uses of old_rows", {}, {}, {"ui/page.py"}},
    }));

TEST(RulesBroken, AreCutAtTheLimitAndCounted) {
  testing::CodeFixture fixture(kShop);
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto rule = CodeRule::parse("only net may use old_rows");
  RuleCheck check(cache, **lease, nullptr, {});
  const auto state = check.run(*rule, 1);
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(state->breaches.size(), 1U);
  EXPECT_EQ(state->total, 2U);
}

}  // namespace
}  // namespace codexmem::graph
