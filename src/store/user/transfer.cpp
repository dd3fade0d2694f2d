// Tested by tests/memory/transfer_test.cpp.
#include "store/user/transfer.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

// Parameter ?1: a project, or null for all.
constexpr char kExportSessionsSql[] = R"sql(
FROM sessions AS s JOIN projects AS p ON p.id = s.project_id
WHERE ?1 IS NULL OR p.name = ?1 ORDER BY s.id)sql";
#define CODEXMEM_EXPORT_IDS(table, id) \
  "SELECT " id " FROM " table          \
  " WHERE ?1 IS NULL OR project_id = (SELECT id FROM projects WHERE name = ?1) ORDER BY " id
// By DocumentKind.
constexpr const char* kExportIdsSql[] = {
    CODEXMEM_EXPORT_IDS("entries", "id"), CODEXMEM_EXPORT_IDS("summaries", "id"),
    CODEXMEM_EXPORT_IDS("prompts", "id"), CODEXMEM_EXPORT_IDS("decisions", "key")};
constexpr char kExportEntriesSql[] = R"sql(
SELECT e.id, e.has_own_title, EXISTS (SELECT 1 FROM entry_links WHERE from_id = e.id) OR
  EXISTS (SELECT 1 FROM entry_links WHERE to_id = e.id) OR
  EXISTS (SELECT 1 FROM ingestion_events WHERE entry_id = e.id)
FROM entries AS e
WHERE ?1 IS NULL OR e.project_id = (SELECT id FROM projects WHERE name = ?1) ORDER BY e.id)sql";

constexpr char kNewSummarySql[] = R"sql(WHERE NOT EXISTS (
  SELECT 1 FROM summaries WHERE session_id = ?1 AND created_at_ms = ?13 AND request IS ?3
    AND investigated IS ?4 AND learned IS ?5 AND completed IS ?6 AND next_steps IS ?7
    AND notes IS ?8)
RETURNING id)sql";

}  // namespace

Result<void> visit_sessions(Database& database, std::string_view project,
                            const RowVisitor<const SessionRecord&>& visit) {
  const auto read = [&](const Statement& row) {
    return visit(query::read_row<SessionRecord, &SessionRecord::id, &SessionRecord::project>(row));
  };
  return query::visit(database,
                      "SELECT s.content_session_id, p.name, " +
                          query::columns<SessionRecord>("s.") + kExportSessionsSql,
                      read, query::OrNull{project});
}

Result<void> visit_ids(Database& database, DocumentKind kind, std::string_view project,
                       const RowVisitor<std::int64_t>& visit) {
  const auto read = [&](const Statement& row) { return visit(row.integer(0)); };
  return query::visit(database, kExportIdsSql[static_cast<int>(kind)], read,
                      query::OrNull{project});
}

Result<void> visit_entries(Database& database, std::string_view project,
                           const RowVisitor<EntryId, bool, bool>& visit) {
  const auto read = [&](const Statement& row) {
    return visit(row.id<EntryId>(0), row.integer(1) != 0, row.integer(2) != 0);
  };
  return query::visit(database, kExportEntriesSql, read, query::OrNull{project});
}

Result<void> visit_links(Database& database, std::string_view project,
                         const RowVisitor<const EntryLink&>& visit) {
  const auto read = [&](const Statement& row) { return visit(query::read_row<EntryLink>(row)); };
  return query::visit(database, "SELECT " + query::columns<EntryLink>("l.") + R"sql(
FROM entry_links AS l JOIN entries AS e ON e.id = l.from_id
WHERE ?1 IS NULL OR e.project_id = (SELECT id FROM projects WHERE name = ?1)
ORDER BY l.from_id, l.to_id, l.kind)sql",
                      read, query::OrNull{project});
}

Result<void> visit_ingestions(Database& database, std::string_view project,
                              const RowVisitor<const Ingestion&>& visit) {
  const auto read = [&](const Statement& row) {
    return visit(query::read_row<Ingestion, &Ingestion::project>(row));
  };
  return query::visit(database, "SELECT p.name, " + query::columns<Ingestion>("v.") + R"sql(
FROM ingestion_events AS v JOIN projects AS p ON p.id = v.project_id
WHERE (?1 IS NULL OR p.name = ?1) AND v.section_hash IS NOT NULL AND v.entry_id IS NOT NULL
ORDER BY v.id)sql",
                      read, query::OrNull{project});
}

Result<std::set<std::int64_t>> list_evidence(Database& database) {
  std::set<std::int64_t> ids;
  CODEXMEM_TRY(query::visit(database, R"sql(
SELECT DISTINCT w.value FROM decisions AS d, json_each(d.evidence) AS w ORDER BY w.value)sql",
                            [&](const Statement& row) { ids.insert(row.integer(0)); }));
  return ids;
}

Result<bool> import_session(Database& database, const SessionRecord& session, ProjectId project) {
  static const std::string sql =
      query::insert_sql<SessionRecord>("sessions", "content_session_id, project_id",
                                       "ON CONFLICT (content_session_id) DO NOTHING RETURNING id");
  return query::run_row(database, sql, session, session.id, project);
}

Result<std::optional<PromptId>> import_prompt(Database& database, SessionId session,
                                              ProjectId project, const Prompt& prompt) {
  static const std::string sql =
      query::insert_sql<Prompt>("prompts", "session_id, project_id",
                                "ON CONFLICT (session_id, prompt_number) DO NOTHING RETURNING id");
  CODEXMEM_ASSIGN(const bool added, query::run_row(database, sql, prompt, session, project));
  return added ? std::optional(static_cast<PromptId>(database.last_insert_id())) : std::nullopt;
}

Result<std::optional<SummaryId>> import_summary(Database& database, SessionId session,
                                                ProjectId project, const Summary& summary) {
  static const std::string sql =
      query::insert_sql<Summary>("summaries", "session_id, project_id", kNewSummarySql);
  CODEXMEM_ASSIGN(const bool added, query::run_row(database, sql, summary, session, project));
  return added ? std::optional(static_cast<SummaryId>(database.last_insert_id())) : std::nullopt;
}

Result<bool> import_link(Database& database, const EntryLink& link) {
  static const std::string sql =
      query::insert_sql<EntryLink>("entry_links", {}, "ON CONFLICT DO NOTHING RETURNING from_id");
  return query::run_row(database, sql, link);
}

Result<bool> import_ingestion(Database& database, ProjectId project, const Ingestion& ingestion) {
  static const std::string sql =
      query::insert_sql<Ingestion>("ingestion_events", "project_id", R"sql(WHERE NOT EXISTS (
  SELECT 1 FROM ingestion_events WHERE project_id = ?1 AND source_path = ?2 AND section = ?3
    AND section_hash = ?4 AND ingested_at_ms = ?7)
RETURNING id)sql");
  return query::run_row(database, sql, ingestion, project);
}

}  // namespace codexmem::store
