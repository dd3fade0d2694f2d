// graph/unused/unused_doubts.h - why a definition that nothing seems to use might be reached after
// all. Internal to graph/unused_*.
#pragma once

#include <stop_token>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/unused/unused_candidates.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Sets the users, the doubts and the certainty of each unused candidate. Errors: kCancelled; the
/// store's errors.
Result<void> find_doubts(UnusedCandidates& candidates, FactsCache& cache, store::CodeReader& reader,
                         const std::stop_token& stop);

/// What unused code uses is as doubtful as that is.
void doubt_by_users(UnusedCandidates& candidates);

}  // namespace codexmem::graph
