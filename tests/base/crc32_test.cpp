#include "base/crc32.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(Crc32, MatchesTheCheckValue) { EXPECT_EQ(crc32("123456789"), 0xCBF43926U); }

TEST(Crc32, GoesOnFromWhatCameBefore) { EXPECT_EQ(crc32("6789", crc32("12345")), 0xCBF43926U); }

TEST(Crc32, NothingChangesNothing) {
  EXPECT_EQ(crc32({}), 0U);
  EXPECT_EQ(crc32({}, 0xCBF43926U), 0xCBF43926U);
}

}  // namespace
}  // namespace codexmem
