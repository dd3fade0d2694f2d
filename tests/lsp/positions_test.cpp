#include "lsp/positions.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::lsp {
namespace {

constexpr Encoding kAll[] = {Encoding::kUtf8, Encoding::kUtf16, Encoding::kUtf32};

TEST(Positions, CountInTheUnitsOfTheEncoding) {
  // An emoji, an e with a combining accent, a family of three joined by joiners.
  const std::string text =
      "a\n\xF0\x9F\x98\x80"
      "e\xCC\x81x\r\n\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7y\rz";
  const LineIndex lines(text);
  const auto x = static_cast<std::uint32_t>(text.find('x'));
  const auto y = static_cast<std::uint32_t>(text.find('y'));
  const struct {
    Encoding encoding;
    std::uint32_t x, y;
  } kCases[] = {{Encoding::kUtf8, 7, 11}, {Encoding::kUtf16, 4, 5}, {Encoding::kUtf32, 3, 3}};
  for (const auto& each : kCases) {
    const Place at_x = place_of(text, lines, x, each.encoding);
    EXPECT_EQ(at_x.line, 1U);
    EXPECT_EQ(at_x.character, each.x) << encoding_name(each.encoding);
    EXPECT_EQ(place_of(text, lines, y, each.encoding).character, each.y);
    EXPECT_EQ(offset_of(text, lines, at_x, each.encoding), x);
    EXPECT_EQ(offset_of(text, lines, {2, each.y}, each.encoding), y);
    EXPECT_EQ(offset_of(text, lines, {3, 0}, each.encoding), text.size() - 1);
  }
}

TEST(Positions, LeadBackFromEachCharacter) {
  const std::string text =
      "\xC3\xA9"
      "a\n\nb\xF0\x9F\x98\x80\r\n\xE4\xB8\x96\n";
  const LineIndex lines(text);
  for (const Encoding encoding : kAll) {
    for (std::uint32_t offset = 0; offset <= text.size(); ++offset) {
      const bool is_inside =
          offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80U;
      const bool is_in_break = offset > 0 && offset < text.size() && text[offset - 1] == '\r';
      if (is_inside || is_in_break) continue;
      EXPECT_EQ(offset_of(text, lines, place_of(text, lines, offset, encoding), encoding), offset);
    }
  }
}

TEST(Positions, OutsideOfTheTextAreAtItsEnds) {
  const std::string text = "ab\n\xF0\x9F\x98\x80\n";
  const LineIndex lines(text);
  EXPECT_EQ(offset_of(text, lines, {0, 99}, Encoding::kUtf16), 2U);
  EXPECT_EQ(offset_of(text, lines, {1, 1}, Encoding::kUtf16), 3U);  // inside the emoji
  EXPECT_EQ(offset_of(text, lines, {2, 0}, Encoding::kUtf16), text.size());
  EXPECT_EQ(offset_of(text, lines, {9, 9}, Encoding::kUtf16), text.size());
  EXPECT_EQ(place_of(text, lines, 99, Encoding::kUtf16).line, 2U);
  EXPECT_EQ(offset_of("", LineIndex(""), {0, 3}, Encoding::kUtf8), 0U);
}

TEST(Positions, AreReadFromJson) {
  const auto read = [](std::string_view json) { return read_place(*JsonValue::parse(json)); };
  EXPECT_EQ(read(R"({"line":3,"character":4})")->character, 4U);
  EXPECT_EQ(read(R"({"line":1e15,"character":0})")->line, UINT32_MAX - 1);
  for (const char* json : {R"({"line":-1,"character":0})", R"({"line":1})", "[]", "{}",
                           R"({"line":"1","character":2})", R"({"line":1.5,"character":2})"}) {
    EXPECT_FALSE(read(json)) << json;
  }
}

}  // namespace
}  // namespace codexmem::lsp
