// Tested by tests/memory/team_memory_test.cpp.
#include "store/user/shared_files.h"

#include "store/query.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

#define CODEXMEM_SHARED_COLUMNS                                                                 \
  "SELECT f.id, f.root, f.path, p.name, f.stamp, f.shared_id, f.status, f.supersedes, "         \
  "f.document, f.is_own, f.refused, f.rival, f.author, f.commit_id, f.committed_at_ms, f.head " \
  "FROM shared_files AS f JOIN projects AS p ON p.id = f.project_id "
#define CODEXMEM_SHARED_ORDER " ORDER BY f.root, f.path"
constexpr char kSharedListOfRootSql[] =
    CODEXMEM_SHARED_COLUMNS "WHERE f.root = ?1" CODEXMEM_SHARED_ORDER;
constexpr char kSharedListOfProjectSql[] =
    CODEXMEM_SHARED_COLUMNS "WHERE f.project_id = ?1" CODEXMEM_SHARED_ORDER;
constexpr char kSharedFindByDocumentSql[] =
    CODEXMEM_SHARED_COLUMNS "WHERE f.document = ?1" CODEXMEM_SHARED_ORDER;
constexpr char kSharedFindByIdSql[] =
    CODEXMEM_SHARED_COLUMNS "WHERE f.shared_id = ?2 AND f.project_id = ?1" CODEXMEM_SHARED_ORDER;
#undef CODEXMEM_SHARED_ORDER
#undef CODEXMEM_SHARED_COLUMNS

constexpr char kSharedListRootsSql[] =
    "SELECT DISTINCT root FROM shared_files WHERE project_id = ?1 ORDER BY root";
constexpr char kSharedListRivalsSql[] = R"sql(
SELECT rival FROM shared_files WHERE document = ?1 AND rival IS NOT NULL
UNION
SELECT l.id FROM shared_files AS f JOIN decisions AS l ON l.key = f.document >> 2
WHERE f.rival = (SELECT id FROM decisions WHERE key = ?1 >> 2 AND ?1 & 3 = 3)
ORDER BY 1)sql";
constexpr char kSharedPutSql[] = R"sql(
INSERT INTO shared_files (root, path, project_id, stamp, shared_id, status, supersedes, document,
  is_own, refused, rival, author, commit_id, committed_at_ms, head)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
ON CONFLICT (root, path) DO UPDATE SET project_id = ?3, stamp = ?4, shared_id = ?5, status = ?6,
  supersedes = ?7, document = ?8, is_own = ?9, refused = ?10, rival = ?11, author = ?12,
  commit_id = ?13, committed_at_ms = ?14, head = ?15)sql";
constexpr char kSharedRemoveSql[] = "DELETE FROM shared_files WHERE id = ?1";
constexpr char kSharedKeepSql[] = "UPDATE shared_files SET is_own = 1 WHERE document = ?1";
constexpr char kSharedRemoveDecisionSql[] = "DELETE FROM decisions WHERE key = ?1";
constexpr char kSharedLinkSql[] = R"sql(
INSERT INTO decision_links (new_key, old_key) VALUES (?1, ?2) ON CONFLICT DO NOTHING)sql";
constexpr char kSharedUnlinkSql[] = "DELETE FROM decision_links WHERE new_key = ?1";
constexpr char kSharedIsSupersededSql[] = "SELECT 1 FROM decision_links WHERE old_key = ?1 LIMIT 1";
constexpr char kSharedLinkEntrySql[] = R"sql(
INSERT INTO entry_links (from_id, to_id, kind, created_at_ms) VALUES (?1, ?2, 'supersedes', ?3)
ON CONFLICT DO NOTHING)sql";
constexpr char kSharedUnlinkEntrySql[] =
    "DELETE FROM entry_links WHERE from_id = ?1 AND kind = 'supersedes'";
constexpr char kSharedReadsSql[] = "SELECT is_read FROM shared_repositories WHERE repository = ?1";
constexpr char kSharedSetReadsSql[] = R"sql(
INSERT INTO shared_repositories (repository, is_read) VALUES (?1, ?2)
ON CONFLICT (repository) DO UPDATE SET is_read = ?2)sql";

SharedFile read_shared_file(const Statement& row) {
  SharedFile file;
  file.id = row.id<SharedFileId>(0);
  file.root = row.text(1);
  file.path = row.text(2);
  file.project = row.text(3);
  file.stamp = row.text(4);
  file.shared_id = row.text(5);
  file.status = row.text(6);
  file.supersedes = read_json_list(row.text(7));
  if (!row.is_null(8)) file.document = row.id<DocumentKey>(8);
  file.is_own = row.integer(9) != 0;
  file.refused = row.text(10);
  file.rival = row.text(11);
  file.origin = {std::string(row.text(12)), std::string(row.text(13)), row.integer(14)};
  file.head = row.text(15);
  return file;
}

}  // namespace

Result<std::vector<SharedFile>> list_shared_files(Database& database, std::string_view root) {
  return query::list(database, kSharedListOfRootSql, read_shared_file, root);
}

Result<std::vector<SharedFile>> list_shared_files(Database& database, ProjectId project) {
  return query::list(database, kSharedListOfProjectSql, read_shared_file, project);
}

Result<std::vector<SharedFile>> find_shared_files(Database& database, DocumentKey document) {
  return query::list(database, kSharedFindByDocumentSql, read_shared_file, document);
}

Result<std::vector<SharedFile>> find_shared_files(Database& database, ProjectId project,
                                                  std::string_view shared_id) {
  return query::list(database, kSharedFindByIdSql, read_shared_file, project, shared_id);
}

Result<std::vector<std::string>> list_shared_roots(Database& database, ProjectId project) {
  return query::list(database, kSharedListRootsSql, query::read_text, project);
}

Result<std::vector<std::string>> list_rivals(Database& database, DocumentKey document) {
  return query::list(database, kSharedListRivalsSql, query::read_text, document);
}

Result<void> put_shared_file(Database& database, const SharedFile& file, ProjectId project) {
  const SharedOrigin& origin = file.origin;
  const auto at_ms = origin.is_known() ? std::optional(origin.committed_at_ms) : std::nullopt;
  return query::execute(database, kSharedPutSql, file.root, file.path, project, file.stamp,
                        file.shared_id, file.status, write_json_list(file.supersedes),
                        file.document, file.is_own, query::OrNull{file.refused},
                        query::OrNull{file.rival}, query::OrNull{origin.author},
                        query::OrNull{origin.commit_id}, at_ms, file.head);
}

Result<void> remove_shared_file(Database& database, SharedFileId id) {
  return query::execute(database, kSharedRemoveSql, id);
}

Result<void> keep_shared_document(Database& database, DocumentKey document) {
  return query::execute(database, kSharedKeepSql, document);
}

Result<void> remove_decision(Database& database, DecisionKey key) {
  return query::execute(database, kSharedRemoveDecisionSql, key);
}

Result<void> link_decision(Database& database, DecisionKey key, DecisionKey old) {
  return query::execute(database, kSharedLinkSql, key, old);
}

Result<void> unlink_decision(Database& database, DecisionKey key) {
  return query::execute(database, kSharedUnlinkSql, key);
}

Result<bool> is_superseded(Database& database, DecisionKey key) {
  return query::run(database, kSharedIsSupersededSql, key);
}

Result<void> link_entry(Database& database, EntryId id, EntryId old, std::int64_t now_ms) {
  return query::execute(database, kSharedLinkEntrySql, id, old, now_ms);
}

Result<void> unlink_entry(Database& database, EntryId id) {
  return query::execute(database, kSharedUnlinkEntrySql, id);
}

Result<std::optional<bool>> reads_shared_files(Database& database, std::string_view repository) {
  const auto read = [](const Statement& row) { return row.integer(0) != 0; };
  return query::find(database, kSharedReadsSql, read, repository);
}

Result<void> set_reads_shared_files(Database& database, std::string_view repository, bool reads) {
  return query::execute(database, kSharedSetReadsSql, repository, reads);
}

}  // namespace codexmem::store
