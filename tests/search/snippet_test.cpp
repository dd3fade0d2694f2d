#include "search/snippet.h"

#include <gtest/gtest.h>

namespace codexmem::search {
namespace {

TEST(FindMatches, OffsetsAreUtf16AndEndIsInclusive) {
  const auto matches = find_matches("function calculateSum(a)", {{"=calculatesum", 1}}, 9);
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_EQ(matches[0].start, 9U);
  EXPECT_EQ(matches[0].end, 20U);
  EXPECT_EQ(matches[0].text, "calculateSum");
  // Two bytes and one unit; four bytes and two units.
  const auto after = find_matches("é\U0001F600 sum", {{"sum", 1}}, 9);
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].start, 4U);
  EXPECT_EQ(after[0].end, 6U);
}

TEST(FindMatches, TheLongerOfTwoThatOverlapStays) {
  const auto matches =
      find_matches("getResponse response", {{"get", 1}, {"respons", 1}, {"=getresponse", 1}}, 9);
  ASSERT_EQ(matches.size(), 2U);
  EXPECT_EQ(matches[0].text, "getResponse");
  EXPECT_EQ(matches[1].text, "response");
}

TEST(FindMatches, EachTermComesBeforeRepetitions) {
  const auto matches = find_matches("a a a b", {{"a", 5}, {"b", 1}}, 2);
  ASSERT_EQ(matches.size(), 2U);
  EXPECT_EQ(matches[0].start, 0U);
  EXPECT_EQ(matches[1].text, "b");
}

TEST(MakeSnippet, AWholePieceThatFits) {
  const std::string content = "first\n  def f():\n    return 1\nlast\n";
  // The piece begins after the indentation, which is shown.
  const Snippet snippet = make_snippet(content, {8, 29}, 2, {{"return", 1}}, {});
  EXPECT_EQ(snippet.text, "  def f():\n    return 1");
  EXPECT_EQ(snippet.first_line, 2U);
  EXPECT_EQ(snippet.best_line, 3U);
  EXPECT_EQ(content.substr(snippet.best_offset, 6), "return");
}

TEST(MakeSnippet, LinesAroundTheBestOne) {
  std::string content;
  for (int i = 1; i <= 100; ++i) content += i == 70 ? "needle here\n" : "some hay\n";
  SnippetOptions options;
  options.max_bytes = 60;
  const Snippet snippet = make_snippet(content, {0, static_cast<std::uint32_t>(content.size())}, 1,
                                       {{"needl", 1}}, options);
  EXPECT_LE(snippet.text.size(), 60U);
  EXPECT_EQ(snippet.best_line, 70U);
  EXPECT_NE(snippet.text.find("needle"), std::string::npos);
  EXPECT_LT(snippet.first_line, 70U);
  ASSERT_EQ(snippet.matches.size(), 1U);
  EXPECT_EQ(snippet.text.substr(snippet.matches[0].start, 6), "needle");
}

TEST(MakeSnippet, ALongLineIsCutBetweenCharacters) {
  std::string content;
  for (int i = 0; i < 500; ++i) content += "é";
  content += " needle ";
  for (int i = 0; i < 500; ++i) content += "é";
  SnippetOptions options;
  options.max_bytes = 101;
  const Snippet snippet = make_snippet(content, {0, static_cast<std::uint32_t>(content.size())}, 1,
                                       {{"needl", 1}}, options);
  EXPECT_LE(snippet.text.size(), 101U);
  ASSERT_EQ(snippet.matches.size(), 1U);
  EXPECT_EQ(snippet.matches[0].text, "needle");
  EXPECT_NE(static_cast<unsigned char>(snippet.text.front()) & 0xC0U, 0x80U);
  EXPECT_EQ(snippet.text.substr(snippet.text.size() - 2), "é");
}

TEST(MakeSnippet, AnEmptyPiece) {
  EXPECT_EQ(make_snippet("", {0, 0}, 1, {}, {}).text, "");
  EXPECT_EQ(make_snippet("abc", {9, 12}, 1, {}, {}).text, "");
}

}  // namespace
}  // namespace codexmem::search
