#include "store/user/projects.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kListProjectNamesSql[] = R"sql(
SELECT p.name, max(
  p.created_at_ms,
  coalesce((SELECT max(created_at_ms) FROM entries WHERE project_id = p.id), 0),
  coalesce((SELECT max(created_at_ms) FROM prompts WHERE project_id = p.id), 0),
  coalesce((SELECT max(created_at_ms) FROM summaries WHERE project_id = p.id), 0),
  coalesce((SELECT max(created_at_ms) FROM decisions WHERE project_id = p.id), 0)) AS used_at_ms
FROM projects AS p ORDER BY used_at_ms DESC, p.name)sql";

}  // namespace

Result<std::optional<ProjectId>> find_project(Database& database, std::string_view name) {
  return query::find(database, "SELECT id FROM projects WHERE name = ?1", query::read_id<ProjectId>,
                     name);
}

Result<ProjectId> ensure_project(Database& database, std::string_view name, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto known, find_project(database, name));
  if (known) return *known;
  return query::insert<ProjectId>(database, R"sql(
INSERT INTO projects (name, created_at_ms) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING)sql",
                                  name, now_ms);
}

Result<std::vector<ProjectId>> list_project_ids(Database& database, std::string_view name) {
  return query::list(database, R"sql(
SELECT id FROM projects WHERE ?1 IS NULL OR name = ?1 ORDER BY id)sql",
                     query::read_id<ProjectId>, query::OrNull{name});
}

Result<std::vector<std::string>> list_project_names(Database& database) {
  return query::list(database, kListProjectNamesSql, query::read_text);
}

Result<RecordCounts> count_records(Database& database) {
  CODEXMEM_ASSIGN(const auto counts, query::find(database, R"sql(
SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM sessions),
  (SELECT count(*) FROM sessions WHERE status = 'active'), (SELECT count(*) FROM summaries),
  (SELECT count(*) FROM prompts))sql",
                                                 query::as<RecordCounts>));
  return counts.value_or(RecordCounts{});
}

}  // namespace codexmem::store
