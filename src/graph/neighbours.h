// graph/neighbours.h - the symbols around a symbol: callers, callees, super- and subtypes.
//
// Stateless but for the shared cache. Design: docs/graph.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "graph/references.h"
#include "store/code_reader.h"

namespace codexmem::graph {

struct Neighbour {
  store::SymbolRow symbol;
  std::string path;
  std::size_t count = 1;  // places that make it a neighbour
  Position first;  // the first of them: of callers in `path`, of callees in the caller's file
  Confidence confidence = Confidence::kResolved;  // of the surest place
};

/// Symbols in whose body `symbol` is called, most places first, then path and line; at most
/// `limit`. Calls at a file's top level have no symbol and do not count. Resolved and likely calls.
Result<std::vector<Neighbour>> list_callers(FactsCache& cache, store::CodeReader& reader,
                                            store::SymbolId symbol, std::size_t limit);

/// Symbols that the body of `symbol` calls, in the order of their first call; at most `limit`.
Result<std::vector<Neighbour>> list_callees(FactsCache& cache, store::CodeReader& reader,
                                            store::SymbolId symbol, std::size_t limit);

/// Classes and interfaces that `symbol` extends or implements directly, in source order.
Result<std::vector<Neighbour>> list_supertypes(FactsCache& cache, store::CodeReader& reader,
                                               store::SymbolId symbol, std::size_t limit);

/// Classes and interfaces that directly extend or implement `symbol`, by path and line.
Result<std::vector<Neighbour>> list_subtypes(FactsCache& cache, store::CodeReader& reader,
                                             store::SymbolId symbol, std::size_t limit);

}  // namespace codexmem::graph
