#include "text/text_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/names_of_one_hash.h"

namespace codexmem {
namespace {

TEST(TextHash, IsTheSameForTheSameText) {
  const std::string text = "a text that is longer than a word of eight bytes";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    EXPECT_EQ(hash_text(text.substr(0, size)), hash_text(std::string_view(text).substr(0, size)));
  }
}

TEST(TextHash, DistinguishesTexts) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10'000; ++i) seen.insert(hash_text("name " + std::to_string(i)));
  std::string zeros;
  for (int i = 0; i < 100; ++i) seen.insert(hash_text(zeros += '\0'));
  EXPECT_EQ(seen.size(), 10'100U);
}

// The tables of the standard library have all of these in one list.
TEST(TextHash, NamesThatWereMadeToCollideDoNot) {
  constexpr int kNames = 10'000;
  std::set<std::size_t> standard, ours;
  TextMap<int> table;
  for (int i = 0; i < kNames; ++i) {
    const std::string name = testing::name_of_one_hash(i);
    standard.insert(std::hash<std::string>()(name));
    ours.insert(hash_text(name));
    table.emplace(name, i);
  }
  ASSERT_EQ(standard.size(), 1U) << "std::hash is another one: mend name_of_one_hash()";
  EXPECT_EQ(ours.size(), std::size_t{kNames});
  std::size_t longest = 0;
  for (std::size_t i = 0; i < table.bucket_count(); ++i) {
    longest = std::max(longest, table.bucket_size(i));
  }
  EXPECT_LT(longest, 30U);
}

}  // namespace
}  // namespace codexmem
