#include "base/line_index.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace codexmem
