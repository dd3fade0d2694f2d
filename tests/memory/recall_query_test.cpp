#include "memory/recall/recall_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/store_fixture.h"

namespace codexmem::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> words_of(const RecallQuery& query) {
  std::vector<std::string> words;
  for (const QueryTerm& term : query.terms) words.push_back(term.word);
  return words;
}

TEST(RecallQuery, DropsStopWordsUnlessThereIsNothingElse) {
  EXPECT_THAT(words_of(read_recall_query("What is the cause of it?", 0)), ElementsAre("caus"));
  EXPECT_THAT(words_of(read_recall_query("to be or not", 0)), ElementsAre("to", "be", "or", "not"));
  EXPECT_THAT(words_of(read_recall_query("\"()*:^", 0)), IsEmpty());
}

TEST(RecallQuery, TakesQuotesAndFiles) {
  const RecallQuery query =
      read_recall_query("\"token buckets\" in src\\api/Limiter.py, v3.12 `one` and a/b.", 0);
  EXPECT_THAT(query.quoted, ElementsAre("token bucket"));
  EXPECT_THAT(query.files, ElementsAre("src/api/limiter.py"));
}

TEST(RecallQuery, ReadsDates) {
  constexpr std::int64_t kDay = testing::kDayMs;
  constexpr std::int64_t kToday = testing::kNoon - kDay / 2;  // Wednesday, 18 March 2026
  const struct {
    const char* text;
    std::int64_t from_day, to_day;  // from today; both the same: one day
  } cases[] = {
      {"what did we do today", 0, 0}, {"what broke yesterday", -1, -1}, {"2026-03-10", -8, -8},
      {"the talk on Monday", -2, -2}, {"last friday", -5, -5},          {"three days ago", -4, -2},
      {"10 March 2026", -8, -8},      {"March 10th, 2026", -8, -8},     {"in 2026-02", -45, -18},
      {"last month", -45, -18},       {"in February 2026", -45, -18},   {"during 2026", -76, 288},
  };
  for (const auto& one : cases) {
    const RecallQuery query = read_recall_query(one.text, testing::kNoon);
    ASSERT_EQ(query.dates.size(), 1U) << one.text;
    EXPECT_EQ((query.dates[0].from_ms - kToday) / kDay, one.from_day) << one.text;
    EXPECT_EQ((query.dates[0].to_ms + 1 - kToday) / kDay - 1, one.to_day) << one.text;
  }
  for (const char* none : {"it may work", "march on", "3.12", "99999-99-99", "2026-13-45", "0 ago",
                           "port 8080", "last resort", "30 February 2026 2"}) {
    for (const DateSpan& span : read_recall_query(none, testing::kNoon).dates) {
      EXPECT_LE(span.from_ms, span.to_ms) << none;
    }
  }
  EXPECT_THAT(read_recall_query("it may work", testing::kNoon).dates, IsEmpty());
  EXPECT_THAT(read_recall_query("port 8080 and 3.12", testing::kNoon).dates, IsEmpty());
  EXPECT_GE(read_recall_query("in May", testing::kNoon).dates.size(), 2U);  // of several years
}

}  // namespace
}  // namespace codexmem::memory
