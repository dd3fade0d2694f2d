#include "search/segment.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/crc32.h"
#include "search/segment_builder.h"
#include "search/segment_read.h"
#include "search/small_index.h"
#include "search/text_numbers.h"
#include "store/database.h"

namespace codexmem::search {
namespace {

class SegmentTest : public ::testing::Test {
 protected:
  SegmentTest() {
    index_.add({{"src/http/parser.py",
                 "def parse_header(): pass\n\ndef parse_body(): pass",
                 {{"parse_header"}, {"parse_body"}}},
                {"tests/v1/client.py", "class Client: pass\nparse_header()", {{"Client"}}},
                {"tests/v2/client.py", "class Client: pass", {{"Client"}}}});
    auto reader = index_.workspace().reader().value();
    const auto built = build_segment(*reader, 7, [&](std::string_view more) -> Result<void> {
      bytes_ += more;
      return {};
    });
    EXPECT_TRUE(built.ok());
  }

  SmallIndex index_;
  std::string bytes_;
};

TEST_F(SegmentTest, SaysWhatItWasMadeFrom) {
  const auto segment = Segment::open(bytes_).value();
  EXPECT_EQ(segment->head().mark, 7U);
  EXPECT_EQ(segment->head().generation, index_.workspace().reader().value()->generation().value());
  EXPECT_EQ(segment->head().chunks, 4U);
  EXPECT_EQ(segment->bytes(), bytes_.size());
  EXPECT_EQ(segment->path(1), "tests/v1/client.py");
  EXPECT_EQ(segment->find_path("tests/v1/client.py"), 1U);
  EXPECT_EQ(segment->find_file(segment->id(2)), 2U);
  EXPECT_FALSE(segment->find_file(store::FileId{99}));
  EXPECT_EQ(segment->version_cuts(1).size(), 1U) << "v2 is beside it";
  EXPECT_TRUE(segment->version_cuts(2).empty());
  EXPECT_EQ(segment->path_cuts(2).size(), 1U) << "a test";
  EXPECT_TRUE(segment->path_cuts(0).empty());
}

TEST_F(SegmentTest, IsTheSameBytesForTheSameRows) {
  std::string again;
  auto reader = index_.workspace().reader().value();
  ASSERT_TRUE(build_segment(*reader, 7, [&](std::string_view more) -> Result<void> {
                again += more;
                return {};
              }).ok());
  EXPECT_EQ(again, bytes_);
}

TEST_F(SegmentTest, RefusesTruncatedDamagedOrForeignBytes) {
  for (std::size_t size = 0; size < bytes_.size(); size += 1 + size / 16) {
    EXPECT_FALSE(Segment::open(bytes_.substr(0, size)).ok()) << size;
  }
  for (std::size_t at = 0; at < bytes_.size(); at += 7) {
    std::string damaged = bytes_;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    if (at + 4 < bytes_.size()) {
      EXPECT_FALSE(Segment::open(damaged).ok()) << at;
    }
  }
  std::string swapped = bytes_;  // a processor of the other byte order has written it
  const std::size_t order = bytes_.size() - 80 + 56;
  std::reverse(swapped.begin() + static_cast<std::ptrdiff_t>(order),
               swapped.begin() + static_cast<std::ptrdiff_t>(order) + 4);
  EXPECT_EQ(Segment::open(swapped).error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(Segment::open("").error().code(), ErrorCode::kCorrupt);
}

// Bytes that somebody has changed and given a right checksum: any answer, but no crash.
TEST_F(SegmentTest, SurvivesEveryChangedByte) {
  for (std::size_t at = 0; at + 8 < bytes_.size(); ++at) {
    for (const char value : {'\0', '\x7F', '\xFF'}) {
      std::string changed = bytes_;
      changed[at] = value;
      const std::uint32_t checksum = crc32(std::string_view(changed).substr(0, changed.size() - 8));
      std::memcpy(changed.data() + changed.size() - 8, &checksum, sizeof checksum);
      if (const auto segment = Segment::open(changed); segment.ok()) read_all(**segment);
    }
  }
}

TEST_F(SegmentTest, TakesAnyIdsOfADamagedStore) {
  store::Database& database = *index_.workspace().writer().value();
  ASSERT_TRUE(database
                  .execute("PRAGMA foreign_keys=OFF; UPDATE file_rows SET id = -id WHERE id = 1;"
                           "UPDATE file_rows SET id = 1 << 50 WHERE id = 2")
                  .ok());
  auto reader = index_.workspace().reader().value();
  std::string bytes;
  ASSERT_TRUE(build_segment(*reader, 7, [&](std::string_view more) -> Result<void> {
                bytes += more;
                return {};
              }).ok());
  const auto segment = Segment::open(std::move(bytes)).value();
  EXPECT_EQ(segment->find_file(store::FileId{-1}), 0U);
  EXPECT_EQ(segment->find_file(store::FileId{3}), 2U);
}

TEST(TextNumbersTest, NumbersAndSortsByBytes) {
  TextNumbers texts;
  EXPECT_EQ(texts.number_of("b"), 0U);
  EXPECT_EQ(texts.number_of(""), 1U);
  EXPECT_EQ(texts.number_of("b"), 0U);
  for (int i = 0; i < 1000; ++i) texts.number_of(fmt::format("long prefix {}", i));
  EXPECT_EQ(texts.size(), 1002U);
  EXPECT_EQ(texts[texts.find("long prefix 77").value()], "long prefix 77");
  EXPECT_FALSE(texts.find("c"));
  const auto order = texts.sorted();
  for (std::size_t i = 1; i < order.size(); ++i) EXPECT_LT(texts[order[i - 1]], texts[order[i]]);
}

}  // namespace
}  // namespace codexmem::search
