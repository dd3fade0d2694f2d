#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace codexmem {
namespace {

TEST(RandomTest, HasAsManyDigitsAsAsked) {
  for (const std::size_t digits : {0U, 1U, 16U, 63U, 64U, 65U, 1'000U}) {
    const std::string hex = random_hex(digits);
    EXPECT_EQ(hex.size(), digits);
    EXPECT_EQ(hex.find_first_not_of("0123456789abcdef"), std::string::npos) << hex;
  }
}

TEST(RandomTest, NeverComesTwice) {
  std::set<std::string> seen;
  for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(seen.insert(random_hex(16)).second);
  // Each digit is drawn: 1,000 of them hold all sixteen.
  const std::string many = random_hex(1'000);
  EXPECT_EQ(std::set<char>(many.begin(), many.end()).size(), 16U);
}

}  // namespace
}  // namespace codexmem
