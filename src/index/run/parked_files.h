// index/run/parked_files.h - which files a run parks, and which parked files it deletes.
//
// A switch of branches gives many files another content, and mostly the old one comes back. So
// their rows stay in the store (CodeWriter::park_file), found by path and content, and a file whose
// content returns is neither parsed nor written again. Design: docs/how-it-works.md, "Index".
#pragma once

#include <vector>

#include "base/result.h"
#include "index/changes/change_plan.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

/// True if a run changes so many files that it looks like another branch rather than an edit.
bool is_worth_parking(const ChangePlan& plan);

/// False for a file that would be parsed again if it came back.
bool may_be_parked(const store::FileRow& row);

/// The parked files to delete: all, or those parked 30 days ago, and the oldest of more source than
/// twice the indexed source or 64 MB. Errors: as the store.
Result<std::vector<store::FileId>> list_surplus(store::StoreReader& reader, bool all);

}  // namespace codexmem::index
