#include "embed/word_bag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "embed/static_model.h"

namespace codexmem::embed {
namespace {

using ::testing::IsEmpty;

const StaticModel& bag_model() {
  static const auto kModel = StaticModel::built_in().value();
  return *kModel;
}

// "http:2 parse:1"
std::string show(const WordBag& bag) {
  std::string text;
  for (const WordCount& word : bag) {
    text += std::string(bag_model().word(word.id)) + ":" + std::to_string(word.count) + " ";
  }
  return text;
}

TEST(WordBagCollector, CountsKnownWordsInTheModelsOrder) {
  WordBagCollector collector(bag_model());
  collector.add("parseHTTP zzqxv HTTP");
  EXPECT_EQ(show(collector.take()), "http:2 parse:1 ");
  EXPECT_THAT(collector.take(), IsEmpty());
  collector.add("token token");
  collector.add("tokenCache");
  EXPECT_EQ(show(collector.take()), "cache:1 token:3 ");
}

TEST(WordBagCollector, StopsCountingAtTheGreatestCount) {
  WordBagCollector collector(bag_model());
  for (int i = 0; i < 65540; ++i) collector.add("token");
  EXPECT_EQ(show(collector.take()), "token:65535 ");
}

}  // namespace
}  // namespace codexmem::embed
