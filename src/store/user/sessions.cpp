// Tested by memory/sessions_test.cpp.
#include "store/user/sessions.h"

#include "store/query.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

constexpr char kFindSessionSql[] = R"sql(
SELECT s.id, s.project_id, p.name, s.status FROM sessions AS s
JOIN projects AS p ON p.id = s.project_id WHERE s.content_session_id = ?1)sql";
constexpr char kInsertSessionSql[] = R"sql(
INSERT INTO sessions (content_session_id, project_id, platform, started_at_ms)
VALUES (?1, ?2, ?3, ?4))sql";
constexpr char kSettleSessionSql[] = R"sql(
UPDATE sessions SET project_id = ?2
WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM prompts WHERE session_id = ?1))sql";
constexpr char kReactivateSessionSql[] = R"sql(
UPDATE sessions SET status = 'active', completed_at_ms = NULL WHERE id = ?1)sql";
constexpr char kCompleteSessionSql[] = R"sql(
UPDATE sessions SET status = 'completed', completed_at_ms = max(?2, started_at_ms)
WHERE id = ?1 AND status = 'active')sql";

constexpr char kInsertPromptSql[] = R"sql(
INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, is_private, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";
#define CODEXMEM_PROMPT                                                                       \
  "SELECT p.id, j.name, s.content_session_id, p.prompt_number, p.prompt_text, p.is_private, " \
  "p.created_at_ms FROM prompts AS p JOIN sessions AS s ON s.id = p.session_id "              \
  "JOIN projects AS j ON j.id = p.project_id WHERE p.id = "
constexpr char kFindPromptSql[] = CODEXMEM_PROMPT "?1";
constexpr char kLastPromptSql[] = CODEXMEM_PROMPT
    "(SELECT id FROM prompts WHERE session_id = ?1 ORDER BY prompt_number DESC LIMIT 1)";

constexpr char kInsertSummarySql[] = R"sql(
INSERT INTO summaries (session_id, project_id, request, investigated, learned, completed,
  next_steps, notes, files_read, files_edited, prompt_number, discovery_tokens, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13))sql";
constexpr char kFindSummarySql[] = R"sql(
SELECT u.id, j.name, s.content_session_id, u.request, u.investigated, u.learned, u.completed,
  u.next_steps, u.notes, u.files_read, u.files_edited, u.prompt_number, u.discovery_tokens,
  u.created_at_ms
FROM summaries AS u JOIN sessions AS s ON s.id = u.session_id
JOIN projects AS j ON j.id = u.project_id
WHERE u.id = ?1)sql";

constexpr char kOfAll[] = "?1 = ''";
constexpr char kOfProject[] = "project_id = (SELECT id FROM projects WHERE name = ?1)";
constexpr char kPage[] = " ORDER BY created_at_ms DESC, id DESC LIMIT ?2 OFFSET ?3";

SessionRow read_session(const Statement& row) {
  return {row.id<SessionId>(0), row.id<ProjectId>(1), std::string(row.text(2)),
          row.text(3) == "active"};
}

Prompt read_prompt(const Statement& row) {
  return {row.id<PromptId>(0), std::string(row.text(1)), std::string(row.text(2)),
          row.integer(3),      std::string(row.text(4)), row.integer(5) != 0,
          row.integer(6)};
}

Summary read_summary(const Statement& row) {
  Summary summary;
  summary.id = row.id<SummaryId>(0);
  int column = 1;
  for (std::string* text :
       {&summary.project, &summary.session, &summary.request, &summary.investigated,
        &summary.learned, &summary.completed, &summary.next_steps, &summary.notes}) {
    *text = row.text(column++);
  }
  summary.files_read = read_json_list(row.text(9));
  summary.files_edited = read_json_list(row.text(10));
  summary.prompt_number = query::read_number(row, 11);
  summary.discovery_tokens = row.integer(12);
  summary.created_at_ms = row.integer(13);
  return summary;
}

template <typename Id>
Result<std::vector<Id>> list_page(Database& database, std::string_view from, const ListPage& page) {
  const std::string sql = std::string(from) + (page.project.empty() ? kOfAll : kOfProject) + kPage;
  return query::list(database, sql, query::read_id<Id>, page.project, page.limit, page.offset);
}

}  // namespace

Result<std::optional<SessionRow>> find_session(Database& database,
                                               std::string_view content_session_id) {
  return query::find(database, kFindSessionSql, read_session, content_session_id);
}

Result<SessionId> insert_session(Database& database, std::string_view content_session_id,
                                 ProjectId project, std::string_view platform,
                                 std::int64_t now_ms) {
  return query::insert<SessionId>(database, kInsertSessionSql, content_session_id, project,
                                  query::OrNull{platform}, now_ms);
}

Result<SessionId> ensure_session(Database& database, std::string_view content_session_id,
                                 ProjectId project, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto session, find_session(database, content_session_id));
  if (session) return session->id;
  return insert_session(database, content_session_id, project, {}, now_ms);
}

Result<void> reactivate_session(Database& database, SessionId id) {
  return query::execute(database, kReactivateSessionSql, id);
}

Result<void> settle_session(Database& database, SessionId id, ProjectId project) {
  return query::execute(database, kSettleSessionSql, id, project);
}

Result<void> complete_session(Database& database, SessionId id, std::int64_t now_ms) {
  return query::execute(database, kCompleteSessionSql, id, now_ms);
}

Result<PromptId> insert_prompt(Database& database, const SessionRow& session,
                               const Prompt& prompt) {
  return query::insert<PromptId>(database, kInsertPromptSql, session.id, session.project_id,
                                 prompt.prompt_number, prompt.text, prompt.is_private,
                                 prompt.created_at_ms);
}

Result<std::optional<Prompt>> find_stored_prompt(Database& database, PromptId id) {
  return query::find(database, kFindPromptSql, read_prompt, id);
}

Result<std::optional<Prompt>> find_last_prompt(Database& database, SessionId session) {
  return query::find(database, kLastPromptSql, read_prompt, session);
}

Result<std::vector<PromptId>> list_prompt_ids(Database& database, const ListPage& page) {
  return list_page<PromptId>(database, "SELECT id FROM prompts WHERE is_private = 0 AND ", page);
}

Result<SummaryId> insert_summary(Database& database, const SessionRow& session,
                                 const Summary& summary) {
  using query::OrNull;
  return query::insert<SummaryId>(
      database, kInsertSummarySql, session.id, session.project_id, OrNull{summary.request},
      OrNull{summary.investigated}, OrNull{summary.learned}, OrNull{summary.completed},
      OrNull{summary.next_steps}, OrNull{summary.notes}, write_json_list(summary.files_read),
      write_json_list(summary.files_edited), summary.prompt_number, summary.discovery_tokens,
      summary.created_at_ms);
}

Result<std::optional<Summary>> find_stored_summary(Database& database, SummaryId id) {
  return query::find(database, kFindSummarySql, read_summary, id);
}

Result<std::vector<SummaryId>> list_summary_ids(Database& database, const ListPage& page) {
  return list_page<SummaryId>(database, "SELECT id FROM summaries WHERE ", page);
}

}  // namespace codexmem::store
