#include "memory/recall/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

class TimelineTest : public MemoryStoreTest {
 protected:
  /// Records of four kinds in two projects at a few moments, in no order.
  void fill() {
    auto writer = store_->writer();
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)
                    ->execute("BEGIN;"
                              "INSERT INTO projects VALUES (1, 'p', 0), (2, 'q', 0);"
                              "INSERT INTO sessions (id, content_session_id, project_id, "
                              "started_at_ms) VALUES (1, 'sp', 1, 0), (2, 'sq', 2, 0)")
                    .ok());
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
      const std::string time = std::to_string(1000 + random() % 20);
      const std::string project = std::to_string(1 + random() % 2);
      const std::string number = std::to_string(i);
      const std::string sql[] = {
          "INSERT INTO entries (project_id, entry_type, title, has_own_title, body, source, "
          "content_hash, created_at_ms) VALUES (" +
              project + ", 't', 't', 1, 'b', 'manual', randomblob(32), " + time + ")",
          "INSERT INTO summaries (session_id, project_id, request, created_at_ms) VALUES (" +
              project + ", " + project + ", 'r', " + time + ")",
          "INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, created_at_ms) "
          "VALUES (" +
              project + ", " + project + ", " + number + ", 'text', " + time + ")",
          "INSERT INTO decisions (id, kind, project_id, title, target, target_key, status, "
          "rationale, source, created_at_ms) VALUES ('d" +
              number + "', 'decision', " + project + ", 't', 'T', 't" + number +
              "', 'active', 'why', 'agent', " + time + ")"};
      const auto done = (*writer)->execute(sql[random() % 4]);
      ASSERT_TRUE(done.ok()) << done.error().message();
    }
    ASSERT_TRUE((*writer)->execute("COMMIT").ok());
    auto all = (*writer)->statement(
        "SELECT t, kind, id, project FROM ("
        "SELECT created_at_ms AS t, 0 AS kind, id AS id, project_id AS project FROM entries "
        "UNION ALL SELECT created_at_ms, 1, id, project_id FROM summaries "
        "UNION ALL SELECT created_at_ms, 2, id, project_id FROM prompts "
        "UNION ALL SELECT created_at_ms, 3, key, project_id FROM decisions) ORDER BY t, kind, id");
    while (*all->step()) {
      all_.push_back({document_key(static_cast<DocumentKind>(all->integer(1)), all->integer(2)),
                      all->integer(0), all->integer(3)});
    }
  }

  struct Row {
    DocumentKey key;
    std::int64_t time_ms, project;
  };
  std::vector<Row> all_;
};

TEST_F(TimelineTest, IsAWindowOfAllRecordsInOrder) {
  fill();
  for (const char* name : {"", "p", "q"}) {
    const std::int64_t project = *name == '\0' ? 0 : *name - 'p' + 1;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      TimelineRequest request;
      request.anchor = all_[i].key;
      request.before = i % 5;
      request.after = i % 7;
      request.project = name;
      std::vector<DocumentKey> want;
      for (std::size_t j = i; j-- > 0 && want.size() < request.before;) {
        if (project == 0 || all_[j].project == project) want.push_back(all_[j].key);
      }
      std::reverse(want.begin(), want.end());
      const std::size_t at = want.size();
      want.push_back(all_[i].key);
      for (std::size_t j = i + 1; j < all_.size() && want.size() < at + 1 + request.after; ++j) {
        if (project == 0 || all_[j].project == project) want.push_back(all_[j].key);
      }
      const auto got = timeline(*store_, request);
      ASSERT_TRUE(got.ok()) << got.error().message();
      ASSERT_EQ(got->anchor, at);
      std::vector<DocumentKey> keys;
      for (const TimelineItem& item : got->items) {
        EXPECT_EQ(item.is_anchor, keys.size() == at);
        EXPECT_EQ(item.record.index(), static_cast<std::size_t>(kind_of(item.key)));
        keys.push_back(item.key);
      }
      ASSERT_EQ(keys, want) << name << " " << i;
    }
  }
}

// The statements of timeline.cpp, where each table's look the same.
TEST_F(TimelineTest, WalksAnIndex) {
  for (const char* table : {"entries", "summaries", "prompts", "decisions"}) {
    const std::string name(table);
    const std::string id = name == "decisions" ? "key" : "id";
    const std::string all =
        plan("SELECT " + id + ", created_at_ms FROM " + name + " INDEXED BY " + name +
             "_time WHERE (created_at_ms, " + id +
             ") < (?1, ?2) AND ?3 IS NULL ORDER BY created_at_ms DESC, " + id + " DESC LIMIT ?4");
    EXPECT_NE(all.find("USING COVERING INDEX " + name + "_time (created_at_ms<?)"),
              std::string::npos)
        << all;
    EXPECT_EQ(all.find("TEMP B-TREE"), std::string::npos) << all;
    const std::string one =
        plan("SELECT " + id + ", created_at_ms FROM " + name + " INDEXED BY " + name +
             "_project WHERE project_id = ?3 AND "
             "(created_at_ms, " +
             id + ") > (?1, ?2) ORDER BY created_at_ms, " + id + " LIMIT ?4");
    EXPECT_NE(
        one.find("USING COVERING INDEX " + name + "_project (project_id=? AND created_at_ms>"),
        std::string::npos)
        << one;
    EXPECT_EQ(one.find("TEMP B-TREE"), std::string::npos) << one;
  }
}

TEST_F(TimelineTest, AroundAMoment) {
  fill();
  TimelineRequest request;
  request.anchor = std::int64_t{1010};
  const auto got = timeline(*store_, request);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->anchor, std::nullopt);
  ASSERT_EQ(got->items.size(), 6U);
  EXPECT_LE(got->items[2].created_at_ms, 1010);
  EXPECT_GT(got->items[3].created_at_ms, 1010);
}

TEST_F(TimelineTest, WithoutDecisions) {
  fill();
  TimelineRequest request;
  request.anchor = std::int64_t{1010};
  request.before = request.after = 200;
  request.has_decisions = false;
  const auto got = timeline(*store_, request);
  ASSERT_TRUE(got.ok());
  EXPECT_LT(got->items.size(), all_.size());
  for (const TimelineItem& item : got->items) {
    EXPECT_NE(kind_of(item.key), DocumentKind::kDecision);
  }
}

TEST_F(TimelineTest, AnUnknownAnchorIsNotFound) {
  fill();
  TimelineRequest request;
  const auto message = [&] {
    const auto refused = timeline(*store_, request);
    EXPECT_FALSE(refused.ok());
    return refused.ok() ? "" : refused.error().message();
  };
  request.anchor = document_key(EntryId{99999});
  EXPECT_EQ(message(), "Observation #99999 not found");
  request.anchor = document_key(SummaryId{99999});
  EXPECT_EQ(message(), "Session #S99999 not found");
  request.anchor = document_key(PromptId{99999});
  EXPECT_EQ(message(), "Prompt #P99999 not found");
  // Isolated: what belongs to another project is not there.
  request.anchor = all_.front().key;
  request.project = all_.front().project == 1 ? "q" : "p";
  EXPECT_TRUE(timeline(*store_, request).ok());
  request.is_isolated = true;
  EXPECT_FALSE(timeline(*store_, request).ok());
  request.project = "nobody";
  EXPECT_FALSE(timeline(*store_, request).ok());
}

}  // namespace
}  // namespace codexmem::memory
