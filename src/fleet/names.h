// fleet/names.h - what a repository is called in a fleet.
#pragma once

#include <string>

#include "config/project.h"

namespace codexmem::fleet {

/// By where git fetches it from, "git.example.com/shop/cart"; without such an address, or when that
/// is a folder of this machine, by its folder: "cart".
std::string repository_name(const ProjectPlace& place);

}  // namespace codexmem::fleet
