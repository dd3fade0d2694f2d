// ask/team.h - the repository around a memory, as memory/transfer/team_memory.h wants it: git's
// commits and the code. Stateless; safe to use from many threads. Design: docs/team.md.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "memory/transfer/team_memory.h"
#include "store/code/workspace.h"

namespace codexmem::ask {

/// The work tree at `root`, absolute. Empty root: no work tree.
memory::TeamPlace team_place_of(const std::filesystem::path& root);

/// Updates `memory` from the files shared in the repository around it. Errors: the store's.
Result<memory::TakenIn> take_in_team(memory::Memory& memory, const memory::CiteText& cite = {});

/// Cites the code of `workspace`, which must outlive it.
memory::CiteText citing(store::Workspace& workspace, memory::Clock clock);

}  // namespace codexmem::ask
