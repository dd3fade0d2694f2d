#include "base/percent.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(PercentEncoded, KeepsLettersDigitsAndPlainCharacters) {
  EXPECT_EQ(percent_encoded("src/a b.ts", "/."), "src/a%20b.ts");
  EXPECT_EQ(percent_encoded("src/a b.ts", ""), "src%2Fa%20b%2Ets");
}

TEST(PercentEncoded, EncodesEveryOtherByte) {
  EXPECT_EQ(percent_encoded("\xC3\xA9%\n", "/"), "%C3%A9%25%0A");
  EXPECT_EQ(percent_encoded(std::string_view("\0", 1), ""), "%00");
}

}  // namespace
}  // namespace codexmem
