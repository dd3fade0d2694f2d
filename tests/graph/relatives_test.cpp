#include "graph/uses/relatives.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "support/code_fixture.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::graph {
namespace {

struct RelativesCase {
  std::string symbol;
  std::string relation;
  std::vector<std::string> want;  // name, depth where it is greater than 1
};

class Relatives : public ::testing::TestWithParam<RelativesCase> {};

TEST_P(Relatives, AreThoseOfTheRelation) {
  const RelativesCase& c = GetParam();
  testing::CodeFixture fixture(std::map<std::string, std::string>{
      {"a.ts",
       "export interface Shape { area(): number }\n"
       "export interface Named extends Shape { name: string }\n"
       "export abstract class Base implements Shape {\n  area() { return 0; }\n}\n"
       "export class Box extends Base {\n  area() { return 1; }\n}\n"
       "export function area() {}\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto symbols = find_symbols(**lease, {.symbol = c.symbol});
  const auto relation = parse_relation(c.relation);
  ASSERT_TRUE(relation.has_value());
  EXPECT_EQ(relation_name(*relation), c.relation);
  const auto found = find_relatives(cache, **lease, symbols->results, *relation, 20);
  ASSERT_TRUE(found.ok());
  std::vector<std::string> names;
  for (const Relative& each : found->found) {
    names.push_back(each.match.symbol.qualified_name() +
                    (each.depth > 1 ? " " + std::to_string(each.depth) : ""));
    EXPECT_EQ(each.match.path, "a.ts");
    EXPECT_EQ(each.match.language, "typescript");
    EXPECT_EQ(each.to, c.symbol);
  }
  EXPECT_EQ(names, c.want);
}

INSTANTIATE_TEST_SUITE_P(All, Relatives,
                         ::testing::ValuesIn(std::vector<RelativesCase>{
                             {"Shape", "implements", {"Base", "Box 2"}},
                             {"Shape", "extends", {"Named", "Base", "Box 2"}},
                             {"Shape", "overrides", {}},
                             {"Box", "extended_by", {"Base", "Shape 2"}},
                             {"Box", "implemented_by", {"Shape 2"}},
                             {"Shape.area", "implements", {"Base.area", "Box.area"}},
                             {"Shape.area", "overrides", {"Base.area", "Box.area"}},
                             {"Base.area", "overrides", {"Box.area"}},
                             {"Base.area", "overridden_by", {"Shape.area"}},
                             {"Base.area", "extends", {}},
                         }));

TEST(Relatives, EndWithTheTime) {
  testing::CodeFixture fixture(
      std::map<std::string, std::string>{{"a.py", "class A: pass\nclass B(A): pass\n"},
                                         {"b.py", "class A: pass\nclass C(A): pass\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto symbols = find_symbols(**lease, {.symbol = "A"});
  const auto found = find_relatives(cache, **lease, symbols->results, Relation::kExtends, 20,
                                    std::chrono::steady_clock::time_point::min());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->found.size(), 1U);
  EXPECT_EQ(found->not_looked_at, 1U);
}

TEST(Relation, UnknownWordsAreNone) { EXPECT_FALSE(parse_relation("likes").has_value()); }

}  // namespace
}  // namespace codexmem::graph
