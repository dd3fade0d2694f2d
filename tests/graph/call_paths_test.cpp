#include "graph/uses/call_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/uses/symbol_search.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CallPathsTest : public ::testing::Test {
 protected:
  std::vector<store::SymbolId> ids(const std::string& name) {
    std::vector<store::SymbolId> found;
    const auto answer = find_symbols(*reader_, {.symbol = name}).value();
    for (const SymbolMatch& match : answer.results) found.push_back(match.symbol.id);
    return found;
  }
  std::vector<std::string> paths(const std::string& from, const std::string& to,
                                 const CallLimits& limits = {}) {
    const auto found = find_call_paths(cache_, *reader_, ids(from), ids(to), 5, limits, {});
    EXPECT_TRUE(found.ok());
    is_complete_ = found->is_complete;
    std::vector<std::string> list;
    for (const CallPath& path : found->paths) {
      std::string line;
      for (const CallStep& step : path) {
        line += (line.empty() ? "" : " ") + step.symbol.qualified_name() +
                (step.call_line == 0 ? "" : ":" + std::to_string(step.call_line)) +
                (step.confidence == Confidence::kResolved ? "" : "?");
      }
      list.push_back(line);
    }
    return list;
  }

  testing::CodeFixture fixture_{{
      {"a.py", "from b import left, right\n\ndef top():\n    left()\n    right()\n"},
      {"b.py",
       "def left():\n    low()\n\ndef right():\n    low()\n\ndef low():\n    again()\n\n"
       "def again():\n    low()\n\ndef alone():\n    pass\n"},
  }};
  store::ReaderLease reader_ = fixture_.workspace().reader().value();
  FactsCache cache_;
  bool is_complete_ = true;
};

TEST_F(CallPathsTest, AreTheShortestOfAll) {
  EXPECT_THAT(paths("top", "low"), ElementsAre("top left:4 low:2", "top right:5 low:5"));
  EXPECT_THAT(paths("top", "again"),
              ElementsAre("top left:4 low:2 again:8", "top right:5 low:5 again:8"));
  EXPECT_THAT(paths("low", "low"), IsEmpty()) << "one function is no path";
  EXPECT_THAT(paths("low", "top"), IsEmpty());
  EXPECT_THAT(paths("top", "alone"), IsEmpty());
  EXPECT_TRUE(is_complete_);
}

TEST_F(CallPathsTest, EndAtTheirLimits) {
  EXPECT_THAT(paths("top", "again", {.depth = 2}), IsEmpty());
  EXPECT_TRUE(is_complete_);
  EXPECT_THAT(paths("top", "again", {.most = 1}), IsEmpty());
  EXPECT_FALSE(is_complete_);
}

TEST_F(CallPathsTest, TreesAreNearestFirstAndFollowEachFunctionOnce) {
  const auto tree = find_call_tree(cache_, *reader_, ids("top"), false, {.depth = 5}, {}).value();
  std::vector<std::string> lines;
  for (const CallStep& step : tree.steps) {
    lines.push_back(std::to_string(step.depth) + " " + step.symbol.name + " " +
                    tree.steps[step.parent].symbol.name + (step.is_repeated ? " repeated" : ""));
  }
  EXPECT_THAT(lines, ElementsAre("0 top top", "1 left top", "1 right top", "2 low left",
                                 "2 low right repeated", "3 again low", "4 low again repeated"));
  const auto callers = find_call_tree(cache_, *reader_, ids("low"), true, {.depth = 1}, {}).value();
  EXPECT_EQ(callers.steps.size(), 4U) << "left, right and again";
}

}  // namespace
}  // namespace codexmem::graph
