// graph/unused/unused_names.h - what the files of a repository name of the definitions that may be
// unused. Internal to graph/unused_*.
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/unused/unused_candidates.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Reads the files that contain names of `candidates` and records the uses there; a candidate named
/// in code outside of all candidates counts as used. Returns the number of files that there was no
/// time to read: all their names count as used. Errors: kCancelled; the store's errors.
Result<std::size_t> read_names(UnusedCandidates& candidates, FactsCache& cache,
                               store::CodeReader& reader,
                               std::chrono::steady_clock::time_point deadline,
                               const std::stop_token& stop);

}  // namespace codexmem::graph
