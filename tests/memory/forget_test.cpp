#include "memory/entries/forget.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

class ForgetTest : public MemoryStoreTest {
 protected:
  void SetUp() override {
    // Enough of the canary for the full-text index to have segments of it.
    for (int i = 0; i < 20; ++i) {
      now_ms_ += 60'000;
      const std::string number = std::to_string(i);
      ASSERT_TRUE(sessions_.start("gone", "p", "codex").ok());
      ASSERT_TRUE(sessions_.add_prompt("gone", "a zanzibarian question " + number).ok());
      Summary summary;
      summary.session = "gone";
      summary.request = "zanzibarian request " + number;
      ASSERT_TRUE(sessions_.add_summary(summary).ok());
      save({.project = "p",
            .session = "gone",
            .text = "zanzibarian observation " + number,
            .metadata = R"({"pinned": true})"});
    }
    ASSERT_TRUE(sessions_.start("kept", "q", "codex").ok());
    ASSERT_TRUE(sessions_.add_prompt("kept", "a question that stays").ok());
    save({.project = "q", .session = "kept", .text = "an observation that stays"});
    auto writer = store_->writer();
    ASSERT_TRUE(writer.ok());
    for (const char* sql :
         {"INSERT INTO queue (session_id, prompt_number, kind, happened_at_ms, created_at_ms, "
          "payload) SELECT id, 1, 'observation', 1, 1, '{\"x\":\"zanzibarian payload\"}' FROM "
          "sessions WHERE content_session_id = 'gone'",
          "INSERT INTO captured_events SELECT id, x'00', 1, 1 FROM sessions",
          "INSERT INTO search_traces (at_ms, query, project, mode, vector_backend, vector_hits, "
          "lexical_hits, returned, total_ms, lexical_ms, vector_ms, fuse_ms) VALUES (1, "
          "'zanzibarian', 'p', 'hybrid', 'sqlite', 0, 0, 0, 0, 0, 0, 0)"}) {
      ASSERT_TRUE((*writer)->execute(sql).ok()) << sql;
    }
  }

  bool holds(const char* word) {
    for (const auto& file : std::filesystem::directory_iterator(store_->directory())) {
      if (file.path().extension() == ".db-shm") continue;
      std::ifstream in(file.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(in), {});
      if (bytes.find(word) != std::string::npos) return true;
    }
    return false;
  }

  std::size_t execute(const Result<ForgetPlan>& plan) {
    EXPECT_TRUE(plan.ok()) << plan.error().message();
    const auto removed = execute_forget(*store_, *plan);
    EXPECT_TRUE(removed.ok()) << removed.error().message();
    return removed.ok() ? *removed : 0;
  }
};

TEST_F(ForgetTest, PromptsAndSummariesGoByTheirIds) {
  const DocumentKey keys[] = {document_key(PromptId{1}), document_key(SummaryId{1}),
                              document_key(PromptId{1}), document_key(PromptId{999})};
  const auto plan = plan_forget(*store_, keys, clock_);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  ASSERT_EQ(plan->items.size(), 2U);
  EXPECT_EQ(count("SELECT count(*) FROM prompts"), 21);
  EXPECT_EQ(execute(plan), 2U);
  EXPECT_EQ(execute(plan), 0U);
  EXPECT_EQ(count("SELECT count(*) FROM prompts"), 20);
  EXPECT_EQ(count("SELECT count(*) FROM summaries"), 19);
  EXPECT_FALSE(holds("zanzibarian question 0"));
  EXPECT_FALSE(holds("zanzibarian request 0"));
  EXPECT_TRUE(holds("zanzibarian question 1"));
  expect_whole();
  const DocumentKey decision[] = {document_key(DecisionKey{1})};
  EXPECT_FALSE(plan_forget(*store_, decision, clock_).ok());
}

TEST_F(ForgetTest, OfASessionNoByteIsLeft) {
  const auto plan = plan_forget_session(*store_, "gone", clock_);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->items.size(), 60U);
  EXPECT_EQ(plan->queued, 1);
  EXPECT_TRUE(holds("zanzibarian"));
  EXPECT_EQ(execute(plan), 60U);
  for (const char* table : {"sessions", "prompts", "entries", "captured_events"}) {
    EXPECT_EQ(count("SELECT count(*) FROM " + std::string(table)), 1) << table;
  }
  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
  EXPECT_FALSE(holds("zanzibarian question"));
  EXPECT_FALSE(holds("zanzibarian observation"));
  EXPECT_FALSE(holds("zanzibarian payload"));
  EXPECT_EQ(count("SELECT count(*) FROM document_terms WHERE document_terms MATCH 'question'"), 1);
  expect_whole();
  EXPECT_TRUE(plan_forget_session(*store_, "gone", clock_)->is_empty());
}

TEST_F(ForgetTest, OfAProjectNoByteIsLeft) {
  EXPECT_EQ(execute(plan_forget_project(*store_, "p", clock_)), 60U);
  EXPECT_FALSE(holds("zanzibar"));
  EXPECT_EQ(count("SELECT count(*) FROM sessions"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
  expect_whole();
  EXPECT_TRUE(plan_forget_project(*store_, "nobody", clock_)->is_empty());
}

}  // namespace
}  // namespace codexmem::memory
