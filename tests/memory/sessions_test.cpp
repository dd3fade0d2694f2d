#include "memory/entries/sessions.h"

#include <gtest/gtest.h>

#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

class SessionsTest : public MemoryStoreTest {
 protected:
  SessionId start(const char* id, const char* project = "demo") {
    const auto started = sessions_.start(id, project, "codex");
    EXPECT_TRUE(started.ok()) << started.error().message();
    return started.ok() ? *started : SessionId{};
  }
};

TEST_F(SessionsTest, StartIsIdempotentAndReactivates) {
  const SessionId first = start("s1");
  EXPECT_NE(start("s2"), first);
  EXPECT_EQ(*sessions_.complete("s1"), first);
  EXPECT_EQ(count("SELECT completed_at_ms FROM sessions WHERE id = 1"), now_ms_);
  EXPECT_EQ(*sessions_.complete("s1"), std::nullopt);
  EXPECT_EQ(*sessions_.complete("unknown"), std::nullopt);
  EXPECT_EQ(start("s1"), first);
  EXPECT_EQ(*sessions_.complete("s1"), first);
  EXPECT_FALSE(sessions_.start(" ", "demo", "codex").ok());
  EXPECT_EQ(count("SELECT count(*) FROM sessions"), 2);
  EXPECT_EQ(count("SELECT count(*) FROM projects"), 1);
}

TEST_F(SessionsTest, TheProjectIsKeptFromTheFirstPromptOn) {
  const SessionId session = start("s1", "folder");
  EXPECT_EQ(start("s1", "demo"), session);
  ASSERT_TRUE(sessions_.add_prompt("s1", "make tea").ok());
  EXPECT_EQ(start("s1", "other"), session);
  EXPECT_EQ(count("SELECT count(*) FROM sessions AS s JOIN projects AS p ON p.id = s.project_id "
                  "WHERE p.name = 'demo'"),
            1);
}

TEST_F(SessionsTest, PromptsAreCountedPrivateOnesToo) {
  start("s1");
  const auto first = sessions_.add_prompt("s1", "make tea");
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_EQ(first->prompt_number, 1);
  now_ms_ += 9'000;
  const auto again = sessions_.add_prompt("s1", "make tea");
  EXPECT_TRUE(again->is_duplicate);
  EXPECT_EQ(again->prompt_number, 1);
  EXPECT_EQ(again->id, first->id);
  const auto hidden = sessions_.add_prompt("s1", " ");
  EXPECT_TRUE(hidden->is_private);
  EXPECT_EQ(hidden->prompt_number, 2);
  EXPECT_EQ(sessions_.add_prompt("s1", " ")->prompt_number, 3);
  EXPECT_EQ(sessions_.add_prompt("s1", "make tea")->prompt_number, 4);
  now_ms_ += 10'001;
  EXPECT_EQ(sessions_.add_prompt("s1", "make tea")->prompt_number, 5);
  const PromptId ids[] = {hidden->id, PromptId{99}, first->id};
  const auto got = sessions_.get_prompts(ids);
  ASSERT_EQ(got->size(), 2U);
  EXPECT_TRUE((*got)[0].is_private);
  EXPECT_EQ((*got)[1].text, "make tea");
  EXPECT_EQ((*got)[1].project, "demo");
  EXPECT_EQ((*got)[1].session, "s1");
  EXPECT_EQ(sessions_.add_prompt("unknown", "x").error().code(), ErrorCode::kNotFound);
}

TEST_F(SessionsTest, CapturedTextIsRedactedNotRefused) {
  const std::string secret = "ghp" + std::string("_") + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA";
  start("s1");
  const auto added = sessions_.add_prompt("s1", "use " + secret + " <private>canary</private>now");
  ASSERT_TRUE(added.ok());
  Summary summary;
  summary.session = "s1";
  summary.learned = "the key is " + secret;
  ASSERT_TRUE(sessions_.add_summary(summary).ok());
  EXPECT_EQ(count("SELECT count(*) FROM prompts WHERE prompt_text LIKE '%[REDACTED:%' AND "
                  "prompt_text NOT LIKE '%ghp%' AND prompt_text NOT LIKE '%canary%'"),
            1);
  EXPECT_EQ(count("SELECT count(*) FROM summaries WHERE learned LIKE '%[REDACTED:%' AND learned "
                  "NOT LIKE '%ghp%'"),
            1);
}

TEST_F(SessionsTest, ASummaryIsKept) {
  start("s1");
  Summary summary;
  summary.session = "s1";
  EXPECT_FALSE(sessions_.add_summary(summary).ok());
  summary.request = "tea";
  summary.learned = "water boils";
  summary.files_read = {"kettle.cpp"};
  summary.prompt_number = 1;
  const auto added = sessions_.add_summary(summary);
  ASSERT_TRUE(added.ok()) << added.error().message();
  EXPECT_EQ(added->project, "demo");
  const SummaryId ids[] = {added->id};
  const Summary got = sessions_.get_summaries(ids)->front();
  EXPECT_EQ(got.request, "tea");
  EXPECT_EQ(got.investigated, "");
  EXPECT_EQ(got.learned, "water boils");
  EXPECT_EQ(got.files_read, std::vector<std::string>{"kettle.cpp"});
  EXPECT_EQ(got.prompt_number, 1);
  EXPECT_EQ(got.created_at_ms, now_ms_);
  summary.session = "unknown";
  EXPECT_EQ(sessions_.add_summary(summary).error().code(), ErrorCode::kNotFound);
  expect_whole();
}

TEST_F(SessionsTest, ListsAreNewestFirstAndOfOneProject) {
  start("s1");
  start("s2", "other");
  Summary summary;
  for (const char* session : {"s1", "s2", "s1"}) {
    summary.session = session;
    summary.learned = std::string("in ") + session;
    ASSERT_TRUE(sessions_.add_summary(summary).ok());
    ASSERT_TRUE(sessions_.add_prompt(session, "make tea").ok());
    ASSERT_TRUE(sessions_.add_prompt(session, "<private>x</private>").ok());
    now_ms_ += 20'000;
    summary.created_at_ms = 0;
  }
  const auto numbers = [](const auto& records) {
    std::vector<std::int64_t> ids;
    for (const auto& record : records) ids.push_back(static_cast<std::int64_t>(record.id));
    return ids;
  };
  using Ids = std::vector<std::int64_t>;
  EXPECT_EQ(numbers(*sessions_.list_summaries({})), (Ids{3, 2, 1}));
  EXPECT_EQ(numbers(*sessions_.list_summaries({.project = "demo"})), (Ids{3, 1}));
  EXPECT_EQ(numbers(*sessions_.list_summaries({.limit = 1, .offset = 1})), Ids{2});
  EXPECT_EQ(numbers(*sessions_.list_prompts({})), (Ids{5, 3, 1}));
  EXPECT_EQ(numbers(*sessions_.list_prompts({.project = "other"})), Ids{3});
  EXPECT_EQ(numbers(*sessions_.list_prompts({.project = "nobody"})), Ids{});
}

TEST_F(SessionsTest, ListsWalkAlongAnIndex) {
  constexpr const char* kOrder = " ORDER BY created_at_ms DESC, id DESC LIMIT ?2 OFFSET ?3";
  for (const std::string table : {"summaries", "prompts"}) {
    const std::string all = plan("SELECT id FROM " + table + " WHERE ?1 = ''" + kOrder);
    EXPECT_NE(all.find(table + "_time"), std::string::npos) << all;
    const std::string of_project =
        plan("SELECT id FROM " + table +
             " WHERE project_id = (SELECT id FROM projects WHERE name = ?1)" + kOrder);
    EXPECT_NE(of_project.find(table + "_project"), std::string::npos) << of_project;
    EXPECT_EQ((all + of_project).find("TEMP B-TREE"), std::string::npos) << all << of_project;
  }
}

}  // namespace
}  // namespace codexmem::memory
