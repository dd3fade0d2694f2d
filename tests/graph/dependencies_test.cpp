#include "graph/dependencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/neighbours.h"
#include "graph/symbol_search.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::map<std::string, std::string> kFiles = {
    {"app.ts",
     "import { one } from './one';\nimport { two } from './two';\nimport _ from 'lodash';\n"
     "import { more } from './one';\nimport './missing';\n"},
    {"one.ts", "import { two } from './two';\nexport const one = two, more = 1;\n"},
    {"two.ts", "import { three } from './three';\nexport const two = three;\n"},
    {"three.ts", "import { one } from './one';\nexport const three = () => one;\n"},
    {"alone.ts", "export {};\n"}};

std::vector<std::string> lines(const std::vector<DependencyItem>& items) {
  std::vector<std::string> list;
  for (const DependencyItem& item : items) {
    std::string text = std::to_string(item.depth) + " " +
                       (item.is_external ? "external " + item.package : item.path);
    for (const std::string& symbol : item.symbols) text += " " + symbol;
    list.push_back(std::move(text));
  }
  return list;
}

class Dependencies : public ::testing::Test {
 protected:
  Result<DependencyAnswer> ask(const DependencyQuery& query) {
    auto lease = fixture_.workspace().reader();
    return analyze_dependencies(**lease, query);
  }
  testing::CodeFixture fixture_{kFiles};
};

TEST_F(Dependencies, EachFileOnceAtItsSmallestDepth) {
  const auto answer = ask({.file_path = "app.ts", .depth = 3});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(lines(answer->dependencies),
              ElementsAre("1 one.ts one more", "1 two.ts two", "2 three.ts three"));
  EXPECT_THAT(answer->unresolved, ElementsAre("./missing"));
  EXPECT_EQ(answer->external_omitted, 1U);
  EXPECT_THAT(answer->cycles, IsEmpty());
}

TEST_F(Dependencies, DependentsAreFollowedToo) {
  const auto answer = ask({.file_path = "three.ts", .depth = 2});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(lines(answer->dependents),
              ElementsAre("1 two.ts three", "2 app.ts two", "2 one.ts two"));
}

TEST_F(Dependencies, CyclesAreReported) {
  const auto answer = ask({.file_path = "one.ts", .depth = 10});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->cycles.size(), 1U);
  EXPECT_THAT(answer->cycles[0], ElementsAre("one.ts", "two.ts", "three.ts"));
}

TEST_F(Dependencies, ExternalPackagesOnRequest) {
  const auto answer = ask({.file_path = "app.ts", .depth = 1, .include_external = true});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(lines(answer->dependencies),
              ElementsAre("1 one.ts one more", "1 two.ts two", "1 external lodash default"));
}

TEST_F(Dependencies, DepthAndFileAreChecked) {
  EXPECT_EQ(ask({.file_path = "app.ts", .depth = 11}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(ask({.file_path = "ap.ts"}).error().code(), ErrorCode::kNotFound);
}

TEST(Neighbours, CallersCalleesAndTypes) {
  testing::CodeFixture fixture(
      {{"a.ts",
        "export class Base { run() {} }\nexport class Child extends Base {\n  go() {\n"
        "    this.run();\n    helper();\n    this.run();\n  }\n}\nfunction helper() {}\n"},
       {"b.ts", "import { Base } from './a';\nexport function f(b: Base) { b.run(); }\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  store::CodeReader& reader = **lease;
  const auto id = [&](const std::string& name) {
    return find_symbols(reader, {.symbol = name})->results.at(0).symbol.id;
  };
  const auto names = [](const Result<std::vector<Neighbour>>& list) {
    std::vector<std::string> text;
    for (const Neighbour& n : *list) {
      text.push_back(n.symbol.qualified_name() + " " + std::to_string(n.count));
    }
    return text;
  };
  EXPECT_THAT(names(list_callers(cache, reader, id("run"), 10)), ElementsAre("Child.go 2", "f 1"));
  EXPECT_THAT(names(list_callees(cache, reader, id("go"), 10)),
              ElementsAre("Base.run 2", "helper 1"));
  EXPECT_THAT(names(list_supertypes(cache, reader, id("Child"), 10)), ElementsAre("Base 1"));
  EXPECT_THAT(names(list_subtypes(cache, reader, id("Base"), 10)), ElementsAre("Child 1"));
}

}  // namespace
}  // namespace codexmem::graph
