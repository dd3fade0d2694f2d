#include "base/compress.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(Compress, GivesBackWhatItWasGiven) {
  std::string varied;
  for (int i = 0; i < 5000; ++i) varied += static_cast<char>(i * i % 251);
  for (const std::string& bytes :
       {std::string(), std::string("x"), std::string(100'000, 'a'), varied}) {
    const std::string frame = compress(bytes);
    EXPECT_EQ(compress(bytes), frame);
    const auto again = decompress(frame, bytes.size());
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_EQ(*again, bytes);
  }
  EXPECT_LT(compress(std::string(100'000, 'a')).size(), 100U);
}

TEST(Compress, InvalidOrTooLargeFramesAreErrors) {
  const std::string frame = compress(std::string(1000, 'a'));
  EXPECT_EQ(decompress("", 1000).error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(decompress("no frame at all", 1000).error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(decompress(frame, 999).error().code(), ErrorCode::kCorrupt);
  for (std::size_t size = 0; size < frame.size(); ++size) {
    EXPECT_FALSE(decompress(std::string_view(frame).substr(0, size), 1000).ok()) << size;
  }
}

}  // namespace
}  // namespace codexmem
