// graph/completion.h - what a half-typed path or symbol may become.
//
// Answers while somebody types: the names of the index are kept, and read again when it has
// changed. Thread-safe. Design: docs/design/graph.md, "Half-typed names".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::graph {

struct Completions {
  std::vector<std::string> values;  // best first
  std::size_t total = 0;            // before the limit
};

class Completer {
 public:
  /// Keeps the names of an index with at most `most_symbols` symbols.
  explicit Completer(std::int64_t most_symbols = 1'000'000);
  ~Completer();

  /// Indexed files whose path is `typed`, begins with it, has a part that does, or holds it, ASCII
  /// case ignored; last those whose name it spells by the starts of its words. At most `limit`; at
  /// equal rank source before tests, shallow before deep, then by path. Errors: those of the store.
  Result<Completions> paths(store::Workspace& workspace, std::string_view typed, std::size_t limit);

  /// Names of symbols that begin with `typed`, are spelled by it (gUBI for getUserById) or hold its
  /// words; in an index with more symbols than names are kept of, those that begin with it, and of
  /// more than 10,000 the first by name. After `Class.` or `path::` the members and definitions
  /// that are there, with what is before; what has a slash is a path first. At most `limit`.
  /// Errors: those of the store.
  Result<Completions> symbols(store::Workspace& workspace, std::string_view typed,
                              std::size_t limit);

 private:
  struct Names;
  Result<std::shared_ptr<const Names>> names(store::Workspace& workspace,
                                             store::CodeReader& reader);

  const std::int64_t most_symbols_;
  std::mutex mutex_;
  std::shared_ptr<const Names> names_;  // guarded by mutex_
};

}  // namespace codexmem::graph
