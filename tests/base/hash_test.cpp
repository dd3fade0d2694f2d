#include "base/hash.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(Sha256, MatchesTheStandardsExample) {  // FIPS 180-2, appendix B.1
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Crc32, MatchesTheCheckValue) { EXPECT_EQ(crc32("123456789"), 0xCBF43926U); }

}  // namespace
}  // namespace codexmem
