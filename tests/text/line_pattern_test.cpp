#include "text/line_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/trigrams.h"

namespace codexmem {
namespace {

// The 1-based numbers of the lines of `text` that match.
std::vector<int> lines_of(const LinePattern& pattern, std::string_view text) {
  std::vector<int> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const auto found = pattern.find(text, at, text.size());
    if (!found) break;
    lines.push_back(1 +
                    static_cast<int>(std::count(text.begin(), text.begin() + found->begin, '\n')));
    const std::size_t end = text.find('\n', found->begin);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return lines;
}

struct Case {
  std::string pattern;
  std::string text;
  std::vector<int> want;
};

// What ripgrep 13 gives for each.
TEST(LinePattern, MatchesLineByLine) {
  const std::vector<Case> cases = {
      {"foo", "a foo\nfo\no foo\n", {1, 3}},
      {"^foo$", "foo\nfoo \n foo\nfoo", {1, 4}},
      {"foo$", "foo\r\nfoo\n", {2}},
      {"foo\\s$", "foo\r\nfoo\n", {1}},
      {"^$", "\n\na\n", {1, 2}},
      {"^$", "a\n", {}},
      {"^$", "", {}},
      {"", "a\n\nb", {1, 2, 3}},
      {"x*", "a\nb\n", {1, 2}},
      {"a.b", "a\nb\na b\n", {3}},
      {"a\\sb", "a\nb\na b\na\tb\n", {3, 4}},
      {"a[^x]b", "a\nb\na-b\n", {3}},
      {"a\\Wb", "a\nb\na-b\na\u00E9b\n", {3}},
      {"a\\nb", "a\nb\n", {}},
      {"(?s)a.b", "a\nb\n", {}},
      {"\\w+\u4F7F", "ab\u4F7F\n\u7528\u4F7F\n \u4F7F\n", {1, 2}},
      {"^\\w$", "\u00E9\n\u4F7F\n-\n", {1, 2}},
      {"^\\d$", "5\n\u0665\nx\n", {1, 2}},
      {"^[\\d-]+$", "5-\u0665\nx\n", {1}},
      {"a\\sb", "a\u00A0b\na\u3000b\n", {1, 2}},
      {"^[^\\s]$", "x\n\u3000\n", {1}},
      {"^[\\S]$", "x\n\u3000\n\u00E9\n", {1, 3}},
      {"^.$", "\u00E9\n\U0001F600\nab\n", {1, 2}},
      {"[[:alpha:]]+", "1\na\n\u00E9\n", {2}},
      {"[]x]", "]\n", {1}},
      {"\\bfoo\\b", "foo\nfoobar\n_foo\n foo.\n", {1, 4}},
      {"\\bfoo\\b", "\u4F7Ffoo\u7528\nfoo \u7528\n\uFF08foo\uFF09\n\u00E9foo foo\n", {2, 3, 4}},
      {"\\bfoo", "\u4F7Ffoo\n\u4F7F foo\u4F7F\n", {2}},
      {"^foo\\b", "foo\u4F7F\nfoo-\u4F7F\n", {2}},
      {"\\bfoo.*bar\\b", "foo bar bar\u4F7F\nfoobar\u4F7F\n", {1}},
      {"\\b(foo|bar)\\b", "\u4F7Fbar\nbar\u4F7F\n\u4F7F bar\n", {3}},
      // Texts that every match holds, and what only looks like one.
      {"abc+d", "abccd\nabd\n", {1}},
      {"abcd?e", "abce\nabcde\nabe\n", {1, 2}},
      {"abcd{0,2}", "abc\nab\n", {1}},
      {"abc\u00E9?x", "abcx\nabc\u00E9x\n", {1, 2}},
      {"(abc)?defg*", "def\nabcdefgg\nabc\n", {1, 2}},
      {"(?i:abc)def", "ABCdef\nabcDEF\n", {1}},
      {"abcd[efg]hijk|x", "x\nabcdehijk\n", {1, 2}},
      {"^[]abc]+defg", "a]defg\nxdefg\n", {1}},
      {"foo{(bar}baz)?", "foo{\n", {1}},
      {"[[:alpha:]abc]def", "xdef\n", {1}},
      {"[[:digit:]|]def", "|def\n1def\n", {1, 2}},
      {"\\x41bcd", "Abcd\n41bcd\n", {1}},
      {"\\pNbcd", "1bcd\nNbcd\n", {1}},
      {"\\x{41}\\d+bcd", "A1bcd\n", {1}},
      {"needle.*needle", "needle\nneedle needle\n", {2}},
      {"\\Qa.b\\E", "a.b\naxb\n", {1}},
      {"foo|ba[rz]", "foo\nbar\nbaz\nba\n", {1, 2, 3}},
      {"(?i)foo", "FOO\n", {1}},
      {"\\Aa", "a\na\nba\n", {1, 2}},
      {"a\\z", "a\na\nab", {1, 2}},
  };
  for (const Case& c : cases) {
    const auto pattern = LinePattern::make(c.pattern, {});
    ASSERT_TRUE(pattern.ok()) << c.pattern << pattern.error().message();
    EXPECT_EQ(lines_of(*pattern, c.text), c.want) << c.pattern;
    // A filter never loses a match.
    TrigramFilterMaker maker;
    if (!c.want.empty()) {
      EXPECT_TRUE(pattern->may_match(maker.make(c.text))) << c.pattern;
    }
  }
}

TEST(LinePattern, LiteralsAreTextAndCaseIsIgnoredOnRequest) {
  const std::vector<Case> cases = {
      {"a.b(", "a.b(\naxb(\nA.B(\n", {1}}, {"\\d", "\\d\n5\n", {1}}, {"\n", "\n\n", {}}};
  for (const Case& c : cases) {
    EXPECT_EQ(lines_of(*LinePattern::make(c.pattern, {.is_literal = true}), c.text), c.want);
  }
  const auto any_case =
      LinePattern::make("stra\u00DFe k", {.is_literal = true, .ignore_case = true});
  const std::string text = "STRA\u1E9EE K\n\u017Ftra\u00DFe \u212A\nstrasse k\n";
  EXPECT_EQ(lines_of(*any_case, text), std::vector<int>({1, 2}));
  TrigramFilterMaker maker;
  EXPECT_TRUE(any_case->may_match(maker.make(text)));
  EXPECT_TRUE(any_case->may_match(maker.make("\u017FTRA\u00DFE \u212A")));
}

TEST(LinePattern, TheFilterExcludesImpossibleMatches) {
  TrigramFilterMaker maker;
  const std::string filter =
      maker.make("def compute_invoice_total(lines):\n    return round_amount(sum(lines))\n");
  const auto may = [&](const char* pattern, LinePattern::Options options = {}) {
    return LinePattern::make(pattern, options)->may_match(filter);
  };
  EXPECT_TRUE(may("compute_\\w+_total"));
  EXPECT_TRUE(may("COMPUTE", {.is_literal = true}));  // letters are folded
  EXPECT_TRUE(may("in"));
  EXPECT_TRUE(may("\\d+"));
  EXPECT_FALSE(may("class Qualified"));
  EXPECT_FALSE(may("UserService|OrderRepository"));
  EXPECT_TRUE(may("UserService|round_amount"));
  EXPECT_FALSE(may("(?:UserService)?OrderRepository"));
}

TEST(LinePattern, AnInvalidRegularExpressionIsReportedInTheWordsOfRe2) {
  const struct {
    std::string pattern, want;
  } cases[] = {{"foo(", "missing ): foo("},
               {"*", "no argument for repetition operator: *"},
               {"[z-a]", "invalid character class range: z-a"},
               {"a{2000}", "invalid repetition size: {2000}"},
               {"(?=a)", "invalid perl operator: (?="},
               {"\\1", "invalid escape sequence: \\1"}};
  for (const auto& c : cases) {
    const auto made = LinePattern::make(c.pattern, {});
    ASSERT_FALSE(made.ok()) << c.pattern;
    EXPECT_EQ(made.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(made.error().message(), c.want);
  }
  EXPECT_FALSE(LinePattern::make("((((x{100}){100}){100}){100})", {}).ok());
}

TEST(LinePattern, AHostilePatternTakesLinearTime) {
  std::string text(200'000, 'a');
  text += '\n';
  const auto pattern = LinePattern::make("(a+)+(a+)+(a+)+$x", {});
  ASSERT_TRUE(pattern.ok());
  EXPECT_FALSE(pattern->find(text, 0, text.size()));
}

TEST(HasUpperCase, KnowsOtherScripts) {
  EXPECT_FALSE(has_upper_case("foo_1 \u00E9\u4F7F"));
  EXPECT_TRUE(has_upper_case("foO"));
  EXPECT_TRUE(has_upper_case("\u00C9"));
}

}  // namespace
}  // namespace codexmem
