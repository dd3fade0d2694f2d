// Tested by memory/ingest_test.cpp, observe/context_test.cpp.
#include "store/user/ingestion.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kIsUsedElsewhereSql[] = R"sql(
SELECT count(*) FROM ingestion_events AS v
WHERE v.entry_id = ?1 AND v.source_path <> ?2 AND NOT EXISTS (
  SELECT 1 FROM ingestion_events AS n INDEXED BY ingestion_events_source
  WHERE n.project_id = v.project_id AND n.source_path = v.source_path AND n.section = v.section
    AND n.id > v.id))sql";
// A section refers to `path#heading`. What is older than the newest entries of a project is not
// looked at: a session starts with this, and must not read a whole history.
constexpr char kListRecentSql[] = R"sql(
SELECT id, sections FROM (
  SELECT id, created_at_ms, count(*) OVER (PARTITION BY document) AS sections,
    row_number() OVER (PARTITION BY document ORDER BY created_at_ms DESC, id DESC) AS place
  FROM (
    SELECT e.id, e.created_at_ms,
      substr(coalesce(e.source_ref, ''), 1, instr(coalesce(e.source_ref, '') || '#', '#') - 1)
        AS document
    FROM (
      SELECT id, created_at_ms, source, source_ref FROM entries INDEXED BY entries_project
      WHERE project_id = (SELECT id FROM projects WHERE name = ?1)
      ORDER BY created_at_ms DESC, id DESC LIMIT 2000) AS e
    WHERE e.source = 'ingest' AND NOT EXISTS (SELECT 1 FROM entry_links WHERE to_id = e.id AND kind = 'supersedes')))
WHERE place <= ?2 ORDER BY created_at_ms DESC, id DESC LIMIT ?3)sql";

}  // namespace

Result<std::vector<IngestionEvent>> list_ingestion_events(Database& database,
                                                          std::string_view project,
                                                          std::string_view source) {
  return query::list(database, R"sql(
SELECT v.section, v.section_hash, v.entry_id FROM ingestion_events AS v
JOIN projects AS p ON p.id = v.project_id
WHERE p.name = ?1 AND v.source_path = ?2 AND v.section_hash IS NOT NULL
ORDER BY v.id)sql",
                     query::as<IngestionEvent>, project, source);
}

Result<std::vector<RecentSection>> list_recent_sections(Database& database,
                                                        std::string_view project,
                                                        std::size_t of_each, std::size_t limit) {
  return query::list(database, kListRecentSql, query::as<RecentSection>, project, of_each, limit);
}

Result<void> add_ingestion_event(Database& database, std::string_view source,
                                 const IngestionEvent& event, std::string_view outcome,
                                 std::int64_t now_ms) {
  return query::execute(database, R"sql(
INSERT INTO ingestion_events (project_id, source_path, section, section_hash, entry_id, outcome,
  ingested_at_ms)
VALUES ((SELECT project_id FROM entries WHERE id = ?5), ?1, ?2, ?3, ?5, ?4, ?6))sql",
                        source, event.section, query::Blob{event.section_hash}, outcome,
                        event.entry, now_ms);
}

Result<bool> is_ingested_elsewhere(Database& database, EntryId id, std::string_view source) {
  CODEXMEM_ASSIGN(const std::int64_t uses, query::count(database, kIsUsedElsewhereSql, id, source));
  return uses > 0;
}

Result<std::optional<std::string>> find_entry_body(Database& database, EntryId id) {
  return query::find(database, "SELECT body FROM entries WHERE id = ?1", query::read_text, id);
}

Result<void> supersede_entry(Database& database, EntryId id, EntryId older, std::int64_t now_ms) {
  CODEXMEM_TRY(query::run(database, R"sql(
DELETE FROM entry_links WHERE to_id = ?1 AND kind = 'supersedes')sql",
                          id));
  return query::execute(database, R"sql(
INSERT OR IGNORE INTO entry_links (from_id, to_id, kind, created_at_ms)
VALUES (?1, ?2, 'supersedes', ?3))sql",
                        id, older, now_ms);
}

}  // namespace codexmem::store
