// Tested by worker/session_list_test.cpp.
#include "observe/session_list.h"

#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::observe {
namespace {

// ?1: a session's id, or 0; ?2: a project's name, or ''.
constexpr char kSessionsSql[] = R"sql(
SELECT s.id, s.content_session_id, j.name, s.platform, s.status, s.started_at_ms,
  s.completed_at_ms,
  (SELECT COUNT(*) FROM prompts AS p WHERE p.session_id = s.id),
  (SELECT COUNT(*) FROM entries AS e WHERE e.session_id = s.id),
  (SELECT COUNT(*) FROM summaries AS u WHERE u.session_id = s.id),
  (SELECT COUNT(*) FROM queue AS q
   WHERE q.session_id = s.id AND q.status IN ('pending', 'processing')),
  (SELECT COUNT(*) FROM queue AS q WHERE q.session_id = s.id AND q.status = 'failed'),
  (SELECT substr(p.prompt_text, 1, 2000) FROM prompts AS p WHERE p.session_id = s.id AND p.prompt_text <> ''
   ORDER BY p.prompt_number LIMIT 1)
FROM sessions AS s JOIN projects AS j ON j.id = s.project_id
WHERE (?1 = 0 OR s.id = ?1) AND (?2 = '' OR j.name = ?2)
ORDER BY s.started_at_ms DESC, s.id DESC LIMIT ?3 OFFSET ?4)sql";

constexpr char kRecordsSql[] = R"sql(
SELECT kind, id FROM (
  SELECT 0 AS kind, id, created_at_ms FROM entries WHERE session_id = ?1
  UNION ALL SELECT 1, id, created_at_ms FROM summaries WHERE session_id = ?1
  UNION ALL SELECT 2, id, created_at_ms FROM prompts WHERE session_id = ?1)
ORDER BY created_at_ms DESC, kind, id DESC LIMIT ?2)sql";

constexpr std::size_t kListedTitleBytes = 200;

Result<std::vector<ListedSession>> select(store::Database& database, memory::SessionId id,
                                          std::string_view project, std::size_t limit,
                                          std::size_t offset) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kSessionsSql));
  query.bind(1, id);
  query.bind(2, project);
  query.bind(3, static_cast<std::int64_t>(limit));
  query.bind(4, static_cast<std::int64_t>(offset));
  std::vector<ListedSession> sessions;
  while (true) {
    CODEXMEM_ASSIGN(const bool has_row, query.step());
    if (!has_row) return sessions;
    ListedSession& session = sessions.emplace_back();
    session.id = query.id<memory::SessionId>(0);
    session.content_session_id = query.text(1);
    session.project = query.text(2);
    session.platform = query.text(3);
    session.status = query.text(4);
    session.started_at_ms = query.integer(5);
    if (!query.is_null(6)) session.completed_at_ms = query.integer(6);
    session.prompts = query.integer(7);
    session.observations = query.integer(8);
    session.summaries = query.integer(9);
    session.pending = query.integer(10);
    session.failed = query.integer(11);
    // Redacted before it is cut: half of a secret is none that a rule knows.
    session.title = utf8_prefix(privacy::redacted(query.text(12)), kListedTitleBytes);
  }
}

}  // namespace

Result<std::vector<ListedSession>> list_sessions(store::Database& database,
                                                 std::string_view project, std::size_t limit,
                                                 std::size_t offset) {
  return select(database, memory::SessionId{0}, project, limit, offset);
}

Result<std::optional<ListedSession>> find_session(store::Database& database, memory::SessionId id) {
  if (id == memory::SessionId{0}) return std::optional<ListedSession>();
  CODEXMEM_ASSIGN(auto found, select(database, id, "", 1, 0));
  if (found.empty()) return std::optional<ListedSession>();
  return std::optional(std::move(found.front()));
}

Result<std::vector<memory::DocumentKey>> list_records(store::Database& database,
                                                      memory::SessionId session,
                                                      std::size_t limit) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kRecordsSql));
  query.bind(1, session);
  query.bind(2, static_cast<std::int64_t>(limit));
  std::vector<memory::DocumentKey> keys;
  while (true) {
    CODEXMEM_ASSIGN(const bool has_row, query.step());
    if (!has_row) return keys;
    keys.push_back(memory::document_key(static_cast<memory::DocumentKind>(query.integer(0)),
                                        query.integer(1)));
  }
}

}  // namespace codexmem::observe
