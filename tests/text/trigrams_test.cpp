#include "text/trigrams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace codexmem {
namespace {

TEST(Trigrams, AreFoldedAndNeverSpanWhiteSpace) {
  EXPECT_EQ(trigrams_of("abc"), trigrams_of("ABC"));
  EXPECT_EQ(trigrams_of("abcabc").size(), 3U);
  EXPECT_TRUE(trigrams_of("ab cd\tef\ngh").empty());
  EXPECT_TRUE(trigrams_of("").empty());
  EXPECT_TRUE(trigrams_of("ab").empty());
  EXPECT_NE(trigrams_of("a_b"), trigrams_of("a-b"));
}

TEST(Trigrams, OfOtherScriptsOnlyExistWithoutCase) {
  EXPECT_TRUE(trigrams_of("\u00E9\u00E8\u00EA").empty());  // letters with case break a run
  EXPECT_TRUE(trigrams_of("ab\u00E9cd").empty());
  EXPECT_FALSE(trigrams_of("\u4F7F\u7528").empty());
  EXPECT_NE(trigrams_of("\u4F7F"), trigrams_of("\u7528"));
  EXPECT_EQ(trigrams_of("a\u212Ab"), trigrams_of("akb"));
  EXPECT_EQ(trigrams_of("a\u017Fb"), trigrams_of("asb"));
  EXPECT_EQ(trigrams_of("abc\xFFxyz").size(), 2U);  // invalid UTF-8 breaks a run
}

TEST(TrigramFilter, KnowsAllThatItWasMadeOfInTwoBitsEach) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "name" + std::to_string(i * 7919) + " ";
  TrigramFilterMaker maker;
  const std::string filter = maker.make(text);
  const auto trigrams = trigrams_of(text);
  EXPECT_EQ(filter.size(), (trigrams.size() + 3) / 4);
  for (const std::uint32_t trigram : trigrams) EXPECT_TRUE(may_hold(filter, trigram));
  // The maker forgets what it has seen.
  EXPECT_EQ(maker.make(text), filter);
  EXPECT_EQ(maker.make("").size(), 0U);
}

TEST(TrigramFilter, TwoInFiveMissingTrigramsPass) {
  std::string text, other;
  for (int i = 0; i < 3000; ++i) {
    text += "a" + std::to_string(i * 31) + "x ";
    other += "b" + std::to_string(i * 57) + "y ";
  }
  TrigramFilterMaker maker;
  const std::string filter = maker.make(text);
  const auto there = trigrams_of(text);
  int missing = 0, passing = 0;
  for (const std::uint32_t trigram : trigrams_of(other)) {
    if (std::binary_search(there.begin(), there.end(), trigram)) continue;
    ++missing;
    passing += may_hold(filter, trigram) ? 1 : 0;
  }
  ASSERT_GT(missing, 100);
  EXPECT_NEAR(static_cast<double>(passing) / missing, 0.39, 0.1);
  EXPECT_FALSE(may_hold("", 5));
}

}  // namespace
}  // namespace codexmem
