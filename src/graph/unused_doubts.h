// graph/unused_doubts.h - why a definition that nothing seems to use might be reached after all.
// Internal to graph/unused_*.
#pragma once

#include <stop_token>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "graph/unused_candidates.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Gives each unused one of `candidates` its users, its doubts and how certain it is. Errors:
/// kCancelled; those of the store.
Result<void> find_doubts(UnusedCandidates& candidates, FactsCache& cache, store::CodeReader& reader,
                         const std::stop_token& stop);

}  // namespace codexmem::graph
