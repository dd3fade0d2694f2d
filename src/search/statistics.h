// search/statistics.h - counts over the identifiers of all files. Stateless.
#pragma once

#include <string_view>

#include "base/result.h"
#include "text/text_hash.h"
#include "search/snapshot.h"
#include "store/code/code_reader.h"

namespace codexmem::search {

/// Counts over the store that `reader` sees, for the files and stems of `snapshot`.
///
/// `sole_definers` gives the names that one file alone defines (kinds that count for centrality),
/// and that file. Errors: those of the store.
Result<Statistics> compute_statistics(store::CodeReader& reader, const Snapshot& snapshot,
                                      const TextViewMap<FileNumber>& sole_definers);

}  // namespace codexmem::search
