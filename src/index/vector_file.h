// index/vector_file.h - when the file that a search starts from is written anew.
//
// It is derived from the store (search/vectors.h), and a search reads what it lacks from there. For
// the holder of the run lock.
#pragma once

#include <string_view>

#include "base/result.h"
#include "store/code/code_reader.h"
#include "store/code/code_writer.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// Tells readers that vectors changed under files that did not: they read all of them again. Within
/// a transaction that has its generation.
Result<void> note_all_vectors_changed(store::CodeReader& reader, store::CodeWriter& writer);

/// True if the file lags far behind the store, or is not there; `has_written`: files may have
/// changed since the last look. Errors: those of the store.
Result<bool> is_vector_file_due(const store::Workspace& workspace, store::CodeReader& reader,
                                bool has_written);

/// Writes the file of the vectors of `model`, and notes what it shows. Not within a transaction.
/// Errors: those of the store, and kIo.
Result<void> save_vector_file(store::Workspace& workspace, store::Database& database,
                              std::string_view model);

}  // namespace codexmem::index
