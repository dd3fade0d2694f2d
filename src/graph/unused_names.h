// graph/unused_names.h - what the files of a repository name of the definitions that may be unused.
// Internal to graph/unused_*.
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "graph/unused_candidates.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Reads the files that hold names of `candidates` and notes there what names them; those that code
/// around no candidate names are used from then on. Returns the number of files for which there was
/// no time, all of whose names count as used. Errors: kCancelled; those of the store.
Result<std::size_t> read_names(UnusedCandidates& candidates, FactsCache& cache,
                               store::CodeReader& reader,
                               std::chrono::steady_clock::time_point deadline,
                               const std::stop_token& stop);

}  // namespace codexmem::graph
