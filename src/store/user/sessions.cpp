// Tested by memory/sessions_test.cpp.
#include "store/user/sessions.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kLastPromptSql[] =
    "p.id = (SELECT id FROM prompts WHERE session_id = ?1 ORDER BY prompt_number DESC LIMIT 1)";

constexpr char kOfAll[] = "?1 = ''";
constexpr char kOfProject[] = "project_id = (SELECT id FROM projects WHERE name = ?1)";
constexpr char kPage[] = " ORDER BY created_at_ms DESC, id DESC LIMIT ?2 OFFSET ?3";

// The record of a project and session in `table` (p) that `where` names.
template <typename Record, typename Id>
Result<std::optional<Record>> find_record(Database& database, const std::string& table,
                                          const std::string& where, Id id) {
  const std::string sql = "SELECT p.id, j.name, s.content_session_id, " +
                          query::columns<Record>("p.") + " FROM " + table +
                          " AS p JOIN sessions AS s ON s.id = p.session_id"
                          " JOIN projects AS j ON j.id = p.project_id WHERE " +
                          where;
  return query::find(database, sql,
                     query::read_row<Record, &Record::id, &Record::project, &Record::session>, id);
}

template <typename Id>
Result<std::vector<Id>> list_page(Database& database, std::string_view from, const ListPage& page) {
  const std::string sql = std::string(from) + (page.project.empty() ? kOfAll : kOfProject) + kPage;
  return query::list(database, sql, query::read_id<Id>, page.project, page.limit, page.offset);
}

constexpr char kSelectSessionsSql[] = R"sql(
SELECT s.id, s.content_session_id, j.name, s.platform, s.status, s.started_at_ms,
  s.completed_at_ms,
  (SELECT count(*) FROM prompts AS p WHERE p.session_id = s.id),
  (SELECT count(*) FROM entries AS e WHERE e.session_id = s.id),
  (SELECT count(*) FROM summaries AS u WHERE u.session_id = s.id),
  (SELECT count(*) FROM queue AS q
   WHERE q.session_id = s.id AND q.status IN ('pending', 'processing')),
  (SELECT count(*) FROM queue AS q WHERE q.session_id = s.id AND q.status = 'failed'),
  (SELECT substr(p.prompt_text, 1, 2000) FROM prompts AS p
   WHERE p.session_id = s.id AND p.prompt_text <> '' ORDER BY p.prompt_number LIMIT 1)
FROM sessions AS s JOIN projects AS j ON j.id = s.project_id
WHERE (?1 = 0 OR s.id = ?1) AND (?2 = '' OR j.name = ?2)
ORDER BY s.started_at_ms DESC, s.id DESC LIMIT ?3 OFFSET ?4)sql";

constexpr char kSessionRecordsSql[] = R"sql(
SELECT kind, id FROM (
  SELECT 0 AS kind, id, created_at_ms FROM entries WHERE session_id = ?1
  UNION ALL SELECT 1, id, created_at_ms FROM summaries WHERE session_id = ?1
  UNION ALL SELECT 2, id, created_at_ms FROM prompts WHERE session_id = ?1)
ORDER BY created_at_ms DESC, kind, id DESC LIMIT ?2)sql";

}  // namespace

Result<std::optional<SessionRow>> find_session(Database& database,
                                               std::string_view content_session_id) {
  return query::find(database, R"sql(
SELECT s.id, s.project_id, p.name, s.status = 'active' FROM sessions AS s
JOIN projects AS p ON p.id = s.project_id WHERE s.content_session_id = ?1)sql",
                     query::as<SessionRow>, content_session_id);
}

Result<SessionId> insert_session(Database& database, std::string_view content_session_id,
                                 ProjectId project, std::string_view platform,
                                 std::int64_t now_ms) {
  return query::insert<SessionId>(database, R"sql(
INSERT INTO sessions (content_session_id, project_id, platform, started_at_ms)
VALUES (?1, ?2, ?3, ?4))sql",
                                  content_session_id, project, query::OrNull{platform}, now_ms);
}

Result<SessionId> ensure_session(Database& database, std::string_view content_session_id,
                                 ProjectId project, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto session, find_session(database, content_session_id));
  if (session) return session->id;
  return insert_session(database, content_session_id, project, {}, now_ms);
}

Result<void> reactivate_session(Database& database, SessionId id) {
  return query::execute(database, R"sql(
UPDATE sessions SET status = 'active', completed_at_ms = NULL WHERE id = ?1)sql",
                        id);
}

Result<void> settle_session(Database& database, SessionId id, ProjectId project) {
  return query::execute(database, R"sql(
UPDATE sessions SET project_id = ?2
WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM prompts WHERE session_id = ?1))sql",
                        id, project);
}

Result<void> complete_session(Database& database, SessionId id, std::int64_t now_ms) {
  return query::execute(database, R"sql(
UPDATE sessions SET status = 'completed', completed_at_ms = max(?2, started_at_ms)
WHERE id = ?1 AND status = 'active')sql",
                        id, now_ms);
}

Result<PromptId> insert_prompt(Database& database, const SessionRow& session,
                               const Prompt& prompt) {
  return query::insert_row<PromptId>(database,
                                     query::insert_sql<Prompt>("prompts", "session_id, project_id"),
                                     prompt, session.id, session.project_id);
}

Result<std::optional<Prompt>> find_stored_prompt(Database& database, PromptId id) {
  return find_record<Prompt>(database, "prompts", "p.id = ?1", id);
}

Result<std::optional<Prompt>> find_last_prompt(Database& database, SessionId session) {
  return find_record<Prompt>(database, "prompts", kLastPromptSql, session);
}

Result<std::vector<PromptId>> list_prompt_ids(Database& database, const ListPage& page) {
  return list_page<PromptId>(database, "SELECT id FROM prompts WHERE is_private = 0 AND ", page);
}

Result<SummaryId> insert_summary(Database& database, const SessionRow& session,
                                 const Summary& summary) {
  return query::insert_row<SummaryId>(
      database, query::insert_sql<Summary>("summaries", "session_id, project_id"), summary,
      session.id, session.project_id);
}

Result<std::optional<Summary>> find_stored_summary(Database& database, SummaryId id) {
  return find_record<Summary>(database, "summaries", "p.id = ?1", id);
}

Result<std::vector<SummaryId>> list_summary_ids(Database& database, const ListPage& page) {
  return list_page<SummaryId>(database, "SELECT id FROM summaries WHERE ", page);
}

Result<std::optional<SessionState>> find_session_state(Database& database, SessionId id) {
  return query::find(database, R"sql(
SELECT s.content_session_id, p.name, s.status = 'active'
FROM sessions AS s JOIN projects AS p ON p.id = s.project_id WHERE s.id = ?1)sql",
                     query::as<SessionState>, id);
}

Result<Turn> find_last_turn(Database& database, SessionId session,
                            std::optional<std::int64_t> until_ms) {
  CODEXMEM_ASSIGN(const auto turn, query::find(database, R"sql(
SELECT prompt_number, is_private FROM prompts
WHERE session_id = ?1 AND (?2 IS NULL OR created_at_ms <= ?2)
ORDER BY prompt_number DESC LIMIT 1)sql",
                                               query::as<Turn>, session, until_ms));
  return turn.value_or(Turn{});
}

Result<Turn> find_turn_at(Database& database, SessionId session, std::int64_t prompt_number) {
  CODEXMEM_ASSIGN(const auto turn, query::find(database, R"sql(
SELECT prompt_number, is_private FROM prompts WHERE session_id = ?1 AND prompt_number = ?2)sql",
                                               query::as<Turn>, session, prompt_number));
  return turn.value_or(Turn{});
}

Result<std::string> read_prompt_text(Database& database, SessionId session,
                                     std::int64_t prompt_number) {
  CODEXMEM_ASSIGN(auto text, query::find(database, R"sql(
SELECT prompt_text FROM prompts WHERE session_id = ?1 AND prompt_number = ?2)sql",
                                         query::read_text, session, prompt_number));
  return std::move(text).value_or("");
}

Result<std::vector<std::string>> list_prompts_since_summary(Database& database, SessionId session,
                                                            std::int64_t prompt_number,
                                                            std::size_t limit) {
  return query::list(database, R"sql(
SELECT prompt_text FROM prompts
WHERE session_id = ?1 AND prompt_number <= ?2 AND is_private = 0 AND prompt_number > (
  SELECT ifnull(max(prompt_number), 0) FROM summaries WHERE session_id = ?1 AND prompt_number < ?2)
ORDER BY prompt_number DESC LIMIT ?3)sql",
                     query::read_text, session, prompt_number, limit);
}

Result<std::vector<EarlierObservation>> list_earlier(Database& database, SessionId session,
                                                     std::int64_t prompt_number,
                                                     std::size_t limit) {
  return query::list(database, R"sql(
SELECT title, facts, files_read, files_modified, ifnull(prompt_number, 0) = ?2 FROM entries
WHERE session_id = ?1 AND source = 'observer'
ORDER BY created_at_ms DESC, id DESC LIMIT ?3)sql",
                     query::as<EarlierObservation>, session, prompt_number, limit);
}

Result<std::vector<EntryId>> list_observed_since_summary(Database& database, SessionId session,
                                                         std::size_t limit) {
  return query::list(database, R"sql(
SELECT id FROM entries WHERE session_id = ?1 AND source = 'observer' AND created_at_ms > (
  SELECT ifnull(max(created_at_ms), -1) FROM summaries WHERE session_id = ?1)
ORDER BY created_at_ms DESC, id DESC LIMIT ?2)sql",
                     query::read_id<EntryId>, session, limit);
}

Result<std::vector<ListedSession>> select_sessions(Database& database, SessionId id,
                                                   std::string_view project, std::size_t limit,
                                                   std::size_t offset) {
  return query::list(database, kSelectSessionsSql, query::as<ListedSession>, id, project, limit,
                     offset);
}

Result<std::vector<DocumentKey>> list_session_records(Database& database, SessionId session,
                                                      std::size_t limit) {
  const auto read = [](const Statement& row) {
    return document_key(row.id<DocumentKind>(0), row.integer(1));
  };
  return query::list(database, kSessionRecordsSql, read, session, limit);
}

}  // namespace codexmem::store
