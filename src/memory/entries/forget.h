// memory/entries/forget.h - what a person wants to be gone: records, a session, all of a project.
//
// A plan reads and writes nothing; what it lists is removed by execute_forget() alone. Decisions
// are never in one: they end, and stay known. Stateless; safe to call from many threads. Design:
// docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/entries/records.h"
#include "store/user/forget.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

using store::ForgetItem;

struct ForgetPlan {
  std::int64_t now_ms = 0;
  std::vector<ForgetItem> items;    // oldest first, each once
  std::vector<SessionId> sessions;  // that go with all that was captured of them
  std::string project;              // whose search traces go; empty: none
  std::int64_t queued = 0;          // messages of `sessions` that wait in the worker's queue

  bool is_empty() const { return items.empty() && sessions.empty(); }
};

/// The entries, summaries and prompts with these keys, as far as they are there. Errors:
/// kInvalidArgument for the key of a decision; the store's.
Result<ForgetPlan> plan_forget(store::UserStore& store, std::span<const DocumentKey> keys,
                               const Clock& clock);

/// All of a session: prompts, summaries, observations, queued messages, all that is known of
/// its events. An empty plan when there is no such session.
Result<ForgetPlan> plan_forget_session(store::UserStore& store, std::string_view content_session_id,
                                       const Clock& clock);

/// All of a project but its decisions, pinned entries too. An empty plan for an unknown project.
Result<ForgetPlan> plan_forget_project(store::UserStore& store, std::string_view project,
                                       const Clock& clock);

/// Removes what `plan` lists as execute_retention() does: no byte of it is left in the store's
/// files, unless is_erased() (store/user/erasure.h) says no. Returns how many records were removed;
/// records that are gone already do not count.
Result<std::size_t> execute_forget(store::UserStore& store, const ForgetPlan& plan);

}  // namespace codexmem::memory
