// store/code/term_merges.h - when the full-text indexes of a workspace store merge their segments.
//
// FTS5 writes a segment for each transaction and merges four into one as they come, so that in a
// run over a whole repository each posting is written four times, and a query still looks into
// several segments. Such a run defers the merges and makes one segment at its end. The writing
// connection.
#pragma once

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store {

/// Stops merging; until restore_merges(), of this run or of one after a kill.
Result<void> defer_merges(Database& database);

/// Merges as FTS5 does by default; does nothing when it is so.
Result<void> restore_merges(Database& database);

/// Makes one segment of each index, in steps of some megabytes, each a transaction of its own: call
/// it outside one.
Result<void> merge_segments(Database& database);

}  // namespace codexmem::store
