// graph/call_paths.h - how one function comes to call another, and the trees of callers and
// callees.
//
// Stateless but for the shared cache. Design: docs/design/impact.md, "Paths of calls".
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "graph/references.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// A function on a path, or in a tree.
struct CallStep {
  store::SymbolRow symbol;
  std::string path;
  // The call between it and the step before: of a path and of callees it stands in the step before,
  // of callers in this one. None at the beginning.
  std::size_t call_line = 0;                      // 1-based; 0: none
  Confidence confidence = Confidence::kResolved;  // of that call
  std::size_t depth = 0;                          // of a tree: steps from its root
  std::size_t parent = 0;                         // of a tree: the index of the step before
};

using CallPath = std::vector<CallStep>;

struct CallLimits {
  std::size_t depth = 10;   // calls on a path, or between a tree's root and its leaves
  std::size_t most = 2000;  // functions whose calls are looked at
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

struct CallPaths {
  std::vector<CallPath> paths;  // the shortest, then the surest, first; one through each function
                                // where both searches meet
  std::size_t total = 0;        // before the limit
  bool is_complete = true;      // false: the search was cut, so that there may be others
};

/// Paths of calls from one of `from` to one of `to`, at most `limit`, no longer than the shortest.
/// A call of a method is a likely call of what overrides it. Errors: kCancelled; those of the
/// store.
Result<CallPaths> find_call_paths(FactsCache& cache, store::CodeReader& reader,
                                  const std::vector<store::SymbolId>& from,
                                  const std::vector<store::SymbolId>& to, std::size_t limit,
                                  const CallLimits& limits, const std::stop_token& stop);

struct CallTree {
  std::vector<CallStep> steps;  // the roots, then what they lead to, nearest first; each once
  bool is_complete = true;
};

/// What `roots` call, or (`callers`) who calls them, to a depth. Errors: as above.
Result<CallTree> find_call_tree(FactsCache& cache, store::CodeReader& reader,
                                const std::vector<store::SymbolId>& roots, bool callers,
                                const CallLimits& limits, const std::stop_token& stop);

}  // namespace codexmem::graph
