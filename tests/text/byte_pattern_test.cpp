#include "text/byte_pattern.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace codexmem {
namespace {

TEST(BytePattern, MatchesAtThePlaceAlone) {
  const BytePattern pattern("b(c)?(d)?");
  std::array<ByteRange, 3> groups;
  EXPECT_FALSE(pattern.match("abd", 0, 3, groups));
  ASSERT_TRUE(pattern.match("abd", 1, 3, groups));
  EXPECT_EQ(groups[0], (ByteRange{1, 3}));
  EXPECT_TRUE(groups[1].empty());
  EXPECT_EQ(groups[2], (ByteRange{2, 3}));
}

TEST(BytePattern, LooksNoFurtherThanTheEnd) {
  const BytePattern pattern("a+");
  std::array<ByteRange, 1> groups;
  ASSERT_TRUE(pattern.match("aaaa", 0, 2, groups));
  EXPECT_EQ(groups[0], (ByteRange{0, 2}));
}

TEST(BytePattern, BytesThatAreNoCharacters) {
  const BytePattern pattern("a[^b]*b");
  std::array<ByteRange, 1> groups;
  ASSERT_TRUE(pattern.match("a\xFF\xC3\x28z b", 0, 7, groups));
  EXPECT_EQ(groups[0], (ByteRange{0, 7}));
}

}  // namespace
}  // namespace codexmem
