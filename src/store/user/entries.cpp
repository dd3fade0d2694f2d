// Tested by memory/entries_test.cpp, memory/retention_test.cpp.
#include "store/user/entries.h"

#include "store/query.h"
#include "store/user/projects.h"
#include "text/json.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

// Where the ids of a list come from: those that were given, one project's, or all.
constexpr char kFromIds[] = R"sql(
SELECT e.id FROM (SELECT DISTINCT value AS id FROM json_each(?1)) AS wanted
CROSS JOIN entries AS e ON e.id = wanted.id WHERE ?2 IS NULL)sql";
constexpr char kFromProject[] = R"sql(
SELECT e.id FROM entries AS e INDEXED BY entries_project WHERE ?1 IS NULL AND e.project_id = ?2)sql";
constexpr char kFromSaved[] = R"sql(
SELECT e.id FROM entries AS e INDEXED BY entries_saved
WHERE ?1 IS NULL AND e.project_id = ?2 AND e.source = 'manual')sql";
constexpr char kFromAll[] = R"sql(
SELECT e.id FROM entries AS e INDEXED BY entries_time WHERE ?1 IS NULL AND ?2 IS NULL)sql";
// A list that is null lets everything through.
constexpr char kEntryFilters[] = R"sql(
AND (?3 IS NULL OR e.project_id IN (
  SELECT id FROM projects WHERE name IN (SELECT value FROM json_each(?3))))
AND (?4 IS NULL OR e.entry_type IN (SELECT value FROM json_each(?4)))
AND (?5 IS NULL OR EXISTS (
  SELECT 1 FROM json_each(e.concepts) AS c WHERE c.value IN (SELECT value FROM json_each(?5))))
AND (?6 IS NULL OR EXISTS (
  SELECT 1 FROM (SELECT value FROM json_each(e.files_read) UNION ALL
                 SELECT value FROM json_each(e.files_modified)) AS f, json_each(?6) AS w
  WHERE instr(lower(f.value), lower(w.value)) > 0))
AND (?9 = 0 OR e.source = 'manual')
AND (?11 = 0 OR e.source <> 'ingest')
AND (?12 IS NULL OR e.id << 2 NOT IN (SELECT value FROM json_each(?12)))
AND (?10 = 0 OR NOT EXISTS (
  SELECT 1 FROM entry_links WHERE to_id = e.id AND kind = 'supersedes')))sql";
constexpr char kNewestFirst[] = R"sql(
ORDER BY e.created_at_ms DESC, e.id DESC LIMIT ?7 OFFSET ?8)sql";
constexpr char kOldestFirst[] = R"sql(
ORDER BY e.created_at_ms, e.id LIMIT ?7 OFFSET ?8)sql";

#define CODEXMEM_UNPROTECTED                                                               \
  "AND e.entry_type <> 'decision' AND e.source <> 'shared' AND NOT EXISTS (SELECT 1 FROM " \
  "entry_metadata AS m "                                                                   \
  "WHERE m.entry_id = e.id AND m.key = 'pinned' AND m.value = 'true') "
constexpr char kAgedSql[] =
    "SELECT e.id, e.created_at_ms FROM entries AS e INDEXED BY entries_time "
    "WHERE e.created_at_ms < ?2 AND (?1 IS NULL OR e.project_id = ?1) " CODEXMEM_UNPROTECTED
    "ORDER BY e.created_at_ms, e.id";
constexpr char kSurplusSql[] =
    "SELECT e.id, e.created_at_ms FROM entries AS e INDEXED BY entries_project "
    "WHERE e.project_id = ?1 AND e.created_at_ms >= ?2 " CODEXMEM_UNPROTECTED
    "ORDER BY e.created_at_ms DESC, e.id DESC LIMIT -1 OFFSET ?3";
#undef CODEXMEM_UNPROTECTED

Result<std::string> read_metadata(Database& database, EntryId id) {
  Json object = Json::object();
  CODEXMEM_TRY(query::visit(
      database, R"sql(
SELECT key, value FROM entry_metadata WHERE entry_id = ?1 ORDER BY key)sql",
      [&](const Statement& row) {
        Json value = Json::parse(row.text(1), nullptr, /*allow_exceptions=*/false);
        // Another program wrote it.
        if (value.is_discarded()) value = std::string(row.text(1));
        object[std::string(row.text(0))] = std::move(value);
      },
      id));
  return dump_json(object);
}

// A filter that is empty is NULL, and lets everything through.
std::optional<std::string> json_or_null(const std::vector<std::string>& list) {
  return list.empty() ? std::nullopt : std::optional(write_json_list(list));
}

std::optional<std::string> keys_or_null(const std::set<DocumentKey>& keys) {
  if (keys.empty()) return std::nullopt;
  Json numbers = Json::array();
  for (const DocumentKey key : keys) numbers.push_back(static_cast<std::int64_t>(key));
  return dump_json(numbers);
}

}  // namespace

Result<std::optional<Entry>> find_stored_entry(Database& database, EntryId id) {
  static const std::string sql =
      "SELECT e.id, p.name, s.content_session_id, " + query::columns<Entry>("e.") + R"sql(
FROM entries AS e JOIN projects AS p ON p.id = e.project_id
LEFT JOIN sessions AS s ON s.id = e.session_id
WHERE e.id = ?1)sql";
  CODEXMEM_ASSIGN(
      auto entry,
      query::find(database, sql,
                  query::read_row<Entry, &Entry::id, &Entry::project, &Entry::session>, id));
  if (entry) {
    CODEXMEM_ASSIGN(entry->metadata, read_metadata(database, id));
    CODEXMEM_ASSIGN(entry->succession, find_succession(database, id));
  }
  return entry;
}

Result<std::vector<EntryId>> list_entry_ids(Database& database, const EntryFilter& filter) {
  std::optional<ProjectId> project;
  if (!filter.ids && filter.projects.size() == 1) {
    CODEXMEM_ASSIGN(project, find_project(database, filter.projects.front()));
    if (!project) return std::vector<EntryId>();
  }
  const std::string sql = std::string(filter.ids                     ? kFromIds
                                      : project && filter.only_saved ? kFromSaved
                                      : project                      ? kFromProject
                                                                     : kFromAll) +
                          kEntryFilters + (filter.oldest_first ? kOldestFirst : kNewestFirst);
  std::optional<std::string> ids, projects;
  if (filter.ids) {
    Json numbers = Json::array();
    for (const EntryId id : *filter.ids) numbers.push_back(static_cast<std::int64_t>(id));
    ids = dump_json(numbers);
  }
  if (!project) projects = json_or_null(filter.projects);
  return query::list(database, sql, query::read_id<EntryId>, ids, project, projects,
                     json_or_null(filter.types), json_or_null(filter.concepts),
                     json_or_null(filter.files), filter.limit, filter.offset, filter.only_saved,
                     filter.only_current, filter.no_sections, keys_or_null(filter.hidden));
}

Result<Succession> find_succession(Database& database, EntryId id) {
  Succession succession;
  CODEXMEM_TRY(query::visit(
      database, R"sql(
SELECT from_id, to_id FROM entry_links WHERE to_id = ?1 AND kind = 'supersedes'
UNION ALL
SELECT from_id, to_id FROM entry_links WHERE from_id = ?1 AND kind = 'supersedes'
ORDER BY from_id, to_id)sql",
      [&](const Statement& row) {
        if (row.id<EntryId>(1) == id) {
          succession.superseded_by = row.id<EntryId>(0);
        } else {
          succession.supersedes.push_back(row.id<EntryId>(1));
        }
      },
      id));
  return succession;
}

Result<std::optional<EntryTime>> find_same_entry(Database& database, ProjectId project,
                                                 std::string_view content_hash) {
  return query::find(database, R"sql(
SELECT id, created_at_ms FROM entries WHERE project_id = ?1 AND content_hash = ?2)sql",
                     query::as<EntryTime>, project, query::Blob{content_hash});
}

Result<EntryId> insert_entry(Database& database, const NewEntry& entry, ProjectId project,
                             std::optional<SessionId> session, bool has_own_title,
                             std::string_view content_hash) {
  static const std::string sql =
      query::insert_sql<NewEntry>("entries", "project_id, session_id, has_own_title, content_hash");
  CODEXMEM_ASSIGN(const auto id,
                  query::insert_row<EntryId>(database, sql, entry, project, session, has_own_title,
                                             query::Blob{content_hash}));
  const Json metadata = Json::parse(entry.metadata, nullptr, /*allow_exceptions=*/false);
  for (const auto& [key, value] : metadata.items()) {
    CODEXMEM_TRY(query::run(database, R"sql(
INSERT INTO entry_metadata (entry_id, key, value) VALUES (?1, ?2, ?3))sql",
                            id, key, dump_json(value)));
  }
  return id;
}

Result<std::vector<EntryTime>> list_aged_entries(Database& database,
                                                 std::optional<ProjectId> project,
                                                 std::int64_t before_ms) {
  return query::list(database, kAgedSql, query::as<EntryTime>, project, before_ms);
}

Result<std::vector<EntryTime>> list_surplus_entries(Database& database, ProjectId project,
                                                    std::int64_t from_ms, std::int64_t kept) {
  return query::list(database, kSurplusSql, query::as<EntryTime>, project, from_ms, kept);
}

Result<void> put_metadata(Database& database, EntryId id, std::string_view key,
                          std::string_view value) {
  return query::execute(
      database, "INSERT OR REPLACE INTO entry_metadata (entry_id, key, value) VALUES (?1, ?2, ?3)",
      id, key, value);
}

Result<void> remove_metadata(Database& database, EntryId id, std::string_view key) {
  return query::execute(database, "DELETE FROM entry_metadata WHERE entry_id = ?1 AND key = ?2", id,
                        key);
}

}  // namespace codexmem::store
