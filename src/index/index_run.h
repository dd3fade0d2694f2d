// index/index_run.h - one run: from what the last one left to the report. For index/indexer.h.
#pragma once

#include <stop_token>

#include "base/result.h"
#include "index/indexer.h"
#include "index/reporter.h"
#include "index/root_directory.h"
#include "index/selection.h"
#include "store/code/workspace.h"
#include "store/database.h"

namespace codexmem::index {

/// Noted in the store when a run over everything has ended.
inline constexpr char kCompleteKey[] = "complete";

/// Brings what `selection` holds up to date, in the store that `database` writes. The caller holds
/// the lock of runs; paths of `options` are from the root. Errors: those of index_repository().
Result<IndexReport> run_index(store::Workspace& workspace, const IndexOptions& options,
                              Selection selection, const RootDirectory& root,
                              store::Database& database, Reporter& reporter, std::stop_token stop);

}  // namespace codexmem::index
