#include "observe/session_list.h"

#include <string>

#include "memory/store_fixture.h"

namespace codexmem::observe {
namespace {

using memory::testing::kNoon;

class SessionListTest : public memory::testing::StoreFixture {
 protected:
  std::int64_t add_session(const std::string& name, const std::string& project, int minute) {
    const std::int64_t id = session_id(name, project);
    execute("UPDATE sessions SET started_at_ms = " + std::to_string(kNoon + minute * 60'000) +
            ", platform = 'codex' WHERE id = " + std::to_string(id));
    return id;
  }

  void add_prompt(std::int64_t session, int number, const std::string& text) {
    execute(
        "INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, is_private, "
        "created_at_ms) SELECT id, project_id, " +
        std::to_string(number) + ", '" + text + "', " + (text.empty() ? "1" : "0") + ", " +
        std::to_string(kNoon + number) + " FROM sessions WHERE id = " + std::to_string(session));
  }

  void add_message(std::int64_t session, const std::string& status) {
    execute(
        "INSERT INTO queue (session_id, prompt_number, kind, status, happened_at_ms, "
        "created_at_ms) VALUES (" +
        std::to_string(session) + ", 1, 'observation', '" + status + "', 0, 0)");
  }

  std::vector<ListedSession> list(std::string_view project, std::size_t limit = 10,
                                  std::size_t offset = 0) {
    auto reader = store_->reader();
    EXPECT_TRUE(reader.ok());
    auto sessions = list_sessions(**reader, project, limit, offset);
    EXPECT_TRUE(sessions.ok()) << sessions.error().message();
    return *std::move(sessions);
  }
};

TEST_F(SessionListTest, ShowsASessionsResultsAndItsQueue) {
  const std::int64_t id = add_session("one", "demo", 0);
  add_prompt(id, 1, "");
  add_prompt(id, 2, "make it work");
  add_prompt(id, 3, "and again");
  memory::testing::EntryRow row;
  row.session = "one";
  row.body = "It works.";
  add(row);
  for (const char* status : {"pending", "processing", "failed"}) add_message(id, status);

  const auto sessions = list("");
  ASSERT_EQ(sessions.size(), 1u);
  const ListedSession& session = sessions[0];
  EXPECT_EQ(session.content_session_id, "one");
  EXPECT_EQ(session.project, "demo");
  EXPECT_EQ(session.platform, "codex");
  EXPECT_EQ(session.status, "active");
  EXPECT_EQ(session.title, "make it work");
  EXPECT_EQ(session.prompts, 3);
  EXPECT_EQ(session.observations, 1);
  EXPECT_EQ(session.summaries, 0);
  EXPECT_EQ(session.pending, 2);
  EXPECT_EQ(session.failed, 1);
  EXPECT_FALSE(session.completed_at_ms);
}

TEST_F(SessionListTest, TheLastThatBeganIsFirst) {
  add_session("one", "demo", 1);
  add_session("two", "other", 3);
  add_session("three", "demo", 2);
  const auto names = [](const std::vector<ListedSession>& sessions) {
    std::string text;
    for (const ListedSession& each : sessions) text += each.content_session_id + " ";
    return text;
  };
  EXPECT_EQ(names(list("")), "two three one ");
  EXPECT_EQ(names(list("demo")), "three one ");
  EXPECT_EQ(names(list("", 1, 1)), "three ");
  EXPECT_EQ(names(list("unknown")), "");
}

TEST_F(SessionListTest, ASecretInAPromptIsNotShown) {
  const std::int64_t id = add_session("one", "demo", 0);
  // Put together here, so that no file contains a secret.
  const std::string secret = std::string("ghp") + "_" + "R9vT2kLq8ZxWc4NbYh6JmPd1SfGaUe3KoQi7";
  add_prompt(id, 1, std::string(60, 'x') + " token " + secret);
  const auto sessions = list("");
  ASSERT_EQ(sessions.size(), 1u);
  EXPECT_EQ(sessions[0].title.find(secret), std::string::npos) << sessions[0].title;
}

TEST_F(SessionListTest, RecordsOfASessionAreItsOwnNewestFirst) {
  const std::int64_t id = add_session("one", "demo", 0);
  add_prompt(id, 1, "first");
  add_prompt(id, 2, "second");
  add_prompt(add_session("two", "demo", 1), 1, "of another");
  memory::testing::EntryRow row;
  row.session = "one";
  row.body = "Seen.";
  row.created_at_ms = kNoon + 60'000;
  const memory::EntryId entry = add(row);

  auto reader = store_->reader();
  ASSERT_TRUE(reader.ok());
  const auto keys = list_session_records(**reader, memory::SessionId{id}, 10);
  ASSERT_TRUE(keys.ok());
  ASSERT_EQ(keys->size(), 3u);
  EXPECT_EQ(keys->front(), memory::document_key(entry));
  EXPECT_EQ(memory::kind_of(keys->back()), memory::DocumentKind::kPrompt);
  const auto unknown = find_session(**reader, memory::SessionId{0});
  ASSERT_TRUE(unknown.ok());
  EXPECT_FALSE(*unknown);
}

}  // namespace
}  // namespace codexmem::observe
