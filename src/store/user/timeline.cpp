// Each kind of record has an index on (created_at_ms, id) and one on (project_id, created_at_ms,
// id).
//
// Tested by memory/timeline_test.cpp.
#include "store/user/timeline.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

#include "store/query.h"

namespace codexmem::store {
namespace {

struct Table {
  std::string_view name, id;
};
// By DocumentKind.
constexpr std::array<Table, 4> kTables = {
    {{"entries", "id"}, {"summaries", "id"}, {"prompts", "id"}, {"decisions", "key"}}};
const Table& table_of(DocumentKind kind) { return kTables[static_cast<std::size_t>(kind)]; }

constexpr char kFindTimelineDecisionSql[] = R"sql(
SELECT d.key, d.id, p.name, d.title, d.target, d.status, d.created_at_ms
FROM decisions AS d JOIN projects AS p ON p.id = d.project_id
WHERE d.key = ?1)sql";

}  // namespace

Result<std::vector<DocumentPlace>> list_documents_beside(Database& database, DocumentKind kind,
                                                         const DocumentPlace& from,
                                                         std::optional<ProjectId> project,
                                                         bool is_before, std::size_t count) {
  const auto& [name, id] = table_of(kind);
  const std::string sql = fmt::format(
      "SELECT created_at_ms, {1} FROM {0} INDEXED BY {0}_{2} WHERE {3} AND "
      "(created_at_ms, {1}) {4} (?1, ?2) ORDER BY created_at_ms{5}, {1}{5} LIMIT ?4",
      name, id, project ? "project" : "time", project ? "project_id = ?3" : "?3 IS NULL",
      is_before ? "<" : ">", is_before ? " DESC" : "");
  const auto read = [](const Statement& row) {
    return DocumentPlace{row.integer(0), row.integer(1)};
  };
  return query::list(database, sql, read, from.time_ms, from.id, project, count);
}

Result<std::optional<DocumentOrigin>> find_document_origin(Database& database, DocumentKey key) {
  const auto& [name, id] = table_of(kind_of(key));
  const auto read = [](const Statement& row) {
    return DocumentOrigin{row.integer(0), row.id<ProjectId>(1)};
  };
  return query::find(
      database, fmt::format("SELECT created_at_ms, project_id FROM {} WHERE {} = ?1", name, id),
      read, id_of(key));
}

Result<std::optional<TimelineDecision>> find_stored_timeline_decision(Database& database,
                                                                      DecisionKey key) {
  const auto read = [](const Statement& row) {
    return TimelineDecision{row.id<DecisionKey>(0),
                            std::string(row.text(1)),
                            std::string(row.text(2)),
                            std::string(row.text(3)),
                            std::string(row.text(4)),
                            std::string(row.text(5)),
                            row.integer(6)};
  };
  return query::find(database, kFindTimelineDecisionSql, read, key);
}

}  // namespace codexmem::store
