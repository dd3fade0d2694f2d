#include "store/user/decisions.h"

#include <algorithm>
#include <array>

#include "store/query.h"
#include "store/user/projects.h"
#include "text/json.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

struct StatusRow {
  DecisionStatus status;
  std::string_view name;
};
constexpr std::array kStatuses = {
    StatusRow{DecisionStatus::kActive, "active"},
    StatusRow{DecisionStatus::kDeprecated, "deprecated"},
    StatusRow{DecisionStatus::kSuperseded, "superseded"},
    StatusRow{DecisionStatus::kDraft, "draft"},
    StatusRow{DecisionStatus::kAccepted, "accepted"},
    StatusRow{DecisionStatus::kRejected, "rejected"},
    StatusRow{DecisionStatus::kFalsified, "falsified"},
};
constexpr std::array<std::string_view, 3> kSourceNames = {"human", "agent", "reflection_engine"};

// A list that is null lets everything through.
constexpr char kListDecisionsSql[] =
    "WHERE (?1 IS NULL OR p.name IN (SELECT value FROM json_each(?1))) "
    "AND (?2 IS NULL OR d.status IN (SELECT value FROM json_each(?2))) "
    "AND (?3 IS NULL OR d.target_key = ?3) "
    "ORDER BY d.created_at_ms DESC, d.key DESC LIMIT ?4 OFFSET ?5";

std::string select_decisions(std::string_view where) {
  return R"sql(
SELECT d.key, p.name, d.confidence, d.first_observed_at_ms,
  (SELECT json_group_array(o.id) FROM (
     SELECT old_key FROM decision_links WHERE new_key = d.key
     UNION SELECT old_key FROM held_links WHERE new_key = d.key) AS l
   JOIN decisions AS o ON o.key = l.old_key),
  (SELECT n.id FROM decision_links AS l JOIN decisions AS n ON n.key = l.new_key
   WHERE l.old_key = d.key ORDER BY n.created_at_ms DESC, n.id DESC LIMIT 1), d.is_staged, )sql" +
         query::columns<Decision>("d.") +
         " FROM decisions AS d JOIN projects AS p ON p.id = d.project_id " + std::string(where);
}

constexpr char kEndOfChainSql[] = R"sql(
WITH RECURSIVE later(key) AS (
  SELECT ?1 UNION SELECT l.new_key FROM later JOIN decision_links AS l ON l.old_key = later.key)
SELECT key FROM later JOIN decisions AS d USING (key)
WHERE NOT EXISTS (SELECT 1 FROM decision_links WHERE old_key = later.key)
ORDER BY d.status = 'active' DESC, key)sql";
constexpr char kDecisionTextsSql[] = R"sql(
SELECT d.key, d.status = 'active', d.created_at_ms, d.title, d.target, d.rationale, d.consequences
FROM decisions AS d
WHERE ?1 IS NULL OR d.project_id IN (
  SELECT id FROM projects WHERE name IN (SELECT value FROM json_each(?1)))
ORDER BY d.key)sql";

constexpr char kLinkSql[] = R"sql(
INSERT INTO decision_links (new_key, old_key) SELECT ?1, key FROM decisions WHERE id = ?2)sql";
constexpr char kHoldLinkSql[] = R"sql(
INSERT INTO held_links (new_key, old_key) SELECT ?1, key FROM decisions WHERE id = ?2)sql";
constexpr char kImportDecisionLinkSql[] = R"sql(
INSERT INTO decision_links (new_key, old_key) SELECT ?1, d.key FROM decisions AS d
WHERE d.id = ?2 AND NOT EXISTS (SELECT 1 FROM decision_links WHERE old_key = d.key))sql";

constexpr auto read_decision =
    query::read_row<Decision, &Decision::key, &Decision::project, &Decision::confidence,
                    &Decision::first_observed_at_ms, &Decision::supersedes,
                    &Decision::superseded_by, &Decision::is_staged>;

Result<void> add_history(Database& database, DecisionKey key, const StatusChange& change) {
  static const std::string sql =
      query::insert_sql<StatusChange>("decision_history", "decision_key");
  CODEXMEM_TRY(query::run_row(database, sql, change, key));
  return {};
}

Result<DecisionKey> add_decision(Database& database, const Decision& decision, bool has_confidence,
                                 std::string_view link_sql, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const ProjectId project, ensure_project(database, decision.project, now_ms));
  const auto confidence = has_confidence ? std::optional(decision.confidence) : std::nullopt;
  const auto first_observed =
      is_proposal(decision.status) ? std::optional(decision.first_observed_at_ms) : std::nullopt;
  static const std::string sql = query::insert_sql<Decision>(
      "decisions", "kind, project_id, confidence, first_observed_at_ms, is_staged");
  CODEXMEM_ASSIGN(const auto key, query::insert_row<DecisionKey>(
                                      database, sql, decision, decision_kind(decision.status),
                                      project, confidence, first_observed, decision.is_staged));
  for (const std::string& old : decision.supersedes) {
    CODEXMEM_TRY(query::run(database, decision.is_staged ? kHoldLinkSql : link_sql, key, old));
  }
  return key;
}

}  // namespace

std::string_view column_text(DecisionStatus status) { return status_name(status); }
std::string_view column_text(DecisionSource source) { return source_name(source); }

void read_column_text(std::string_view name, DecisionStatus& status) {
  status = parse_status(name).value_or(DecisionStatus::kDeprecated);
}

void read_column_text(std::string_view name, DecisionSource& source) {
  const auto at = std::ranges::find(kSourceNames, name);
  source = at == kSourceNames.end() ? DecisionSource::kAgent
                                    : static_cast<DecisionSource>(at - kSourceNames.begin());
}

std::string column_text(const std::vector<EntryId>& ids) {
  Json list = Json::array();
  for (const EntryId id : ids) list.push_back(static_cast<std::int64_t>(id));
  return dump_json(list);
}

void read_column_text(std::string_view json, std::vector<EntryId>& ids) {
  if (json == "[]") return;
  const Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!value.is_array()) return;
  for (const Json& item : value) {
    if (item.is_number_integer()) ids.push_back(static_cast<EntryId>(item.get<std::int64_t>()));
  }
}

std::string_view status_name(DecisionStatus status) {
  return kStatuses[static_cast<std::size_t>(status)].name;
}

std::optional<DecisionStatus> parse_status(std::string_view name) {
  for (const StatusRow& row : kStatuses) {
    if (row.name == name) return row.status;
  }
  return std::nullopt;
}

std::string_view decision_kind(DecisionStatus status) {
  return is_proposal(status) ? "proposal" : "decision";
}

std::string_view source_name(DecisionSource source) {
  return kSourceNames[static_cast<std::size_t>(source)];
}

Result<std::vector<Decision>> list_decisions(Database& database, const DecisionFilter& filter) {
  std::vector<std::string> names;
  for (const DecisionStatus status : filter.statuses) names.emplace_back(status_name(status));
  const std::string projects = filter.projects.empty() ? "" : write_json_list(filter.projects);
  const std::string statuses = names.empty() ? "" : write_json_list(names);
  return query::list(database, select_decisions(kListDecisionsSql), read_decision,
                     query::OrNull{projects}, query::OrNull{statuses}, query::OrNull{filter.target},
                     filter.limit, filter.offset);
}

Result<std::optional<Decision>> find_decision(Database& database, std::string_view id) {
  return query::find(database, select_decisions("WHERE d.id = ?1"), read_decision, id);
}

Result<std::vector<std::pair<DecisionKey, std::string>>> list_decision_ids(Database& database,
                                                                           DecisionKey after,
                                                                           std::size_t limit) {
  const auto read = [](const Statement& row) {
    return std::pair(row.id<DecisionKey>(0), std::string(row.text(1)));
  };
  return query::list(database, "SELECT key, id FROM decisions WHERE key > ?1 ORDER BY key LIMIT ?2",
                     read, after, limit);
}

Result<std::vector<Decision>> get_decisions(Database& database, std::span<const DecisionKey> keys) {
  std::vector<Decision> decisions;
  for (const DecisionKey key : keys) {
    CODEXMEM_ASSIGN(auto found, query::find(database, select_decisions("WHERE d.key = ?1"),
                                            read_decision, key));
    if (found) decisions.push_back(*std::move(found));
  }
  return decisions;
}

Result<std::optional<Decision>> find_active(Database& database, std::string_view project,
                                            std::string_view target_key) {
  return query::find(database,
                     select_decisions("WHERE p.name = ?1 AND d.target_key = ?2 "
                                      "AND d.status = 'active' AND d.is_staged = 0"),
                     read_decision, project, target_key);
}

Result<std::optional<DecisionKey>> find_other_active(Database& database, DecisionKey key) {
  return query::find(database, R"sql(
SELECT a.key FROM decisions AS d JOIN decisions AS a INDEXED BY decisions_active
ON a.project_id = d.project_id AND a.target_key = d.target_key AND a.status = 'active' AND a.is_staged = 0
WHERE d.key = ?1 ORDER BY a.key)sql",
                     query::read_id<DecisionKey>, key);
}

Result<std::optional<DecisionKey>> find_end_of_chain(Database& database, DecisionKey key) {
  return query::find(database, kEndOfChainSql, query::read_id<DecisionKey>, key);
}

Result<void> visit_decisions(Database& database, const std::vector<std::string>& projects,
                             const std::function<Result<void>(const DecisionTexts&)>& visit) {
  const std::string names = projects.empty() ? "" : write_json_list(projects);
  const auto read = [&](const Statement& row) {
    return visit({row.id<DecisionKey>(0), row.integer(1) != 0, row.integer(2), row.text(3),
                  row.text(4), row.text(5), read_json_list(row.text(6))});
  };
  return query::visit(database, kDecisionTextsSql, read, query::OrNull{names});
}

Result<std::vector<StatusChange>> list_history(Database& database, DecisionKey key) {
  return query::list(database,
                     "SELECT " + query::columns<StatusChange>() +
                         " FROM decision_history WHERE decision_key = ?1 ORDER BY id",
                     query::read_row<StatusChange>, key);
}

Result<DecisionKey> insert_decision(Database& database, const Decision& decision,
                                    std::string_view role, std::string_view reason) {
  CODEXMEM_ASSIGN(const DecisionKey key,
                  add_decision(database, decision, decision.source == DecisionSource::kReflection,
                               kLinkSql, decision.created_at_ms));
  CODEXMEM_TRY(add_history(database, key,
                           {std::nullopt, decision.status, std::string(role), std::string(reason),
                            decision.created_at_ms}));
  return key;
}

Result<DecisionKey> import_decision(Database& database, const Decision& decision,
                                    const std::vector<StatusChange>& history, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const DecisionKey key,
                  add_decision(database, decision, is_proposal(decision.status),
                               kImportDecisionLinkSql, now_ms));
  for (const StatusChange& change : history) CODEXMEM_TRY(add_history(database, key, change));
  return key;
}

Result<void> change_status(Database& database, const Decision& decision, DecisionStatus to,
                           std::string_view role, std::string_view reason, std::int64_t now_ms) {
  CODEXMEM_TRY(query::run(database, "UPDATE decisions SET status = ?2 WHERE key = ?1", decision.key,
                          status_name(to)));
  return add_history(database, decision.key,
                     {decision.status, to, std::string(role), std::string(reason), now_ms});
}

Result<void> weigh_draft(Database& database, DecisionKey key, double confidence,
                         std::span<const EntryId> evidence, std::int64_t now_ms) {
  return query::execute(database, R"sql(
UPDATE decisions SET confidence = ?2, evidence = ?3, weighed_at_ms = ?4 WHERE key = ?1)sql",
                        key, confidence, column_text(std::vector(evidence.begin(), evidence.end())),
                        now_ms);
}

Result<void> set_converted_to(Database& database, DecisionKey key, std::string_view id) {
  return query::execute(database, "UPDATE decisions SET converted_to = ?2 WHERE key = ?1", key, id);
}

}  // namespace codexmem::store
