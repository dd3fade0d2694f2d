#include "base/hash.h"
#include "base/running_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem {
namespace {

TEST(Sha256, MatchesTheStandardsExample) {  // FIPS 180-2, appendix B.1
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(RunningHash, IsThatOfAllPieces) {
  RunningHash hash;
  hash.add("a");
  hash.add("");
  hash.add("bc");
  std::string hex;
  constexpr char kDigits[] = "0123456789abcdef";
  for (const char c : hash.finish()) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4U];
    hex += kDigits[static_cast<unsigned char>(c) & 0xFU];
  }
  EXPECT_EQ(hex, sha256_hex("abc"));
}

TEST(HmacSha256, MatchesTheStandardsExamples) {  // RFC 4231, test cases 2 and 6
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256_hex(std::string(131, '\xaa'),
                            "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace codexmem
