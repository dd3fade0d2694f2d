// Tested by memory/citations_test.cpp.
#include "store/user/citations.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kPutCitationSql[] = R"sql(
INSERT OR IGNORE INTO citations
  (document, workspace, path, symbol, symbol_kind, body_hash, is_given, cited_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))sql";
constexpr char kMoveCitationSql[] =
    "UPDATE OR IGNORE citations SET path = ?2, symbol = ?3 WHERE id = ?1";
constexpr char kAnyCitationSql[] = "SELECT 1 FROM citations WHERE workspace = ?1 LIMIT 1";
constexpr char kCitedPathsSql[] = "SELECT document, path FROM citations";
#define CODEXMEM_CITATIONS                                                               \
  "SELECT id, workspace, path, symbol, symbol_kind, body_hash, is_given, document FROM " \
  "citations WHERE "
constexpr char kOfDocumentSql[] = CODEXMEM_CITATIONS "document = ?1 ORDER BY is_given DESC, id";
constexpr char kOfWorkspaceSql[] = CODEXMEM_CITATIONS "workspace = ?1 ORDER BY path, id";
constexpr char kOfPathSql[] =
    CODEXMEM_CITATIONS "workspace = ?1 AND path = ?2 ORDER BY document DESC LIMIT ?3";
constexpr char kOfHashSql[] =
    CODEXMEM_CITATIONS "body_hash = ?2 AND workspace = ?1 ORDER BY document DESC LIMIT ?3";
#undef CODEXMEM_CITATIONS
constexpr char kPathCountsSql[] = R"sql(
SELECT c.path, count(DISTINCT c.document) FROM citations AS c
LEFT JOIN entries AS e ON (c.document & 3) = 0 AND e.id = c.document >> 2 AND NOT EXISTS (
  SELECT 1 FROM entry_links AS l WHERE l.to_id = e.id AND l.kind = 'supersedes')
LEFT JOIN decisions AS d ON (c.document & 3) = 3 AND d.key = c.document >> 2
  AND d.status IN ('active', 'draft')
LEFT JOIN projects AS p ON p.id = coalesce(e.project_id, d.project_id)
WHERE c.workspace = ?1 AND p.id IS NOT NULL AND (?2 = '' OR p.name = ?2)
GROUP BY c.path ORDER BY c.path)sql";
constexpr char kCitingEntrySql[] = R"sql(
SELECT e.id, e.title, e.entry_type, '', p.name, e.created_at_ms FROM entries AS e
JOIN projects AS p ON p.id = e.project_id
WHERE e.id = ?1 AND NOT EXISTS (
  SELECT 1 FROM entry_links AS l WHERE l.to_id = e.id AND l.kind = 'supersedes'))sql";
constexpr char kCitingDecisionSql[] = R"sql(
SELECT d.id, d.title, '', d.status, p.name, d.created_at_ms FROM decisions AS d
JOIN projects AS p ON p.id = d.project_id
WHERE d.key = ?1 AND d.status IN ('active', 'draft'))sql";

Citation read_citation(const Statement& row) {
  return {row.integer(0),           std::string(row.text(1)), std::string(row.text(2)),
          std::string(row.text(3)), std::string(row.text(4)), std::string(row.blob(5)),
          row.integer(6) != 0};
}

CitedIn read_cited_in(const Statement& row) { return {read_citation(row), row.id<DocumentKey>(7)}; }

}  // namespace

Result<void> put_citations(Database& database, DocumentKey document,
                           std::span<const Citation> citations, std::int64_t now_ms) {
  for (const Citation& cited : citations) {
    std::optional<query::Blob> hash;
    if (!cited.body_hash.empty()) hash = query::Blob{cited.body_hash};
    CODEXMEM_TRY(query::run(database, kPutCitationSql, document, cited.workspace, cited.path,
                            cited.symbol, cited.kind, hash, cited.is_given, now_ms));
  }
  return {};
}

Result<void> move_citation(Database& database, std::int64_t id, std::string_view path,
                           std::string_view symbol) {
  return query::execute(database, kMoveCitationSql, id, path, symbol);
}

Result<std::map<DocumentKey, std::vector<Citation>>> list_citations(
    Database& database, std::span<const DocumentKey> documents) {
  std::map<DocumentKey, std::vector<Citation>> all;
  for (const DocumentKey document : documents) {
    CODEXMEM_TRY(query::visit(
        database, kOfDocumentSql,
        [&](const Statement& row) { all[document].push_back(read_citation(row)); }, document));
  }
  return all;
}

Result<bool> has_citations(Database& database, std::string_view workspace) {
  return query::run(database, kAnyCitationSql, workspace);
}

Result<std::vector<Citation>> list_workspace_citations(Database& database,
                                                       std::string_view workspace) {
  return query::list(database, kOfWorkspaceSql, read_citation, workspace);
}

Result<std::vector<PathCitations>> count_citations(Database& database, std::string_view workspace,
                                                   std::string_view project) {
  const auto read = [](const Statement& row) {
    return PathCitations{std::string(row.text(0)), row.integer(1)};
  };
  return query::list(database, kPathCountsSql, read, workspace, project);
}

Result<std::vector<CitedIn>> list_citations_of_path(Database& database, std::string_view workspace,
                                                    std::string_view path, std::size_t limit) {
  return query::list(database, kOfPathSql, read_cited_in, workspace, path, limit);
}

Result<std::vector<CitedIn>> list_citations_of_hash(Database& database, std::string_view workspace,
                                                    std::string_view body_hash, std::size_t limit) {
  return query::list(database, kOfHashSql, read_cited_in, workspace, query::Blob{body_hash}, limit);
}

Result<void> visit_cited_paths(
    Database& database, const std::function<Result<void>(DocumentKey, std::string_view)>& visit) {
  return query::visit(database, kCitedPathsSql, [&](const Statement& row) {
    return visit(row.id<DocumentKey>(0), row.text(1));
  });
}

Result<std::optional<CitingDocument>> find_citing_document(Database& database,
                                                           DocumentKey document) {
  const DocumentKind kind = kind_of(document);
  if (kind != DocumentKind::kEntry && kind != DocumentKind::kDecision) {
    return std::optional<CitingDocument>();
  }
  const auto read = [&](const Statement& row) {
    return CitingDocument{document,
                          std::string(row.text(0)),
                          std::string(row.text(1)),
                          std::string(row.text(2)),
                          std::string(row.text(3)),
                          std::string(row.text(4)),
                          row.integer(5)};
  };
  return query::find(database, kind == DocumentKind::kEntry ? kCitingEntrySql : kCitingDecisionSql,
                     read, id_of(document));
}

}  // namespace codexmem::store
