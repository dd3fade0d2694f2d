// memory/entries/retention.h - which entries are too old or too many, and their removal.
//
// A plan reads and writes nothing; what it lists is removed by execute_retention() alone.
// Decisions, entries of the type "decision" and entries whose metadata has "pinned":true are never
// in a plan; summaries and prompts are kept. Stateless; safe to call from many threads. Design:
// docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/entries/records.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

struct RetentionRequest {
  std::optional<std::int64_t> now_ms = {};  // nothing: the clock's
  double max_age_days = 180;                // above 0
  std::int64_t max_entries_per_project = 10'000;
  std::string project = {};  // empty: all
  std::size_t offset = 0;    // candidates to skip: earlier pages
};

enum class RetentionReason : std::uint8_t { kAge, kProjectCount };

/// "age", "project_count".
const char* retention_reason_name(RetentionReason reason);

struct RetentionCandidate {
  EntryId id{};
  std::int64_t created_at_ms = 0;
  RetentionReason reason = RetentionReason::kAge;
};

struct RetentionPlan {
  std::int64_t now_ms = 0;
  std::vector<RetentionCandidate> candidates;  // oldest first, each once
  std::size_t by_age = 0, by_project_count = 0;
};

/// What would be removed: entries older than max_age_days; then, of those that stay, all but the
/// newest max_entries_per_project of each project. Errors: kInvalidArgument for a limit that is not
/// above 0; the store's.
Result<RetentionPlan> plan_retention(store::UserStore& store, const RetentionRequest& request,
                                     const Clock& clock);

/// Removes what `plan` lists, in batches, each of which is removed wholly or not at all, and erases
/// it: no byte of them is left in the store's files, unless is_erased() (store/user/erasure.h) says
/// no. Vectors of other programs' snapshots go when those catch up. Returns how many were removed;
/// records that are gone already do not count. Errors: the store's; batches that were done stay
/// done.
Result<std::size_t> execute_retention(store::UserStore& store, const RetentionPlan& plan);

}  // namespace codexmem::memory
