// Tested by tests/memory/forget_test.cpp.
#include "store/user/forget.h"

#include <array>

#include "store/query.h"

namespace codexmem::store {
namespace {

#define CODEXMEM_FORGET_ENTRIES(where)                                                             \
  "SELECT t.id << 2, t.created_at_ms, t.title, p.name, EXISTS (SELECT 1 FROM entry_metadata AS m " \
  "WHERE m.entry_id = t.id AND m.key = 'pinned' AND m.value = 'true') "                            \
  "FROM entries AS t JOIN projects AS p ON p.id = t.project_id WHERE " where
#define CODEXMEM_FORGET_SUMMARIES(where)                                               \
  "SELECT (t.id << 2) + 1, t.created_at_ms, substr(coalesce(t.request, ''), 1, 200), " \
  "p.name, 0 FROM summaries AS t JOIN projects AS p ON p.id = t.project_id WHERE " where
#define CODEXMEM_FORGET_PROMPTS(where)                                                 \
  "SELECT (t.id << 2) + 2, t.created_at_ms, substr(t.prompt_text, 1, 200), p.name, 0 " \
  "FROM prompts AS t JOIN projects AS p ON p.id = t.project_id WHERE " where
#define CODEXMEM_FORGET_ALL(where)                                                      \
  CODEXMEM_FORGET_ENTRIES(where)                                                        \
  " UNION ALL " CODEXMEM_FORGET_SUMMARIES(where) " UNION ALL " CODEXMEM_FORGET_PROMPTS( \
      where) " ORDER BY 2, 1"
constexpr std::array kForgetOneSql = {CODEXMEM_FORGET_ENTRIES("t.id = ?1"),
                                      CODEXMEM_FORGET_SUMMARIES("t.id = ?1"),
                                      CODEXMEM_FORGET_PROMPTS("t.id = ?1")};
constexpr char kForgetOfSessionSql[] = CODEXMEM_FORGET_ALL("t.session_id = ?1");
constexpr char kForgetOfProjectSql[] = CODEXMEM_FORGET_ALL("t.project_id = ?1");

constexpr std::array kRemoveDocumentSql = {"DELETE FROM entries WHERE id = ?1 RETURNING id",
                                           "DELETE FROM summaries WHERE id = ?1 RETURNING id",
                                           "DELETE FROM prompts WHERE id = ?1 RETURNING id"};
constexpr std::array kRemoveCapturedSql = {"DELETE FROM queue WHERE session_id = ?1",
                                           "DELETE FROM captured_events WHERE session_id = ?1",
                                           "DELETE FROM message_timings WHERE session_id = ?1",
                                           "DELETE FROM message_failures WHERE session_id = ?1"};
constexpr std::array kRemoveTracesSql = {
    "DELETE FROM search_traces WHERE project = ?1",
    "DELETE FROM ingestion_events WHERE project_id = (SELECT id FROM projects WHERE name = ?1)"};
// A worker may have gone on with it.
constexpr char kRemoveSessionSql[] = R"sql(
DELETE FROM sessions WHERE id = ?1
  AND NOT EXISTS (SELECT 1 FROM queue WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM captured_events WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM prompts WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM summaries WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM entries WHERE session_id = ?1))sql";

}  // namespace

Result<std::vector<ForgetItem>> list_forget_items(Database& database, DocumentKey key) {
  const auto kind = static_cast<std::size_t>(kind_of(key));
  if (kind >= kForgetOneSql.size()) return std::vector<ForgetItem>();
  return query::list(database, kForgetOneSql[kind], query::as<ForgetItem>, id_of(key));
}

Result<std::vector<ForgetItem>> list_forget_items(Database& database, SessionId session) {
  return query::list(database, kForgetOfSessionSql, query::as<ForgetItem>, session);
}

Result<std::vector<ForgetItem>> list_forget_items(Database& database, ProjectId project) {
  return query::list(database, kForgetOfProjectSql, query::as<ForgetItem>, project);
}

Result<std::vector<SessionId>> list_sessions_of(Database& database, ProjectId project) {
  return query::list(database, "SELECT id FROM sessions WHERE project_id = ?1 ORDER BY id",
                     query::read_id<SessionId>, project);
}

Result<std::int64_t> count_queued(Database& database, SessionId session) {
  return query::count(database, "SELECT count(*) FROM queue WHERE session_id = ?1", session);
}

Result<void> remove_captured(Database& database, SessionId session) {
  for (const char* const sql : kRemoveCapturedSql) {
    CODEXMEM_TRY(query::run(database, sql, session));
  }
  return {};
}

Result<void> remove_traces(Database& database, std::string_view name) {
  for (const char* const sql : kRemoveTracesSql) CODEXMEM_TRY(query::run(database, sql, name));
  return {};
}

Result<bool> remove_document(Database& database, DocumentKey key) {
  const auto kind = static_cast<std::size_t>(kind_of(key));
  if (kind >= kRemoveDocumentSql.size()) return false;
  return query::run(database, kRemoveDocumentSql[kind], id_of(key));
}

Result<void> remove_empty_session(Database& database, SessionId session) {
  return query::execute(database, kRemoveSessionSql, session);
}

}  // namespace codexmem::store
