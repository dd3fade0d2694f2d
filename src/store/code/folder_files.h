// store/code/folder_files.h - the files of a folder.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/store_reader.h"

namespace codexmem::store {

/// The files somewhere below `folder` (not the root), by path. Errors: the store's.
Result<std::vector<FileRow>> list_files_below(StoreReader& reader, std::string_view folder);

}  // namespace codexmem::store
