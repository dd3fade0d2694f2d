// graph/uses/call_paths.h - call paths from one function to another, and trees of callers and
// callees.
//
// Stateless except for the shared cache. Design: docs/how-it-works.md, "Impact".
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/references.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// A function on a path, or in a tree.
struct CallStep {
  store::SymbolRow symbol;
  std::string path;
  // The call that connects this step with the previous one. In a path and in a tree of callees it
  // is in the previous step's code, in a tree of callers in this step's. The first step has no
  // call.
  std::size_t call_line = 0;                      // 1-based; 0: none
  Confidence confidence = Confidence::kResolved;  // of that call
  std::size_t depth = 0;                          // of a tree: steps from its root
  std::size_t parent = 0;                         // of a tree: the index of the step before
  bool is_repeated = false;  // of a tree: it is also nearer to the root, where it is followed
};

using CallPath = std::vector<CallStep>;

struct CallLimits {
  std::size_t depth = 10;   // calls on a path, or between a tree's root and its leaves
  std::size_t most = 2000;  // the maximum number of functions to visit
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

struct CallPaths {
  std::vector<CallPath> paths;  // the shortest, then the surest, first; one through each function
                                // where both searches meet
  std::size_t total = 0;        // before the limit
  bool is_complete = true;      // false: the search was cut, so that there may be others
};

/// Paths of calls from one of `from` to one of `to`, at most `limit`, no longer than the shortest.
/// A call of a method counts as a likely call of its overrides. Errors: kCancelled; the store's
/// errors.
Result<CallPaths> find_call_paths(FactsCache& cache, store::CodeReader& reader,
                                  const std::vector<store::SymbolId>& from,
                                  const std::vector<store::SymbolId>& to, std::size_t limit,
                                  const CallLimits& limits, const std::stop_token& stop);

struct CallTree {
  std::vector<CallStep> steps;  // the roots, then the functions reached from them, nearest first
  bool is_complete = true;
};

/// The callees of `roots` or, with `callers`, their callers, to a depth. Errors: as above.
Result<CallTree> find_call_tree(FactsCache& cache, store::CodeReader& reader,
                                const std::vector<store::SymbolId>& roots, bool callers,
                                const CallLimits& limits, const std::stop_token& stop);

}  // namespace codexmem::graph
