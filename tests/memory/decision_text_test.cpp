#include "memory/decisions/decision_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace codexmem::memory {
namespace {

using ::testing::MatchesRegex;

TEST(TargetKey, IsTrimmedAndCaseFolded) {
  const struct {
    const char* name;
    const char* input;
    const char* want;
  } kCases[] = {
      {"ASCII", "  Database_Policy\t", "database_policy"},
      {"Latin", "ÀÉÎÕÜŸŽĀ", "àéîõüÿžā"},
      {"sharp s", "STRASSE straße STRAẞE", "strasse strasse strasse"},
      {"Greek, final sigma", "ΟΔΥΣΣΕΥΣ Οδυσσεύς", "οδυσσευσ οδυσσεύσ"},
      {"Cyrillic", "БАЗА Данных Ё Ђ Ҡ", "база данных ё ђ ҡ"},
      {"Armenian", "ԱՐ", "ար"},
      {"full width", "ＤＢ", "ｄｂ"},
      {"Kelvin, micro and long s", "K µ ſ", "k μ s"},
      {"interleaved runs", "ŹŻŽ Ǆ ǅ ǆ Ƴ Ƶ Ӏ Ӂ", "źżž ǆ ǆ ǆ ƴ ƶ ӏ ӂ"},
      {"others stay", "数据库 🗄 ١", "数据库 🗄 ١"},
      {"Unicode white space", "\u00a0\u3000db\u200b\ufeff", "db"},
      {"ill-formed",
       "\xff"
       "A",
       "\ufffd"
       "a"},
      {"nothing", " \u00a0 ", ""},
  };
  for (const auto& [name, input, want] : kCases) EXPECT_EQ(target_key(input), want) << name;
}

TEST(TargetKey, FoldingTwiceChangesNothing) {
  for (std::uint32_t code = 0x20; code < 0x2200; ++code) {
    std::string letter;
    if (code < 0x80) {
      letter += static_cast<char>(code);
    } else if (code < 0x800) {
      letter += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    } else {
      letter += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                 static_cast<char>(0x80 | (code & 0x3F))};
    }
    const std::string folded = target_key(letter);
    EXPECT_EQ(target_key(folded), folded) << std::hex << code;
  }
}

TEST(DecisionId, LooksAsTheContractSays) {
  EXPECT_THAT(new_decision_id(false, 1'767'323'045'678),
              MatchesRegex("decision_20260102_030405_678[0-9]{3}_[0-9a-f]{8}\\.md"));
  EXPECT_THAT(new_decision_id(true, 0), MatchesRegex("proposal_19700101_000000_000.*\\.md"));
  std::set<std::string> ids;
  for (int i = 0; i < 1'000; ++i) ids.insert(new_decision_id(false, 5));
  EXPECT_EQ(ids.size(), 1'000U);
}

TEST(DecisionId, IsTakenWithAndWithoutItsEnding) {
  EXPECT_EQ(*parse_decision_id(" decision_1 "), "decision_1.md");
  EXPECT_EQ(*parse_decision_id("decision_1.md"), "decision_1.md");
}

TEST(DecisionId, WhatCouldBeAPathIsRefused) {
  for (const char* bad :
       {"", " ", "../decision_1", "a/b.md", "a\\b", "..", "a..md", "a.", "a\nb", "\x7f", "\xff"}) {
    const auto id = parse_decision_id(bad);
    ASSERT_FALSE(id.ok()) << bad;
    EXPECT_EQ(id.error().code(), ErrorCode::kInvalidArgument);
  }
  EXPECT_TRUE(parse_decision_id(std::string(125, 'a')).ok());
  EXPECT_FALSE(parse_decision_id(std::string(126, 'a')).ok());  // with ".md"
}

TEST(Marker, OfACallerIsEscaped) {
  EXPECT_EQ(escape_marker("[via MCP] x [VIA mcp:admin] y"), "\\[via MCP] x \\[VIA mcp:admin] y");
  EXPECT_EQ(escape_marker("[via mail]"), "[via mail]");
  EXPECT_EQ(without_marker("[via MCP] because"), "because");
  EXPECT_EQ(without_marker("because [via MCP] "), "because [via MCP] ");
}

}  // namespace
}  // namespace codexmem::memory
