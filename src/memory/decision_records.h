// memory/decision_records.h - decisions and proposals as the user's store holds them.
//
// Values, and reading and writing their rows; what may be done with them is memory/decisions.h. One
// thread for each connection. Design: docs/memory.md, "Decisions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/records.h"
#include "store/database.h"

namespace codexmem::memory {

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

  // Of proposals.
  double confidence = 0;              // reflection's, 0 to 1
  std::vector<EntryId> evidence;      // entries it was made from
  std::vector<std::string> replaces;  // ids that accepting it supersedes
  std::int64_t first_observed_at_ms = 0;
  std::string converted_to;  // the decision it became; empty: none
};

/// Which decisions list_decisions() gives. Filters are ANDed, values of one filter ORed.
struct DecisionFilter {
  std::vector<std::string> projects;     // none: every project
  std::vector<DecisionStatus> statuses;  // none: any
  std::string target;                    // compared as targets are; empty: any
  std::size_t limit = 20;
  std::size_t offset = 0;
};

/// Newest first, ties by the later row.
Result<std::vector<Decision>> list_decisions(store::Database& database,
                                             const DecisionFilter& filter);

/// The decision or proposal with this id, in its stored form (decision_text.h).
Result<std::optional<Decision>> find_decision(store::Database& database, std::string_view id);

/// The decisions with these keys, in this order; unknown ones are left out.
Result<std::vector<Decision>> get_decisions(store::Database& database,
                                            std::span<const DecisionKey> keys);

/// The active decision on a target of a project.
Result<std::optional<Decision>> find_active(store::Database& database, std::string_view project,
                                            std::string_view target_key);

/// A change of a decision's status.
struct StatusChange {
  std::optional<DecisionStatus> from;  // nothing: it was made
  DecisionStatus to = DecisionStatus::kActive;
  std::string role;  // "agent", "admin (shell)", "reflection_engine"
  std::string reason;
  std::int64_t at_ms = 0;
};

/// What a decision went through, oldest first.
Result<std::vector<StatusChange>> list_history(store::Database& database, DecisionKey key);

// Writing: inside the caller's transaction.

/// Adds `decision`, which has no key yet, and its first row of history. Project and links are
/// written too; `supersedes` must be known.
Result<DecisionKey> insert_decision(store::Database& database, const Decision& decision,
                                    std::string_view role, std::string_view reason);

/// Changes the status of `decision`, with a row of history.
Result<void> change_status(store::Database& database, const Decision& decision, DecisionStatus to,
                           std::string_view role, std::string_view reason, std::int64_t now_ms);

}  // namespace codexmem::memory
