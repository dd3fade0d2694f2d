// fleet/hit_place.h - where in a fleet a hit of a search is.
#pragma once

#include <string>
#include <vector>

namespace codexmem::fleet {

struct HitPlace {
  std::string repository, revision;
  std::string local;  // the root of the repository on this machine; empty: it is not at hand
  std::vector<std::string> copies = {};  // "REPOSITORY/PATH" of the same file in other repositories
};

}  // namespace codexmem::fleet
