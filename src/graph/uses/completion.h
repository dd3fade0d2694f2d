// graph/uses/completion.h - completes a half-typed path or symbol.
//
// Fast enough for every keystroke: the names of the index are kept, and read again when it has
// changed. Thread-safe. Design: docs/how-it-works.md, "Definitions and context".
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

  /// Indexed files whose path is `typed`, begins with it, has a part that begins with it, or
  /// contains it, ASCII case ignored; last, files whose name has words that begin with the letters
  /// of `typed`. At most `limit`; at equal rank source before tests, shallow before deep, then by
  /// path. Errors: the store's errors.
  Result<Completions> paths(store::Workspace& workspace, std::string_view typed, std::size_t limit);

  /// Names of symbols that begin with `typed`, are abbreviated by it (gUBI for getUserById),
  /// contain its words, or contain it from a word on (byId). An index with too many symbols to keep
  /// their names gives only names that begin with `typed`; of more than 10,000 such names, the
  /// first by name. After `Class.` or `path::` the members and definitions of that class or file,
  /// with the prefix; text with a slash is tried as a path first. At most `limit`. Errors: the
  /// store's errors.
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
