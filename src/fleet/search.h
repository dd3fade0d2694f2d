// fleet/search.h - code by what it does, over all repositories of a fleet that a caller may see.
// Thread-safe. Design: docs/design/fleet.md, "A search".
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
  std::vector<std::string> repositories = {};  // globs; empty: all that may be seen
};

struct FleetAnswer {
  search::SearchAnswer found;    // paths are relative to the repository's root
  std::vector<HitPlace> places;  // of the hits, in their order
  std::size_t repositories = 0;  // that were searched
};

/// The pieces that answer `request` in the repositories that `admits` admits: one a file, best
/// first. Errors: kInvalidArgument as SearchEngine::search(), and for a glob of repositories that
/// matches none that may be seen; kIo when no server answers; kCancelled.
Result<FleetAnswer> search(Fleet& fleet, const FleetRequest& request, const Admits& admits,
                           const std::stop_token& stop);

}  // namespace codexmem::fleet
