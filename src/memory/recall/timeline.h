// memory/recall/timeline.h - what happened around a record or a moment, whatever kind it is of.
//
// Entries, summaries, prompts and decisions in one order: (time, kind, id). Walks one index of each
// kind from the anchor outwards, so it costs the same in a store of any size. Stateless; safe to
// call from many threads. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "memory/entries/records.h"
#include "store/user/documents.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

using store::TimelineDecision;

struct TimelineItem {
  DocumentKey key{};
  std::int64_t created_at_ms = 0;
  bool is_anchor = false;
  std::variant<Entry, Summary, Prompt, TimelineDecision> record;  // in the order of DocumentKind
};

struct TimelineRequest {
  std::variant<DocumentKey, std::int64_t> anchor;  // a record, or a moment in ms
  std::size_t before = 3, after = 3;               // records, of all kinds together
  std::string project;                             // of the records around; empty: all
  /// True: an anchor of another project is not found. False: it is shown nevertheless.
  bool is_isolated = false;
  bool has_decisions = true;          // false: the observation tools' three kinds alone
  std::set<DocumentKey> hidden = {};  // left out, unless one is the anchor
};

/// Ascending by (time, kind, id). A moment has no anchor among the items: those up to it, itself
/// included, stand before, the rest after.
struct Timeline {
  std::vector<TimelineItem> items;
  std::optional<std::size_t> anchor;  // index in items
};

/// Errors: kNotFound "Observation #N not found" ("Session #SN", "Prompt #PN", "Decision N");
/// the store's.
Result<Timeline> timeline(store::UserStore& store, const TimelineRequest& request);

}  // namespace codexmem::memory
