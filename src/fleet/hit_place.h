// fleet/hit_place.h - where in a fleet a hit of a search is.
#pragma once

#include <string>

namespace codexmem::fleet {

struct HitPlace {
  std::string repository, revision;
  std::string local;  // the root of the repository on this machine; empty: it is not at hand
};

}  // namespace codexmem::fleet
