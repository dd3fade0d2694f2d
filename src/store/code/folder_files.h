// store/code/folder_files.h - the files of a folder.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::store {

/// The files somewhere below `folder` (not the root), by path. Errors: those of the store.
Result<std::vector<FileRow>> list_files_below(CodeReader& reader, std::string_view folder);

/// Id, path and language of the files in `folder` ("" is the root), those of folders inside it left
/// out; by path. Reads an index, for the root all of it. Errors: those of the store.
Result<std::vector<FileRow>> list_files_in(CodeReader& reader, std::string_view folder);

}  // namespace codexmem::store
