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
  collector.add("token", 2);
  collector.add("tokenCache");
  EXPECT_EQ(show(collector.take()), "cache:1 token:3 ");
}

TEST(WordBagCollector, StopsCountingAtTheGreatestCount) {
  WordBagCollector collector(bag_model());
  collector.add("token", 65000);
  collector.add("token token", 4000000000U);
  EXPECT_EQ(show(collector.take()), "token:65535 ");
}

WordStatistics some_statistics() {
  WordStatistics statistics(bag_model().word_count());
  WordBagCollector collector(bag_model());
  for (const char* text : {"parse tokens", "parse HTTP", "zoo about", ""}) {
    collector.add(text);
    statistics.add_chunk(collector.take());
  }
  return statistics;
}

TEST(WordStatistics, CountChunksAndNotOccurrences) {
  WordStatistics statistics(bag_model().word_count());
  WordBagCollector collector(bag_model());
  collector.add("parse parse http");
  const WordBag bag = collector.take();
  statistics.add_chunk(bag);
  EXPECT_EQ(statistics.chunk_count(), 1U);
  EXPECT_EQ(statistics.chunks_with(*bag_model().find_word("parse")), 1U);
  WordStatistics sum = some_statistics();
  sum.add(statistics);
  EXPECT_EQ(sum.chunk_count(), 5U);
  EXPECT_EQ(sum.chunks_with(*bag_model().find_word("parse")), 3U);
  sum.remove_chunk(bag);
  EXPECT_EQ(sum, some_statistics());
}

TEST(WordStatistics, SurviveStoring) {
  const WordStatistics statistics = some_statistics();
  const auto parsed = WordStatistics::parse(statistics.serialize(), bag_model().word_count());
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(*parsed, statistics);
  const WordStatistics none(bag_model().word_count());
  EXPECT_EQ(*WordStatistics::parse(none.serialize(), bag_model().word_count()), none);
}

TEST(WordStatistics, RefuseDamage) {
  const std::string bytes = some_statistics().serialize();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(
        WordStatistics::parse(std::string_view(bytes).substr(0, size), bag_model().word_count())
            .ok());
  }
  EXPECT_FALSE(WordStatistics::parse(bytes + "x", bag_model().word_count()).ok());
  EXPECT_FALSE(WordStatistics::parse(bytes, bag_model().word_count() + 1).ok());
  // Whatever a byte is changed to, the answer is an error or statistics of the right size.
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(value);
      const auto parsed = WordStatistics::parse(changed, bag_model().word_count());
      if (!parsed.ok()) {
        EXPECT_EQ(parsed.error().code(), ErrorCode::kCorrupt);
        continue;
      }
      EXPECT_EQ(parsed->word_count(), bag_model().word_count());
    }
  }
}

TEST(VectorsAreOutdated, WhenAFifthOfTheChunksChanged) {
  EXPECT_FALSE(vectors_are_outdated(0, 0));
  EXPECT_TRUE(vectors_are_outdated(0, 1));
  EXPECT_FALSE(vectors_are_outdated(100, 119));
  EXPECT_TRUE(vectors_are_outdated(100, 120));
  EXPECT_FALSE(vectors_are_outdated(100, 81));
  EXPECT_TRUE(vectors_are_outdated(100, 80));
}

TEST(PathNames, AreTheBaseNameAndItsDirectory) {
  const struct {
    const char* path;
    const char* base_name;
    const char* parent;
  } kCases[] = {
      {"src/http/client.ts", "client", "http"},
      {"setup.py", "setup", ""},
      {"src/app.test.ts", "app.test", "src"},
      {".eslintrc", ".eslintrc", ""},
      {"a/.b.js", ".b", "a"},
      {"bin/tool", "tool", "bin"},
      {"/abs.py", "abs", ""},
      {"", "", ""},
  };
  for (const auto& c : kCases) {
    const PathNames names = path_names(c.path);
    EXPECT_EQ(names.base_name, c.base_name) << c.path;
    EXPECT_EQ(names.parent, c.parent) << c.path;
  }
}

}  // namespace
}  // namespace codexmem::embed
