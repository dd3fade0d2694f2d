// store/user/reflection.h - what reflection reads of observations and of its drafts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

/// The fields read of an observation.
struct ObservedEntry {
  std::string type, title, subtitle, body;
  std::vector<std::string> facts, files_read, files_modified;
  std::string outcome, target;  // metadata of these names; empty: none, or no string
};
struct ObservedIn {
  EntryId id{};
  std::optional<SessionId> session;
  std::int64_t created_at_ms = 0;
};

/// Calls `visit` with the observations and saved entries of `project` from `from_ms` on, newest
/// first, at most 5000.
Result<void> visit_observed(
    Database& database, ProjectId project, std::int64_t from_ms,
    const std::function<void(const ObservedIn& in, const ObservedEntry& entry)>& visit);

/// When a proposal of reflection on a target of `project` ended last; 0: none has.
Result<std::int64_t> find_last_end(Database& database, ProjectId project,
                                   std::string_view target_key);

struct WeighedDraft {
  DecisionKey key{};
  std::int64_t weighed_at_ms = 0;
};
/// Reflection's drafts, by key.
Result<std::vector<WeighedDraft>> list_reflection_drafts(Database& database, ProjectId project);

}  // namespace codexmem::store
