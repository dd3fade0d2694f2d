// fleet/names.h - the name of a repository in a fleet.
#pragma once

#include <string>

#include "config/project.h"

namespace codexmem::fleet {

/// The address from which git fetches it, "git.example.com/shop/cart"; without one, or if it is a
/// folder on this machine, the folder's name: "cart".
std::string repository_name(const ProjectPlace& place);

}  // namespace codexmem::fleet
