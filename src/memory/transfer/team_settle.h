// memory/transfer/team_settle.h - which of a team's decisions hold, and what superseded what,
// worked out from all files of a project. Internal to memory's team. Design: docs/team.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/entries/records.h"
#include "store/database.h"

namespace codexmem::memory {

constexpr DecisionKey decision_of(DocumentKey document) {
  return static_cast<DecisionKey>(id_of(document));
}
constexpr EntryId entry_of(DocumentKey document) { return static_cast<EntryId>(id_of(document)); }
constexpr bool is_decision(DocumentKey document) {
  return kind_of(document) == DocumentKind::kDecision;
}

/// Who changes statuses, in a decision's history.
inline constexpr std::string_view kTeamRole = "team";

/// Has links, statuses and rivals follow the rows of shared files of `project`, whose number is
/// `id`, inside the caller's transaction. Errors: the store's.
Result<void> settle_shared(store::Database& database, const std::string& project, ProjectId id,
                           std::int64_t now_ms);

}  // namespace codexmem::memory
