// index/run/index_run.h - one run, from the notes of the last one to the report. For
// index/run/indexer.h.
#pragma once

#include <stop_token>

#include "base/result.h"
#include "index/run/indexer.h"
#include "index/run/reporter.h"
#include "index/discovery/root_directory.h"
#include "index/discovery/selection.h"
#include "store/code/workspace.h"
#include "store/database.h"

namespace codexmem::index {

/// Noted in the store when a run over everything has ended.
inline constexpr char kCompleteKey[] = "complete";

/// Brings the files of `selection` up to date, in the store that `database` writes. The caller
/// holds the run lock; paths in `options` are relative to the root. Errors: as index_repository().
Result<IndexReport> run_index(store::Workspace& workspace, const IndexOptions& options,
                              Selection selection, const RootDirectory& root,
                              store::Database& database, Reporter& reporter, std::stop_token stop);

}  // namespace codexmem::index
