#include "memory/decision_records.h"

#include <array>

#include "text/json.h"
#include "base/text.h"
#include "memory/decision_text.h"
#include "memory/entries.h"
#include "text/json_lists.h"

namespace codexmem::memory {
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

#define CODEXMEM_DECISION_COLUMNS                                                        \
  "SELECT d.key, d.id, p.name, d.title, d.target, d.target_key, d.status, d.rationale, " \
  "d.consequences, d.source, d.created_at_ms, "                                          \
  "(SELECT json_group_array(o.id) FROM decision_links AS l JOIN decisions AS o "         \
  "ON o.key = l.old_key WHERE l.new_key = d.key), "                                      \
  "(SELECT n.id FROM decision_links AS l JOIN decisions AS n ON n.key = l.new_key "      \
  "WHERE l.old_key = d.key), "                                                           \
  "d.confidence, d.evidence, d.replaces, d.first_observed_at_ms, d.converted_to "        \
  "FROM decisions AS d JOIN projects AS p ON p.id = d.project_id "

constexpr char kFindByIdSql[] = CODEXMEM_DECISION_COLUMNS "WHERE d.id = ?1";
constexpr char kGetByKeySql[] = CODEXMEM_DECISION_COLUMNS "WHERE d.key = ?1";
constexpr char kFindActiveSql[] =
    CODEXMEM_DECISION_COLUMNS "WHERE p.name = ?1 AND d.target_key = ?2 AND d.status = 'active'";
// A list that is null lets everything through.
constexpr char kListDecisionsSql[] = CODEXMEM_DECISION_COLUMNS
    "WHERE (?1 IS NULL OR p.name IN (SELECT value FROM json_each(?1))) "
    "AND (?2 IS NULL OR d.status IN (SELECT value FROM json_each(?2))) "
    "AND (?3 IS NULL OR d.target_key = ?3) "
    "ORDER BY d.created_at_ms DESC, d.key DESC LIMIT ?4 OFFSET ?5";

constexpr char kListHistorySql[] = R"sql(
SELECT from_status, to_status, role, reason, at_ms FROM decision_history
WHERE decision_key = ?1 ORDER BY id)sql";

constexpr char kInsertSql[] = R"sql(
INSERT INTO decisions (id, kind, project_id, title, target, target_key, status, rationale,
  consequences, source, confidence, evidence, replaces, first_observed_at_ms, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,
  ?13, ?14, ?15))sql";
constexpr char kLinkSql[] = R"sql(
INSERT INTO decision_links (new_key, old_key) SELECT ?1, key FROM decisions WHERE id = ?2)sql";
constexpr char kHistorySql[] = R"sql(
INSERT INTO decision_history (decision_key, from_status, to_status, role, reason, at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";
constexpr char kChangeStatusSql[] = "UPDATE decisions SET status = ?2 WHERE key = ?1";

DecisionStatus read_status(std::string_view name) {
  return parse_status(name).value_or(DecisionStatus::kDeprecated);
}

DecisionSource read_source(std::string_view name) {
  for (std::size_t i = 0; i < kSourceNames.size(); ++i) {
    if (kSourceNames[i] == name) return static_cast<DecisionSource>(i);
  }
  return DecisionSource::kAgent;
}

std::vector<EntryId> read_ids(std::string_view json) {
  std::vector<EntryId> ids;
  if (json == "[]") return ids;
  const Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!value.is_array()) return ids;
  for (const Json& item : value) {
    if (item.is_number_integer()) ids.push_back(static_cast<EntryId>(item.get<std::int64_t>()));
  }
  return ids;
}

std::string write_ids(std::span<const EntryId> ids) {
  Json list = Json::array();
  for (const EntryId id : ids) list.push_back(static_cast<std::int64_t>(id));
  return dump_json(list);
}

Decision read_decision(const store::Statement& row) {
  Decision decision;
  decision.key = row.id<DecisionKey>(0);
  decision.id = row.text(1);
  decision.project = row.text(2);
  decision.title = row.text(3);
  decision.target = row.text(4);
  decision.target_key = row.text(5);
  decision.status = read_status(row.text(6));
  decision.rationale = row.text(7);
  decision.consequences = read_json_list(row.text(8));
  decision.source = read_source(row.text(9));
  decision.created_at_ms = row.integer(10);
  decision.supersedes = read_json_list(row.text(11));
  decision.superseded_by = row.text(12);
  decision.confidence = row.real(13);
  decision.evidence = read_ids(row.text(14));
  decision.replaces = read_json_list(row.text(15));
  decision.first_observed_at_ms = row.integer(16);
  decision.converted_to = row.text(17);
  return decision;
}

Result<std::optional<Decision>> read_one(store::Statement& query) {
  CODEXMEM_ASSIGN(const bool found, query.step());
  if (!found) return std::optional<Decision>();
  return std::optional<Decision>(read_decision(query));
}

Result<void> add_history(store::Database& database, DecisionKey key,
                         std::optional<DecisionStatus> from, DecisionStatus to,
                         std::string_view role, std::string_view reason, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(store::Statement add, database.statement(kHistorySql));
  add.bind(1, key);
  if (from) {
    add.bind(2, status_name(*from));
  } else {
    add.bind_null(2);
  }
  add.bind(3, status_name(to));
  add.bind(4, role);
  add.bind(5, reason);
  add.bind(6, now_ms);
  return add.run();
}

}  // namespace

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

Result<std::vector<Decision>> list_decisions(store::Database& database,
                                             const DecisionFilter& filter) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kListDecisionsSql));
  const std::string projects = write_json_list(filter.projects);
  std::vector<std::string> names;
  for (const DecisionStatus status : filter.statuses) names.emplace_back(status_name(status));
  const std::string statuses = write_json_list(names);
  const std::string target = target_key(filter.target);
  if (!filter.projects.empty()) query.bind(1, projects);
  if (!filter.statuses.empty()) query.bind(2, statuses);
  if (!target.empty()) query.bind(3, target);
  query.bind(4, static_cast<std::int64_t>(filter.limit));
  query.bind(5, static_cast<std::int64_t>(filter.offset));
  std::vector<Decision> decisions;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (!more) return decisions;
    decisions.push_back(read_decision(query));
  }
}

Result<std::optional<Decision>> find_decision(store::Database& database, std::string_view id) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kFindByIdSql));
  query.bind(1, id);
  return read_one(query);
}

Result<std::vector<Decision>> get_decisions(store::Database& database,
                                            std::span<const DecisionKey> keys) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kGetByKeySql));
  std::vector<Decision> decisions;
  for (const DecisionKey key : keys) {
    query.reset();
    query.bind(1, key);
    CODEXMEM_ASSIGN(std::optional<Decision> found, read_one(query));
    if (found) decisions.push_back(*std::move(found));
  }
  return decisions;
}

Result<std::optional<Decision>> find_active(store::Database& database, std::string_view project,
                                            std::string_view target_key) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kFindActiveSql));
  query.bind(1, project);
  query.bind(2, target_key);
  return read_one(query);
}

Result<std::vector<StatusChange>> list_history(store::Database& database, DecisionKey key) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kListHistorySql));
  query.bind(1, key);
  std::vector<StatusChange> changes;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (!more) return changes;
    StatusChange change;
    if (!query.is_null(0)) change.from = read_status(query.text(0));
    change.to = read_status(query.text(1));
    change.role = query.text(2);
    change.reason = query.text(3);
    change.at_ms = query.integer(4);
    changes.push_back(std::move(change));
  }
}

Result<DecisionKey> insert_decision(store::Database& database, const Decision& decision,
                                    std::string_view role, std::string_view reason) {
  CODEXMEM_ASSIGN(const ProjectId project,
                  ensure_project(database, decision.project, decision.created_at_ms));
  const std::string consequences = write_json_list(decision.consequences);
  const std::string evidence = write_ids(decision.evidence);
  const std::string replaces = write_json_list(decision.replaces);
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertSql));
  insert.bind(1, decision.id);
  insert.bind(2, decision_kind(decision.status));
  insert.bind(3, project);
  insert.bind(4, decision.title);
  insert.bind(5, decision.target);
  insert.bind(6, decision.target_key);
  insert.bind(7, status_name(decision.status));
  insert.bind(8, decision.rationale);
  insert.bind(9, consequences);
  insert.bind(10, source_name(decision.source));
  if (decision.source == DecisionSource::kReflection) {
    insert.bind(11, decision.confidence);
  } else {
    insert.bind_null(11);
  }
  insert.bind(12, evidence);
  insert.bind(13, replaces);
  if (is_proposal(decision.status)) {
    insert.bind(14, decision.first_observed_at_ms);
  } else {
    insert.bind_null(14);
  }
  insert.bind(15, decision.created_at_ms);
  CODEXMEM_TRY(insert.run());
  const auto key = static_cast<DecisionKey>(database.last_insert_id());

  CODEXMEM_ASSIGN(store::Statement link, database.statement(kLinkSql));
  for (const std::string& old : decision.supersedes) {
    link.bind(1, key);
    link.bind(2, old);
    CODEXMEM_TRY(link.run());
  }
  CODEXMEM_TRY(add_history(database, key, std::nullopt, decision.status, role, reason,
                           decision.created_at_ms));
  return key;
}

Result<void> change_status(store::Database& database, const Decision& decision, DecisionStatus to,
                           std::string_view role, std::string_view reason, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(store::Statement change, database.statement(kChangeStatusSql));
  change.bind(1, decision.key);
  change.bind(2, status_name(to));
  CODEXMEM_TRY(change.run());
  return add_history(database, decision.key, decision.status, to, role, reason, now_ms);
}

}  // namespace codexmem::memory
