// Tested by memory/reflection_test.cpp.
#include "store/user/reflection.h"

#include "store/query.h"
#include "text/json.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

constexpr char kObservedSql[] = R"sql(
SELECT e.id, e.session_id, e.created_at_ms, e.entry_type, e.title, e.subtitle, e.body, e.facts,
  e.files_read, e.files_modified,
  (SELECT value FROM entry_metadata WHERE entry_id = e.id AND key = 'outcome'),
  (SELECT value FROM entry_metadata WHERE entry_id = e.id AND key = 'target')
FROM entries AS e INDEXED BY entries_project
WHERE e.project_id = ?1 AND e.created_at_ms >= ?2 AND e.source IN ('observer', 'manual')
ORDER BY e.created_at_ms DESC, e.id DESC LIMIT 5000)sql";

// Metadata are kept as JSON texts; other values count as missing.
std::string read_json_text(std::string_view json) {
  const Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace

Result<void> visit_observed(
    Database& database, ProjectId project, std::int64_t from_ms,
    const std::function<void(const ObservedIn&, const ObservedEntry&)>& visit) {
  const auto read = [&](const Statement& row) {
    ObservedIn in{row.id<EntryId>(0), std::nullopt, row.integer(2)};
    if (!row.is_null(1)) in.session = row.id<SessionId>(1);
    visit(in, {std::string(row.text(3)), std::string(row.text(4)), std::string(row.text(5)),
               std::string(row.text(6)), read_json_list(row.text(7)), read_json_list(row.text(8)),
               read_json_list(row.text(9)), read_json_text(row.text(10)),
               read_json_text(row.text(11))});
  };
  return query::visit(database, kObservedSql, read, project, from_ms);
}

Result<std::int64_t> find_last_end(Database& database, ProjectId project,
                                   std::string_view target_key) {
  return query::count(database, R"sql(
SELECT max(h.at_ms) FROM decisions AS d JOIN decision_history AS h ON h.decision_key = d.key
WHERE d.target_key = ?2 AND d.project_id = ?1 AND d.source = 'reflection_engine' AND
  h.to_status IN ('accepted', 'rejected', 'falsified'))sql",
                      project, target_key);
}

Result<std::vector<WeighedDraft>> list_reflection_drafts(Database& database, ProjectId project) {
  return query::list(database, R"sql(
SELECT key, weighed_at_ms FROM decisions INDEXED BY decisions_drafts
WHERE status = 'draft' AND project_id = ?1 AND source = 'reflection_engine' ORDER BY key)sql",
                     query::as<WeighedDraft>, project);
}

}  // namespace codexmem::store
