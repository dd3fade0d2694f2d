// ask/memory_branches.h - git's branches, as memory wants to know of them. Stateless; safe to use
// from many threads. Design: docs/team.md, "Memory of branches".
#pragma once

#include <filesystem>
#include <functional>

#include "memory/branches/branch_access.h"

namespace codexmem::ask {

/// Reads the repository of each work tree that is asked about. `stages` says whether all that is
/// written on a branch of the work tree at a root is staged, or only decisions.
memory::BranchSource branch_source(std::function<bool(const std::filesystem::path& root)> stages);

}  // namespace codexmem::ask
