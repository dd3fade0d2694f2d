#include "memory/entries/retention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

class RetentionTest : public MemoryStoreTest {
 protected:
  EntryId add(std::int64_t age_days, const char* project = "p", const char* type = "discovery",
              const char* metadata = "") {
    ++number_;
    return save({.project = project,
                 .type = type,
                 .text = "text " + std::to_string(number_),
                 .metadata = metadata,
                 .created_at_ms = now_ms_ - age_days * kDayMs - number_})
        .id;
  }

  RetentionPlan make_plan(const RetentionRequest& request) {
    auto made = plan_retention(*store_, request, clock_);
    EXPECT_TRUE(made.ok()) << made.error().message();
    return made.ok() ? *made : RetentionPlan{};
  }

  static std::vector<std::pair<EntryId, std::string>> ids(const RetentionPlan& plan) {
    std::vector<std::pair<EntryId, std::string>> ids;
    for (const auto& c : plan.candidates) ids.emplace_back(c.id, retention_reason_name(c.reason));
    return ids;
  }

  std::map<std::string, std::string> files() {
    std::map<std::string, std::string> bytes;
    for (const auto& file : std::filesystem::directory_iterator(store_->directory())) {
      // What processes share while they read is no data.
      if (file.path().extension() == ".db-shm") continue;
      std::ifstream in(file.path(), std::ios::binary);
      bytes[file.path().filename()] = std::string(std::istreambuf_iterator<char>(in), {});
    }
    return bytes;
  }

  int number_ = 0;
};

TEST_F(RetentionTest, AgeFirstThenCountEachOnceOldestFirst) {
  const EntryId old_q = add(300, "q");
  const EntryId old_p = add(200);
  const EntryId p3 = add(30);
  const EntryId p2 = add(20);
  add(10);
  add(5);
  add(1, "q");
  using Want = std::vector<std::pair<EntryId, std::string>>;
  EXPECT_EQ(ids(make_plan({})), (Want{{old_q, "age"}, {old_p, "age"}}));
  const RetentionPlan plan = make_plan({.max_entries_per_project = 2});
  EXPECT_EQ(ids(plan),
            (Want{{old_q, "age"}, {old_p, "age"}, {p3, "project_count"}, {p2, "project_count"}}));
  EXPECT_EQ(plan.by_age, 2U);
  EXPECT_EQ(plan.by_project_count, 2U);
  EXPECT_EQ(plan.now_ms, now_ms_);
  EXPECT_EQ(ids(make_plan({.max_entries_per_project = 2, .project = "q"})), (Want{{old_q, "age"}}));
  EXPECT_EQ(ids(make_plan({.project = "nobody"})), Want{});
  // Another time of day.
  EXPECT_EQ(ids(make_plan({.now_ms = now_ms_ - 150 * kDayMs, .max_age_days = 100})),
            (Want{{old_q, "age"}}));
  EXPECT_EQ(make_plan({.max_age_days = 0.5}).by_age, 7U);
  EXPECT_EQ(make_plan({.max_age_days = 1e300}).by_age, 0U);
}

TEST_F(RetentionTest, DecisionsAndPinnedEntriesStay) {
  add(300, "p", "decision");
  add(300, "p", "discovery", R"({"pinned": true})");
  const EntryId unpinned = add(300, "p", "discovery", R"({"pinned": "true"})");
  const RetentionPlan plan = make_plan({.max_entries_per_project = 1});
  ASSERT_EQ(plan.candidates.size(), 1U);
  EXPECT_EQ(plan.candidates.front().id, unpinned);
}

TEST_F(RetentionTest, LimitsMustBeAboveZero) {
  const auto message = [&](const RetentionRequest& request) {
    const auto refused = plan_retention(*store_, request, clock_);
    EXPECT_FALSE(refused.ok());
    return refused.ok() ? "" : refused.error().message();
  };
  EXPECT_EQ(message({.max_age_days = 0}), "max_age_days must be above 0, got 0");
  EXPECT_EQ(message({.max_age_days = std::nan("")}), "max_age_days must be above 0, got nan");
  EXPECT_EQ(message({.max_entries_per_project = -1}),
            "max_entries_per_project must be above 0, got -1");
}

TEST_F(RetentionTest, APlanChangesNoByte) {
  for (int i = 0; i < 20; ++i) add(300 + i);
  const auto before = files();
  EXPECT_EQ(make_plan({}).candidates.size(), 20U);
  EXPECT_EQ(files(), before);
}

TEST_F(RetentionTest, RemovedRecordsAreGoneFromTheFiles) {
  for (int i = 0; i < 50; ++i) {
    save({.project = "p",
          .text = "a zanzibarian elephant number " + std::to_string(i),
          .facts = {"it remembers zanzibarian things"},
          .metadata = R"({"where": "zanzibarian coast"})",
          .created_at_ms = now_ms_ - 300 * kDayMs});
  }
  const EntryId kept = save_text("a kept text", "p").id;
  const auto holds = [&](const char* word) {
    for (const auto& [name, bytes] : files()) {
      if (bytes.find(word) != std::string::npos) return true;
    }
    return false;
  };
  ASSERT_TRUE(holds("zanzibarian"));
  const RetentionPlan plan = make_plan({});
  const auto removed = execute_retention(*store_, plan);
  ASSERT_TRUE(removed.ok()) << removed.error().message();
  EXPECT_EQ(*removed, 50U);
  EXPECT_FALSE(holds("zanzibar"));
  EXPECT_FALSE(holds("eleph"));
  EXPECT_EQ(get(kept).body, "a kept text");
  EXPECT_EQ(count("SELECT count(*) FROM entry_metadata"), 0);
  EXPECT_EQ(count("SELECT count(*) FROM document_terms WHERE document_terms MATCH 'elephant'"), 0);
  expect_whole();
  EXPECT_EQ(*execute_retention(*store_, plan), 0U);
}

}  // namespace
}  // namespace codexmem::memory
