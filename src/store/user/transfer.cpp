// Tested by tests/memory/transfer_test.cpp.
#include "store/user/transfer.h"

#include "store/query.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

// Parameter ?1: a project, or null for all.
constexpr char kExportSessionsSql[] = R"sql(
SELECT s.content_session_id, p.name, s.platform, s.status, s.started_at_ms, s.completed_at_ms
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
constexpr char kExportLinksSql[] = R"sql(
SELECT l.from_id, l.to_id, l.kind, l.created_at_ms FROM entry_links AS l
JOIN entries AS e ON e.id = l.from_id
WHERE ?1 IS NULL OR e.project_id = (SELECT id FROM projects WHERE name = ?1)
ORDER BY l.from_id, l.to_id, l.kind)sql";
constexpr char kExportEventsSql[] = R"sql(
SELECT p.name, v.source_path, v.section, v.section_hash, v.entry_id, v.outcome, v.ingested_at_ms
FROM ingestion_events AS v JOIN projects AS p ON p.id = v.project_id
WHERE (?1 IS NULL OR p.name = ?1) AND v.section_hash IS NOT NULL AND v.entry_id IS NOT NULL
ORDER BY v.id)sql";
constexpr char kListEvidenceSql[] = R"sql(
SELECT DISTINCT w.value FROM decisions AS d, json_each(d.evidence) AS w ORDER BY w.value)sql";

constexpr char kImportSessionSql[] = R"sql(
INSERT INTO sessions (content_session_id, project_id, platform, status, started_at_ms,
  completed_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (content_session_id) DO NOTHING RETURNING id)sql";
constexpr char kImportPromptSql[] = R"sql(
INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, is_private, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (session_id, prompt_number) DO NOTHING RETURNING id)sql";
constexpr char kImportSummarySql[] = R"sql(
INSERT INTO summaries (session_id, project_id, request, investigated, learned, completed,
  next_steps, notes, files_read, files_edited, prompt_number, discovery_tokens, created_at_ms)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
WHERE NOT EXISTS (
  SELECT 1 FROM summaries WHERE session_id = ?1 AND created_at_ms = ?13 AND request IS ?3
    AND investigated IS ?4 AND learned IS ?5 AND completed IS ?6 AND next_steps IS ?7
    AND notes IS ?8)
RETURNING id)sql";
constexpr char kImportLinkSql[] = R"sql(
INSERT INTO entry_links (from_id, to_id, kind, created_at_ms) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO NOTHING RETURNING from_id)sql";
constexpr char kImportEventSql[] = R"sql(
INSERT INTO ingestion_events (project_id, source_path, section, section_hash, entry_id, outcome,
  ingested_at_ms)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE NOT EXISTS (
  SELECT 1 FROM ingestion_events WHERE project_id = ?1 AND source_path = ?2 AND section = ?3
    AND section_hash = ?4 AND ingested_at_ms = ?7)
RETURNING id)sql";

}  // namespace

Result<void> visit_sessions(Database& database, std::string_view project,
                            const RowVisitor<const SessionRecord&>& visit) {
  const auto read = [&](const Statement& row) {
    return visit({std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)),
                  std::string(row.text(3)), row.integer(4), query::read_number(row, 5)});
  };
  return query::visit(database, kExportSessionsSql, read, query::OrNull{project});
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
  const auto read = [&](const Statement& row) {
    return visit(
        {row.id<EntryId>(0), row.id<EntryId>(1), std::string(row.text(2)), row.integer(3)});
  };
  return query::visit(database, kExportLinksSql, read, query::OrNull{project});
}

Result<void> visit_ingestions(Database& database, std::string_view project,
                              const RowVisitor<const Ingestion&>& visit) {
  const auto read = [&](const Statement& row) {
    return visit({std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)),
                  std::string(row.blob(3)), row.id<EntryId>(4), std::string(row.text(5)),
                  row.integer(6)});
  };
  return query::visit(database, kExportEventsSql, read, query::OrNull{project});
}

Result<std::set<std::int64_t>> list_evidence(Database& database) {
  std::set<std::int64_t> ids;
  CODEXMEM_TRY(query::visit(database, kListEvidenceSql,
                            [&](const Statement& row) { ids.insert(row.integer(0)); }));
  return ids;
}

Result<bool> import_session(Database& database, const SessionRecord& session, ProjectId project) {
  return query::run(database, kImportSessionSql, session.id, project,
                    query::OrNull{session.platform}, session.status, session.started_at_ms,
                    session.completed_at_ms);
}

Result<std::optional<PromptId>> import_prompt(Database& database, SessionId session,
                                              ProjectId project, const Prompt& prompt) {
  CODEXMEM_ASSIGN(const bool added,
                  query::run(database, kImportPromptSql, session, project, prompt.prompt_number,
                             prompt.text, prompt.is_private, prompt.created_at_ms));
  return added ? std::optional(static_cast<PromptId>(database.last_insert_id())) : std::nullopt;
}

Result<std::optional<SummaryId>> import_summary(Database& database, SessionId session,
                                                ProjectId project, const Summary& summary) {
  CODEXMEM_ASSIGN(
      const bool added,
      query::run(database, kImportSummarySql, session, project, query::OrNull{summary.request},
                 query::OrNull{summary.investigated}, query::OrNull{summary.learned},
                 query::OrNull{summary.completed}, query::OrNull{summary.next_steps},
                 query::OrNull{summary.notes}, write_json_list(summary.files_read),
                 write_json_list(summary.files_edited), summary.prompt_number,
                 summary.discovery_tokens, summary.created_at_ms));
  return added ? std::optional(static_cast<SummaryId>(database.last_insert_id())) : std::nullopt;
}

Result<bool> import_link(Database& database, const EntryLink& link) {
  return query::run(database, kImportLinkSql, link.from, link.to, link.kind, link.created_at_ms);
}

Result<bool> import_ingestion(Database& database, ProjectId project, const Ingestion& ingestion) {
  return query::run(database, kImportEventSql, project, ingestion.source, ingestion.section,
                    query::Blob{ingestion.hash}, ingestion.entry, ingestion.outcome,
                    ingestion.at_ms);
}

}  // namespace codexmem::store
