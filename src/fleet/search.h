// fleet/search.h - searches code in all repositories of a fleet that a caller may see. Thread-safe.
// Design: docs/fleet.md, "A search".
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/fleet.h"
#include "fleet/hit_place.h"
#include "search/search.h"

namespace codexmem::fleet {

struct FleetRequest {
  search::SearchRequest search;
  std::vector<std::string> repositories = {};  // globs; empty: all visible ones
};

struct FleetAnswer {
  search::SearchAnswer found;    // paths are relative to the repository's root
  std::vector<HitPlace> places;  // of the hits, in their order
  std::size_t repositories = 0;  // number of searched repositories
};

/// The pieces that answer `request` in the repositories that `admits` admits: one per file, best
/// first. Errors: kInvalidArgument as SearchEngine::search(), and for a glob of repositories that
/// matches no visible one; kIo when no server answers; kCancelled.
Result<FleetAnswer> search(Fleet& fleet, const FleetRequest& request, const Admits& admits,
                           const std::stop_token& stop);

}  // namespace codexmem::fleet
