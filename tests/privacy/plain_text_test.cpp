#include "privacy/plain_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace codexmem::privacy {
namespace {

TEST(PlainText, UndoesFormsAndEscapes) {
  struct Case {
    std::string original, forms, escapes;
  };
  const std::vector<Case> cases = {
      {"plain", "plain", "plain"},
      {"\xEF\xBC\xA1\xEF\xBD\x82\xEF\xBC\x9D", "Ab=", "Ab="},
      {"a\xE2\x80\x8B\xC2\xAD"
       "b",
       "ab", "ab"},
      {"\xEF\xAC\x81x", "fix", "fix"},
      {"\xF0\x9D\x90\x80\xF0\x9D\x9F\x97", "A9", "A9"},
      {"a\\nb\\\"c\\/d", "a\\nb\\\"c\\/d", "a\nb\"c/d"},
      {"\\u0041\\x42\\u{43}", "\\u0041\\x42\\u{43}", "ABC"},
      {"\\\\\"x\\\\\"", "\\\\\"x\\\\\"", "\"x\""},
      {"\\ud83d\\ude00\\ud83d", "\\ud83d\\ude00\\ud83d", "\xF0\x9F\x98\x80\\ud83d"},
      {"a%3Db%zz%00", "a%3Db%zz%00", "a=b%zz%00"},
      {"&lt;a&#61;b&#x41;&none;&", "&lt;a&#61;b&#x41;&none;&", "<a=bA&none;&"},
      {"\xFF\xC3(", "\xFF\xC3(", "\xFF\xC3("},
      {"\xC3\xA4", "\xC3\xA4", "\xC3\xA4"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(PlainText(one.original, Undo::kForms).text(), one.forms) << one.original;
    EXPECT_EQ(PlainText(one.original, Undo::kFormsAndEscapes).text(), one.escapes) << one.original;
  }
}

TEST(PlainText, PlacesReferToTheOriginal) {
  const std::string original =
      "ab\\u0041c\xE2\x80\x8B"
      "d";
  const PlainText plain(original, Undo::kFormsAndEscapes);
  ASSERT_EQ(plain.text(), "abAcd");
  const auto part = [&](std::size_t begin, std::size_t end) {
    const TextSpan span = plain.original({begin, end});
    return original.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(part(0, 2), "ab");
  EXPECT_EQ(part(2, 3), "\\u0041");
  EXPECT_EQ(part(1, 4), "b\\u0041c");
  EXPECT_EQ(part(3, 5),
            "c\xE2\x80\x8B"
            "d");
  EXPECT_EQ(part(0, 5), original);
}

}  // namespace
}  // namespace codexmem::privacy
