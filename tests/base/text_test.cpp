#include "base/text.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(Utf16Length, CountsSurrogatePairsAsTwo) {
  EXPECT_EQ(utf16_length("abc"), 3U);
  EXPECT_EQ(utf16_length("\xC3\xA9"), 1U);          // U+00E9
  EXPECT_EQ(utf16_length("\xF0\x9F\x98\x80"), 2U);  // U+1F600
  EXPECT_EQ(utf16_length("a\xFFz"), 3U);
}

TEST(RepairUtf8, ReplacesEachMaximalIllFormedPart) {
  struct Case {
    const char* name;
    std::string input, want;
  };
  const Case cases[] = {
      {"valid", "h\xC3\xA9", "h\xC3\xA9"},
      {"stray continuation",
       "a\x80"
       "b",
       "a\xEF\xBF\xBD"
       "b"},
      {"cut three-byte form", "\xE2\x82z", "\xEF\xBF\xBDz"},
      {"overlong", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"surrogate", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(repair_utf8(c.input), c.want) << c.name;
    EXPECT_TRUE(is_valid_utf8(repair_utf8(c.input))) << c.name;
    EXPECT_EQ(is_valid_utf8(c.input), c.input == c.want) << c.name;
  }
}

TEST(Utf16ToUtf8, ReadsBothByteOrdersAndSurrogates) {
  EXPECT_EQ(utf16_to_utf8(std::string_view("a\0b\0", 4), false), "ab");
  EXPECT_EQ(utf16_to_utf8(std::string_view("\0a\0b", 4), true), "ab");
  EXPECT_EQ(utf16_to_utf8(std::string_view("\x3D\xD8\x00\xDE", 4), false), "\xF0\x9F\x98\x80");
  EXPECT_EQ(utf16_to_utf8(std::string_view("\x3D\xD8", 2), false), "\xEF\xBF\xBD");
}

TEST(Utf8Prefix, NeverCutsACodePoint) {
  EXPECT_EQ(utf8_prefix("a\xC3\xA9z", 2), "a");
  EXPECT_EQ(utf8_prefix("a\xC3\xA9z", 3), "a\xC3\xA9");
  EXPECT_EQ(utf8_prefix("abc", 9), "abc");
}

TEST(FoldWhitespace, LeavesSingleSpaces) { EXPECT_EQ(fold_whitespace("  a \n\t b  "), "a b"); }

TEST(Nearest, FindsATypoButNotAStranger) {
  const std::vector<std::string> names = {"search_code", "find_symbol", "get_context"};
  EXPECT_EQ(nearest("serach_code", names), "search_code");
  EXPECT_EQ(nearest("zzz", names), std::nullopt);
}

}  // namespace
}  // namespace codexmem
