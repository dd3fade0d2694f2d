// store/user/decisions.h - decisions and proposals as the user's store holds them.
//
// Values, and reading and writing their rows; what may be done with them is
// memory/decisions/decisions.h. Design: docs/how-it-works.md, "Decisions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/fields.h"
#include "store/user/records.h"

namespace codexmem::store {

/// The first three are of decisions, the others of proposals.
enum class DecisionStatus : std::uint8_t {
  kActive,
  kDeprecated,
  kSuperseded,
  kDraft,
  kAccepted,
  kRejected,
  kFalsified,
};

/// "active", "deprecated", ...: as it is stored.
std::string_view status_name(DecisionStatus status);
std::optional<DecisionStatus> parse_status(std::string_view name);
constexpr bool is_proposal(DecisionStatus status) { return status >= DecisionStatus::kDraft; }
/// "decision" or "proposal".
std::string_view decision_kind(DecisionStatus status);

/// Who a decision is from. stored by name.
enum class DecisionSource : std::uint8_t { kHuman, kAgent, kReflection };
/// "human", "agent", "reflection_engine".
std::string_view source_name(DecisionSource source);

// For store/query.h. An unknown status is read as deprecated, an unknown source as an agent's.
std::string_view column_text(DecisionStatus status);
std::string_view column_text(DecisionSource source);
std::string column_text(const std::vector<EntryId>& ids);
void read_column_text(std::string_view name, DecisionStatus& status);
void read_column_text(std::string_view name, DecisionSource& source);
void read_column_text(std::string_view json, std::vector<EntryId>& ids);

struct Decision {
  DecisionKey key{};
  std::string id;  // decision_20260102_030405_000000_0123abcd.md
  std::string project, title, target;
  std::string target_key;  // what targets are compared by
  DecisionStatus status = DecisionStatus::kActive;
  std::string rationale;  // with the marker when it is an agent's
  std::vector<std::string> consequences;
  DecisionSource source = DecisionSource::kAgent;
  std::int64_t created_at_ms = 0;

  std::vector<std::string> supersedes;  // ids
  std::string superseded_by;            // id; empty: none
  bool is_staged = false;               // of a branch that is not merged (store/user/branches.h)
  std::string branch;                   // which one, where memory fills it in

  // Of proposals.
  double confidence = 0;              // reflection's, 0 to 1
  std::vector<EntryId> evidence;      // entries it was made from
  std::vector<std::string> replaces;  // ids that accepting it supersedes
  std::int64_t first_observed_at_ms = 0;
  std::string converted_to;  // the decision it became; empty: none
};
void visit_fields(FieldsOf<Decision> auto& it, auto&& visit) {
  visit("id", it.id)("title", it.title)("target", it.target)("target_key", it.target_key);
  visit("status", it.status)("rationale", it.rationale)("consequences", it.consequences);
  visit("source", it.source)("evidence", it.evidence)("replaces", it.replaces);
  visit("converted_to", it.converted_to, kOrNull)("created_at_ms", it.created_at_ms);
}

/// Which decisions list_decisions() gives. Filters are ANDed, values of one filter ORed.
struct DecisionFilter {
  std::vector<std::string> projects;     // none: every project
  std::vector<DecisionStatus> statuses;  // none: any
  std::string target;                    // a target_key; empty: any
  std::size_t limit = 20;
  std::size_t offset = 0;
};

/// Newest first, ties by the later row.
Result<std::vector<Decision>> list_decisions(Database& database, const DecisionFilter& filter);

/// The decision or proposal with this id, in its stored form (memory/decisions/decision_text.h).
Result<std::optional<Decision>> find_decision(Database& database, std::string_view id);

/// Keys and ids of those after the key `after`, by key, at most `limit`.
Result<std::vector<std::pair<DecisionKey, std::string>>> list_decision_ids(Database& database,
                                                                           DecisionKey after,
                                                                           std::size_t limit);

/// The decisions with these keys, in this order; unknown ones are left out.
Result<std::vector<Decision>> get_decisions(Database& database, std::span<const DecisionKey> keys);

/// The active decision on a target of a project, except on branches.
Result<std::optional<Decision>> find_active(Database& database, std::string_view project,
                                            std::string_view target_key);

/// The same for the target of the decision `key`.
Result<std::optional<DecisionKey>> find_other_active(Database& database, DecisionKey key);

/// The last of those that superseded the decision `key`, one after the other; itself if none did.
Result<std::optional<DecisionKey>> find_end_of_chain(Database& database, DecisionKey key);

/// What a decision says. Views live while its visitor runs.
struct DecisionTexts {
  DecisionKey key{};
  bool is_active = false;
  std::int64_t created_at_ms = 0;
  std::string_view title, target, rationale;
  std::vector<std::string> consequences;
};

/// Calls `visit` with each decision of `projects` (none: of all), by key, until it fails.
Result<void> visit_decisions(Database& database, const std::vector<std::string>& projects,
                             const std::function<Result<void>(const DecisionTexts&)>& visit);

/// A change of a decision's status.
struct StatusChange {
  std::optional<DecisionStatus> from;  // nothing: it was made
  DecisionStatus to = DecisionStatus::kActive;
  std::string role;  // "agent", "admin (shell)", "reflection_engine"
  std::string reason;
  std::int64_t at_ms = 0;
};
void visit_fields(FieldsOf<StatusChange> auto& change, auto&& visit) {
  visit("from_status", change.from)("to_status", change.to)("role", change.role);
  visit("reason", change.reason)("at_ms", change.at_ms);
}

/// What a decision went through, oldest first.
Result<std::vector<StatusChange>> list_history(Database& database, DecisionKey key);

// Writing: inside the caller's transaction.

/// Adds `decision`, which has no key yet, and its first row of history. Project and links are
/// written too; `supersedes` must be known.
Result<DecisionKey> insert_decision(Database& database, const Decision& decision,
                                    std::string_view role, std::string_view reason);

/// Adds `decision` as it was elsewhere, with all its history; a link is left out when its old
/// decision is unknown, or has a successor. A project that is new is made at `now_ms`.
Result<DecisionKey> import_decision(Database& database, const Decision& decision,
                                    const std::vector<StatusChange>& history, std::int64_t now_ms);

/// Changes the status of `decision`, with a row of history.
Result<void> change_status(Database& database, const Decision& decision, DecisionStatus to,
                           std::string_view role, std::string_view reason, std::int64_t now_ms);

/// Gives a draft of reflection the confidence and the evidence that it has at `now_ms`.
Result<void> weigh_draft(Database& database, DecisionKey key, double confidence,
                         std::span<const EntryId> evidence, std::int64_t now_ms);

/// Notes that the proposal `key` became the decision `id`.
Result<void> set_converted_to(Database& database, DecisionKey key, std::string_view id);

}  // namespace codexmem::store
