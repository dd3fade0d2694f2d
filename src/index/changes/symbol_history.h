// index/changes/symbol_history.h - finds the commits that added, changed, moved or renamed a
// definition.
//
// Read from git on demand: the commits of HEAD by time, newest first; only those that touch the
// definition's file are parsed. Nothing is written. Stateless. Design:
// docs/how-it-works.md, "Rules, revisions, history".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/changes/changed_symbols.h"

namespace codexmem::index {

struct SymbolEvent {
  ChangedSymbol changed;  // names and places after the commit
  std::string commit;     // its id, in hex
  std::string author, summary;
  std::int64_t at_ms = 0;  // when it was committed, since 1970, UTC
};

struct SymbolHistory {
  std::vector<SymbolEvent> events;          // newest first
  std::size_t commits = 0;                  // number of commits visited
  std::optional<SymbolChange> uncommitted;  // the change in the work tree since HEAD
  bool has_begin = false;                   // the event that added it is included
  bool is_whole = true;                     // false: the limit or the deadline was reached first
  bool is_shallow = false;                  // a clone without older commits
};

struct SymbolHistoryQuery {
  std::string path, name;  // of the definition now; the name is qualified
  std::size_t limit = 20;  // maximum number of events
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// The events of one definition, including events of definitions that contain it. Merges are
/// skipped, because other commits made their changes. Errors: kNotFound outside a git repository;
/// kIo when git's data cannot be read; kCancelled.
Result<SymbolHistory> find_symbol_history(const std::filesystem::path& root,
                                          const SymbolHistoryQuery& query,
                                          const std::stop_token& stop);

}  // namespace codexmem::index
