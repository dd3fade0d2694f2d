#include "fleet/names.h"

namespace codexmem::fleet {

std::string repository_name(const ProjectPlace& place) {
  const bool is_address = !place.remote.empty() && place.remote.front() != '/';
  return is_address ? place.remote : place.name;
}

}  // namespace codexmem::fleet
