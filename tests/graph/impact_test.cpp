#include "graph/uses/impact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class ImpactTest : public ::testing::Test {
 protected:
  Impact find(const ImpactSeed& seed, const ImpactLimits& limits = {}) {
    auto reader = fixture_.workspace().reader().value();
    FactsCache cache;
    auto impact = find_impact(cache, *reader, {seed}, limits, {});
    EXPECT_TRUE(impact.ok());
    return *std::move(impact);
  }

  static std::vector<std::string> lines(const Impact& impact) {
    std::vector<std::string> list;
    for (const AffectedCode& code : impact.code) {
      list.push_back(std::to_string(code.depth) + " " + code.path + "::" + code.symbol + " " +
                     code.via);
    }
    return list;
  }

  testing::CodeFixture fixture_{{
      {"src/base.py", "def low(a):\n    return a\n"},
      {"src/middle.py",
       "from .base import low\n\ndef mid(a):\n    return low(low(a))\n\nREADY = low(1)\n"},
      {"src/top.py", "from .middle import mid\n\nclass Top:\n    def run(self):\n        mid(1)\n"},
      {"src/cycle.py",
       "from .base import low\n\ndef ping(n):\n    low(n)\n    pong(n)\n\ndef pong(n):\n    "
       "ping(n)\n"},
  }};
};

TEST_F(ImpactTest, TellsUsersAndTheirUsers) {
  const Impact impact = find({"src/base.py", "low", 1});
  EXPECT_THAT(lines(impact), ElementsAre("1 src/middle.py::mid low", "1 src/cycle.py::ping low",
                                         "1 src/middle.py::READY low", "2 src/cycle.py::pong ping",
                                         "2 src/top.py::Top.run mid"));
  EXPECT_EQ(impact.code.front().uses, 2U);
  EXPECT_EQ(impact.code.front().first.line, 4U);
  EXPECT_EQ(impact.not_followed, 0U);
}

TEST_F(ImpactTest, EndsAtTheDepthAndAtTheLimit) {
  EXPECT_EQ(find({"src/base.py", "low", 1}, {.depth = 1}).code.size(), 3U);
  const Impact cut = find({"src/base.py", "low", 1}, {.most = 1});
  EXPECT_EQ(cut.code.size(), 3U);
  EXPECT_EQ(cut.not_followed, 3U) << "mid, ping and READY";
  EXPECT_THAT(find({"src/base.py", "none", 1}).code, IsEmpty());
  EXPECT_THAT(find({"gone.py", "low", 1}).code, IsEmpty());
}

TEST_F(ImpactTest, ImportersByDistance) {
  auto reader = fixture_.workspace().reader().value();
  EXPECT_THAT(
      find_importing_files(*reader, {"src/base.py", "gone.py"}, 3).value(),
      ElementsAre(Pair("src/cycle.py", 1U), Pair("src/middle.py", 1U), Pair("src/top.py", 2U)));
  EXPECT_THAT(find_importing_files(*reader, {"src/base.py"}, 1).value().size(), 2U);
}

}  // namespace
}  // namespace codexmem::graph
