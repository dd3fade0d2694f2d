// app/refresh.h - brings an index up to date before the shell is answered from it, and says where
// it is kept.
#pragma once

#include <chrono>
#include <stop_token>

#include "app/console.h"
#include "base/result.h"
#include "index/indexer.h"
#include "store/code/workspace.h"

namespace codexmem::app {

/// One index run over everything, its progress shown on a terminal. While another one is under way
/// it waits, `patience` at most: a server takes in what a checkout has changed in a moment, and an
/// answer from the index as it was would be about the other branch. Errors: kBusy when the other
/// one takes longer; those of index::index_repository.
Result<index::IndexReport> refresh_index(store::Workspace& workspace, index::IndexOptions options,
                                         std::chrono::milliseconds patience, Console& console,
                                         const std::stop_token& stop);

/// Says where the index is kept when that is not in the repository, and why.
void tell_if_in_cache(const store::Workspace& workspace, Console& console);

/// Says in a line that a `codexmem rename` was broken off and what to type, if one was.
void tell_of_broken_rename(const store::Workspace& workspace, Console& console);

}  // namespace codexmem::app
