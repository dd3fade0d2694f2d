// index/symbol_history.h - by which commits a definition appeared, changed, moved and was renamed.
//
// Read from git when it is asked for: commits of HEAD by their time, the newest first, of which
// only those that touch the definition's file are parsed. Nothing is written. Stateless. Design:
// docs/design/revisions.md, "The history of a symbol".
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
#include "index/changed_symbols.h"

namespace codexmem::index {

struct SymbolEvent {
  ChangedSymbol changed;  // names and places as the commit left them
  std::string commit;     // its id, in hex
  std::string author, summary;
  std::int64_t at_ms = 0;  // when it was committed, since 1970, UTC
};

struct SymbolHistory {
  std::vector<SymbolEvent> events;          // newest first
  std::size_t commits = 0;                  // that were looked at
  std::optional<SymbolChange> uncommitted;  // what the work tree did to it since HEAD
  bool has_begin = false;                   // how it appeared is among the events
  bool is_whole = true;                     // false: the limit or the deadline came first
  bool is_shallow = false;                  // a clone without older commits
};

struct SymbolHistoryQuery {
  std::string path, name;  // of the definition now; the name is qualified
  std::size_t limit = 20;  // events at most
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// The events of one definition, those of definitions that hold it among them. Merges are passed
/// by: what they bring was changed by other commits. Errors: kNotFound outside of a git repository;
/// kIo when git's data cannot be read; kCancelled.
Result<SymbolHistory> find_symbol_history(const std::filesystem::path& root,
                                          const SymbolHistoryQuery& query,
                                          const std::stop_token& stop);

}  // namespace codexmem::index
