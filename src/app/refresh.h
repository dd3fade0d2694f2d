// app/refresh.h - brings an index up to date before the shell is answered from it, and says where
// it is kept.
#pragma once

#include <chrono>
#include <stop_token>

#include "app/render/console.h"
#include "base/result.h"
#include "index/run/indexer.h"
#include "store/code/workspace.h"

namespace codexmem::app {

/// How long the first index run of a repository waits for another one.
inline constexpr std::chrono::hours kFirstIndexPatience{24};

/// One index run over all files; its progress is shown on a terminal. If another run is in
/// progress, it waits for at most `patience`: a server indexes a checkout within moments, and an
/// answer from the old index would be about the other branch. Errors: kBusy when the other run
/// takes longer; errors of index::index_repository.
Result<index::IndexReport> refresh_index(store::Workspace& workspace, index::IndexOptions options,
                                         std::chrono::milliseconds patience, Console& console,
                                         const std::stop_token& stop);

/// As above, but an end is put to it after `limit`, with kBusy: files indexed by then are kept,
/// and the next run goes on from there.
Result<index::IndexReport> refresh_index_within(std::chrono::seconds limit,
                                                store::Workspace& workspace,
                                                index::IndexOptions options, Console& console,
                                                const std::stop_token& stop);

/// Prints where the index is and why, if it is not in the repository.
void report_if_in_cache(const store::Workspace& workspace, Console& console);

/// Prints a line if a `codexmem rename` was interrupted, with the command to type.
void report_broken_rename(const store::Workspace& workspace, Console& console);

}  // namespace codexmem::app
