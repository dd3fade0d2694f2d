#include "text/keyword_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace codexmem {
namespace {

using Hits = std::vector<std::pair<std::size_t, std::size_t>>;  // keyword, end

Hits scan(const std::vector<std::string_view>& keywords, std::string_view text) {
  Hits hits;
  KeywordSet(keywords).scan(
      text, [&](std::size_t keyword, std::size_t end) { hits.emplace_back(keyword, end); });
  return hits;
}

TEST(KeywordSet, FindsKeywordsWithinOneAnother) {
  EXPECT_EQ(scan({"he", "she", "hers", "his"}, "ushers"), (Hits{{1, 4}, {0, 4}, {2, 6}}));
}

TEST(KeywordSet, EitherCaseAndAnyByte) {
  EXPECT_EQ(scan({"key", "\xE5\xAF\x86"}, "KEY Key \xE5\xAF\x86"), (Hits{{0, 3}, {0, 7}, {1, 11}}));
}

TEST(KeywordSet, NoneInNothing) { EXPECT_EQ(scan({"a"}, ""), Hits{}); }

TEST(KeywordSet, EqualsLookingForEachOnRandomTexts) {
  std::mt19937 random(3);
  const auto random_text = [&](std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += "abc"[random() % 3];
    return text;
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < 1 + random() % 8; ++i) {
      const std::string word = random_text(1 + random() % 5);
      if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
    const std::string text = random_text(40);
    Hits want;
    for (std::size_t k = 0; k < words.size(); ++k) {
      for (std::size_t at = text.find(words[k]); at != std::string::npos;
           at = text.find(words[k], at + 1)) {
        want.emplace_back(k, at + words[k].size());
      }
    }
    Hits got = scan({words.begin(), words.end()}, text);
    std::ranges::sort(got);
    std::ranges::sort(want);
    ASSERT_EQ(got, want) << text;
  }
}

}  // namespace
}  // namespace codexmem
