#include "text/line_index.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"

namespace codexmem {
namespace {

TEST(LineIndex, CountsEveryKindOfLineEnding) {
  const LineIndex index("a\nb\r\nc\rd");
  EXPECT_EQ(index.line_count(), 4U);
  EXPECT_EQ(index.line_text(1), "a");
  EXPECT_EQ(index.line_text(2), "b");
  EXPECT_EQ(index.line_text(3), "c");
  EXPECT_EQ(index.line_text(4), "d");
  EXPECT_EQ(index.line_text(5), "");
}

TEST(LineIndex, AFinalLineEndingOpensNoLine) {
  EXPECT_EQ(LineIndex("a\n").line_count(), 1U);
  EXPECT_EQ(LineIndex("").line_count(), 1U);
}

TEST(LineIndex, ColumnsAreInUtf16Units) {
  const std::string_view text = "x\n\xF0\x9F\x98\x80\xC3\xA9y";
  const LineIndex index(text);
  EXPECT_EQ(index.position_of(0), (Position{1, 1}));
  EXPECT_EQ(index.position_of(2), (Position{2, 1}));
  EXPECT_EQ(index.position_of(8), (Position{2, 4}));  // after a surrogate pair and U+00E9
  EXPECT_EQ(index.position_of(999), (Position{2, 5}));
}

TEST(LineIndex, ColumnsInLongLinesEqualACountFromTheirBegin) {
  std::string text = "first\n";
  for (int i = 0; i < 2000; ++i) {
    text += i % 7 == 0 ? "\xF0\x9F\x98\x80" : i % 5 == 0 ? "\xC3\xA9" : i % 11 == 0 ? "\xFF" : "x";
  }
  text += "\nlast";
  const LineIndex index(text);
  for (std::uint32_t offset = 6; offset + 5 < text.size(); offset += 13) {
    const std::size_t units = utf16_length(std::string_view(text).substr(6, offset - 6));
    EXPECT_EQ(index.position_of(offset), (Position{2, static_cast<std::uint32_t>(units + 1)}));
  }
  EXPECT_EQ(index.position_of(static_cast<std::uint32_t>(text.size())), (Position{3, 5}));
}

TEST(LineIndex, AMegabyteLineIsNoSlowerThanOthers) {
  // Counting from the line's begin each time would take minutes.
  const std::string text = std::string(1 << 20, 'x') + "\xC3\xA9";
  const LineIndex index(text);
  std::uint64_t sum = 0;
  for (std::uint32_t offset = 0; offset < text.size(); offset += 2) {
    sum += index.position_of(offset).column;
  }
  EXPECT_GT(sum, 0U);
}

}  // namespace
}  // namespace codexmem
