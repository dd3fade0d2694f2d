// Tested by tests/memory/team_memory_test.cpp.
#include "store/user/shared_files.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kSharedListRivalsSql[] = R"sql(
SELECT rival FROM shared_files WHERE document = ?1 AND rival IS NOT NULL
UNION
SELECT l.id FROM shared_files AS f JOIN decisions AS l ON l.key = f.document >> 2
WHERE f.rival = (SELECT id FROM decisions WHERE key = ?1 >> 2 AND ?1 & 3 = 3)
ORDER BY 1)sql";
constexpr char kSharedReplaceSql[] = R"sql(
ON CONFLICT (root, path) DO UPDATE SET project_id = excluded.project_id,
  committed_at_ms = excluded.committed_at_ms, stamp = excluded.stamp,
  shared_id = excluded.shared_id, status = excluded.status, supersedes = excluded.supersedes,
  document = excluded.document, is_own = excluded.is_own, refused = excluded.refused,
  rival = excluded.rival, author = excluded.author, commit_id = excluded.commit_id,
  head = excluded.head)sql";

// The files that `where` names, by root and path.
template <typename... Values>
Result<std::vector<SharedFile>> list_files(Database& database, const std::string& where,
                                           const Values&... values) {
  const auto read = [](const Statement& row) {
    SharedFile file;
    query::get(row, 0, file.id);
    query::get(row, 1, file.project);
    query::get(row, 2, file.origin.committed_at_ms);
    query::read_fields(row, 3, file);
    return file;
  };
  return query::list(database,
                     "SELECT f.id, p.name, f.committed_at_ms, " + query::columns<SharedFile>("f.") +
                         " FROM shared_files AS f JOIN projects AS p ON p.id = f.project_id"
                         " WHERE " +
                         where + " ORDER BY f.root, f.path",
                     read, values...);
}

}  // namespace

Result<std::vector<SharedFile>> list_shared_files(Database& database, std::string_view root) {
  return list_files(database, "f.root = ?1", root);
}

Result<std::vector<SharedFile>> list_shared_files(Database& database, ProjectId project) {
  return list_files(database, "f.project_id = ?1", project);
}

Result<std::vector<SharedFile>> find_shared_files(Database& database, DocumentKey document) {
  return list_files(database, "f.document = ?1", document);
}

Result<std::vector<SharedFile>> find_shared_files(Database& database, ProjectId project,
                                                  std::string_view shared_id) {
  return list_files(database, "f.shared_id = ?2 AND f.project_id = ?1", project, shared_id);
}

Result<std::vector<std::string>> list_shared_roots(Database& database, ProjectId project) {
  return query::list(database,
                     "SELECT DISTINCT root FROM shared_files WHERE project_id = ?1 ORDER BY root",
                     query::read_text, project);
}

Result<std::vector<std::string>> list_rivals(Database& database, DocumentKey document) {
  return query::list(database, kSharedListRivalsSql, query::read_text, document);
}

Result<void> put_shared_file(Database& database, const SharedFile& file, ProjectId project) {
  const SharedOrigin& origin = file.origin;
  const auto at_ms = origin.is_known() ? std::optional(origin.committed_at_ms) : std::nullopt;
  static const std::string sql = query::insert_sql<SharedFile>(
      "shared_files", "project_id, committed_at_ms", kSharedReplaceSql);
  CODEXMEM_TRY(query::run_row(database, sql, file, project, at_ms));
  return {};
}

Result<void> remove_shared_file(Database& database, SharedFileId id) {
  return query::execute(database, "DELETE FROM shared_files WHERE id = ?1", id);
}

Result<void> keep_shared_document(Database& database, DocumentKey document) {
  return query::execute(database, "UPDATE shared_files SET is_own = 1 WHERE document = ?1",
                        document);
}

Result<void> remove_decision(Database& database, DecisionKey key) {
  return query::execute(database, "DELETE FROM decisions WHERE key = ?1", key);
}

Result<void> link_decision(Database& database, DecisionKey key, DecisionKey old) {
  return query::execute(database, R"sql(
INSERT INTO decision_links (new_key, old_key) VALUES (?1, ?2) ON CONFLICT DO NOTHING)sql",
                        key, old);
}

Result<void> unlink_decision(Database& database, DecisionKey key) {
  return query::execute(database, "DELETE FROM decision_links WHERE new_key = ?1", key);
}

Result<bool> is_superseded(Database& database, DecisionKey key) {
  return query::run(database, "SELECT 1 FROM decision_links WHERE old_key = ?1 LIMIT 1", key);
}

Result<void> link_entry(Database& database, EntryId id, EntryId old, std::int64_t now_ms) {
  return query::execute(database, R"sql(
INSERT INTO entry_links (from_id, to_id, kind, created_at_ms) VALUES (?1, ?2, 'supersedes', ?3)
ON CONFLICT DO NOTHING)sql",
                        id, old, now_ms);
}

Result<void> unlink_entry(Database& database, EntryId id) {
  return query::execute(database,
                        "DELETE FROM entry_links WHERE from_id = ?1 AND kind = 'supersedes'", id);
}

Result<bool> has_shared_repositories(Database& database) {
  CODEXMEM_ASSIGN(const auto count,
                  query::count(database, "SELECT count(*) FROM shared_repositories"));
  return count > 0;
}

Result<std::optional<bool>> reads_shared_files(Database& database, std::string_view repository) {
  return query::find(database, "SELECT is_read FROM shared_repositories WHERE repository = ?1",
                     query::read_id<bool>, repository);
}

Result<void> set_reads_shared_files(Database& database, std::string_view repository, bool reads) {
  return query::execute(database, R"sql(
INSERT INTO shared_repositories (repository, is_read) VALUES (?1, ?2)
ON CONFLICT (repository) DO UPDATE SET is_read = ?2)sql",
                        repository, reads);
}

}  // namespace codexmem::store
