// Tested by memory/citations_test.cpp.
#include "store/user/citations.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kPathCountsSql[] = R"sql(
SELECT c.path, count(DISTINCT c.document) FROM citations AS c
LEFT JOIN entries AS e ON (c.document & 3) = 0 AND e.id = c.document >> 2 AND NOT EXISTS (
  SELECT 1 FROM entry_links AS l WHERE l.to_id = e.id AND l.kind = 'supersedes')
LEFT JOIN decisions AS d ON (c.document & 3) = 3 AND d.key = c.document >> 2
  AND d.status IN ('active', 'draft')
LEFT JOIN projects AS p ON p.id = coalesce(e.project_id, d.project_id)
WHERE c.workspace = ?1 AND p.id IS NOT NULL AND (?2 = '' OR p.name = ?2)
GROUP BY c.path ORDER BY c.path)sql";
constexpr char kCitingDecisionSql[] = R"sql(
SELECT (d.key << 2) + 3, d.id, d.title, '', d.status, p.name, d.created_at_ms FROM decisions AS d
JOIN projects AS p ON p.id = d.project_id
WHERE d.key = ?1 AND d.status IN ('active', 'draft'))sql";

CitedIn read_cited_in(const Statement& row) {
  CitedIn in;
  query::get(row, 0, in.document);
  query::get(row, 1, in.citation.id);
  query::read_fields(row, 2, in.citation);
  return in;
}

Citation read_citation(const Statement& row) { return read_cited_in(row).citation; }

std::string select_citations(std::string_view where) {
  return "SELECT document, id, " + query::columns<Citation>() + " FROM citations WHERE " +
         std::string(where);
}

}  // namespace

Result<void> put_citations(Database& database, DocumentKey document,
                           std::span<const Citation> citations, std::int64_t now_ms) {
  const std::string sql =
      query::insert_sql<Citation>("citations", "document, cited_at_ms", "ON CONFLICT DO NOTHING");
  for (const Citation& cited : citations) {
    CODEXMEM_TRY(query::run_row(database, sql, cited, document, now_ms));
  }
  return {};
}

Result<void> move_citation(Database& database, std::int64_t id, std::string_view path,
                           std::string_view symbol) {
  return query::execute(database,
                        "UPDATE OR IGNORE citations SET path = ?2, symbol = ?3 WHERE id = ?1", id,
                        path, symbol);
}

Result<std::map<DocumentKey, std::vector<Citation>>> list_citations(
    Database& database, std::span<const DocumentKey> documents) {
  std::map<DocumentKey, std::vector<Citation>> all;
  for (const DocumentKey document : documents) {
    CODEXMEM_TRY(query::visit(
        database, select_citations("document = ?1 ORDER BY is_given DESC, id"),
        [&](const Statement& row) { all[document].push_back(read_citation(row)); }, document));
  }
  return all;
}

Result<bool> has_citations(Database& database, std::string_view workspace) {
  return query::run(database, "SELECT 1 FROM citations WHERE workspace = ?1 LIMIT 1", workspace);
}

Result<std::vector<Citation>> list_workspace_citations(Database& database,
                                                       std::string_view workspace) {
  return query::list(database, select_citations("workspace = ?1 ORDER BY path, id"), read_citation,
                     workspace);
}

Result<std::vector<PathCitations>> count_citations(Database& database, std::string_view workspace,
                                                   std::string_view project) {
  return query::list(database, kPathCountsSql, query::as<PathCitations>, workspace, project);
}

Result<std::vector<CitedIn>> list_citations_of_path(Database& database, std::string_view workspace,
                                                    std::string_view path, std::size_t limit) {
  return query::list(
      database, select_citations("workspace = ?1 AND path = ?2 ORDER BY document DESC LIMIT ?3"),
      read_cited_in, workspace, path, limit);
}

Result<std::vector<CitedIn>> list_citations_of_hash(Database& database, std::string_view workspace,
                                                    std::string_view body_hash, std::size_t limit) {
  return query::list(
      database,
      select_citations("body_hash = ?2 AND workspace = ?1 ORDER BY document DESC LIMIT ?3"),
      read_cited_in, workspace, query::Blob{body_hash}, limit);
}

Result<void> visit_cited_paths(
    Database& database, const std::function<Result<void>(DocumentKey, std::string_view)>& visit) {
  return query::visit(database, "SELECT document, path FROM citations", [&](const Statement& row) {
    return visit(row.id<DocumentKey>(0), row.text(1));
  });
}

Result<std::optional<CitingDocument>> find_citing_document(Database& database,
                                                           DocumentKey document) {
  const DocumentKind kind = kind_of(document);
  if (kind != DocumentKind::kEntry && kind != DocumentKind::kDecision) {
    return std::optional<CitingDocument>();
  }
  return query::find(database,
                     kind == DocumentKind::kEntry ? R"sql(
SELECT e.id << 2, e.id, e.title, e.entry_type, '', p.name, e.created_at_ms FROM entries AS e
JOIN projects AS p ON p.id = e.project_id
WHERE e.id = ?1 AND NOT EXISTS (
  SELECT 1 FROM entry_links AS l WHERE l.to_id = e.id AND l.kind = 'supersedes'))sql"
                                                  : kCitingDecisionSql,
                     query::as<CitingDocument>, id_of(document));
}

}  // namespace codexmem::store
