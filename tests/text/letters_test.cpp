#include "text/letters.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem {
namespace {

TEST(Letters, HaveAKind) {
  const struct {
    std::uint32_t code;
    LetterKind want;
  } cases[] = {
      {'a', LetterKind::kLower},          {'Z', LetterKind::kUpper},
      {'7', LetterKind::kDigit},          {'_', LetterKind::kSeparator},
      {0xE9, LetterKind::kLower},         {0xC9, LetterKind::kUpper},
      {0xDF, LetterKind::kLower},         {0x1E9E, LetterKind::kUpper},
      {0xC6, LetterKind::kUpper},         {0x416, LetterKind::kUpper},
      {0x436, LetterKind::kLower},        {0x389, LetterKind::kUpper},
      {0x3C9, LetterKind::kLower},        {0x627, LetterKind::kCaseless},
      {0x5D0, LetterKind::kCaseless},     {0x905, LetterKind::kCaseless},
      {0x661, LetterKind::kDigit},        {0xFF11, LetterKind::kDigit},
      {0x301, LetterKind::kMark},         {0x64B, LetterKind::kMark},
      {0x6F22, LetterKind::kUnspaced},    {0xE01, LetterKind::kUnspaced},
      {0x1F680, LetterKind::kPictograph}, {0x2705, LetterKind::kPictograph},
      {0x1F3FD, LetterKind::kSeparator},  {0x200D, LetterKind::kSeparator},
      {0x2014, LetterKind::kSeparator},   {0xFFFD, LetterKind::kSeparator},
      {0xB2, LetterKind::kLower},         {0xBA, LetterKind::kLower},
      {0xBD, LetterKind::kSeparator},     {0x2116, LetterKind::kSeparator},
      {0xE48, LetterKind::kUnspaced},     {0x93C, LetterKind::kCaseless},
      {0xFE0F, LetterKind::kSeparator},   {0x3099, LetterKind::kSeparator},
      {0x18F, LetterKind::kUpper},        {0x4C0, LetterKind::kLower},
  };
  for (const auto& one : cases) EXPECT_EQ(letter_kind(one.code), one.want) << one.code;
}

TEST(Letters, FoldToTheSameWhateverTheirCaseAndAccents) {
  const struct {
    std::uint32_t code;
    const char* want;
  } cases[] = {
      {'Q', "Q"},    {0xE9, "e"},  {0xC9, "E"},  {0xDF, "ss"},   {0x152, "oe"},
      {0x401, "е"},  {0x451, "е"}, {0x416, "ж"}, {0x389, "η"},   {0x3C2, "σ"},
      {0x649, "ي"},  {0x664, "4"}, {0x301, ""},  {0x640, ""},    {0x6F22, "漢"},
      {0xFF21, "A"}, {0xD8, "O"},  {0x142, "l"}, {0x1EC7, "e"},  {0x4E3, "и"},
      {0x1FA7, "ω"}, {0x18F, "ə"}, {0x929, "ऩ"}, {0xAC00, "가"}, {0x6CC, "ي"},
  };
  for (const auto& one : cases) EXPECT_EQ(fold_letter(one.code).text(), one.want) << one.code;
}

TEST(Letters, FormsOfAsciiAreKnown) {
  EXPECT_EQ(ascii_form(0xFF21).text(), "A");
  EXPECT_EQ(ascii_form(0x2460).text(), "1");
  EXPECT_EQ(ascii_form(0x1D5D4).text(), "A");
  EXPECT_EQ(ascii_form(0xFB03).text(), "ffi");
  for (const std::uint32_t code : {0x41, 0xE9, 0xBD, 0x2026, 0x2122}) {
    EXPECT_EQ(ascii_form(code).text(), "") << code;
  }
  EXPECT_TRUE(is_unseen(0x200B));
  EXPECT_TRUE(is_unseen(0xE0020));
  EXPECT_FALSE(is_unseen(' '));
}

TEST(Letters, AreReadFromAnyBytes) {
  EXPECT_EQ(read_character("\xF0\x9F\x9A\x80", 0).code, 0x1F680U);
  EXPECT_EQ(read_character("\xF0\x9F\x9A", 0).code, 0xFFFDU);
  EXPECT_EQ(read_character("\xED\xA0\x80", 0).length, 1U);
  EXPECT_EQ(read_character("\xC0\x80", 0).code, 0xFFFDU);
}

}  // namespace
}  // namespace codexmem
