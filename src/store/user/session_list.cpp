#include "store/user/session_list.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

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

ListedSession read_listed(const Statement& row) {
  return {row.id<SessionId>(0),
          std::string(row.text(1)),
          std::string(row.text(2)),
          std::string(row.text(3)),
          std::string(row.text(4)),
          row.integer(5),
          query::read_number(row, 6),
          row.integer(7),
          row.integer(8),
          row.integer(9),
          row.integer(10),
          row.integer(11),
          std::string(row.text(12))};
}

}  // namespace

Result<std::vector<ListedSession>> select_sessions(Database& database, SessionId id,
                                                   std::string_view project, std::size_t limit,
                                                   std::size_t offset) {
  return query::list(database, kSelectSessionsSql, read_listed, id, project, limit, offset);
}

Result<std::vector<DocumentKey>> list_session_records(Database& database, SessionId session,
                                                      std::size_t limit) {
  const auto read = [](const Statement& row) {
    return document_key(row.id<DocumentKind>(0), row.integer(1));
  };
  return query::list(database, kSessionRecordsSql, read, session, limit);
}

}  // namespace codexmem::store
