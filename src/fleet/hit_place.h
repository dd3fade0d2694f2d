// fleet/hit_place.h - the place of a search hit in a fleet.
#pragma once

#include <string>
#include <vector>

namespace codexmem::fleet {

struct HitPlace {
  std::string repository, revision;
  std::string local;  // the root of the repository on this machine; empty if it is not here
  std::vector<std::string> copies = {};  // "REPOSITORY/PATH" of the same file in other repositories
};

}  // namespace codexmem::fleet
