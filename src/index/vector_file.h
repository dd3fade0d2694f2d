// index/vector_file.h - when the file that a search starts from is written anew, and the notes that
// readers of vectors go by.
//
// The file is derived from the store (embed/vector_snapshot.h), and a search reads what it lacks
// from there. For the holder of the run lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/code/store_reader.h"
#include "store/code/code_writer.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// What the file of vectors says of itself, if it is one of this user's and belongs together.
std::optional<embed::VectorIndex::Head> find_vector_file(const store::Workspace& workspace);

/// Makes readers take all vectors again: some changed in `generation`, that of the transaction,
/// under files that did not.
Result<void> note_all_vectors_changed(std::int64_t generation, store::CodeWriter& writer);

/// Drops all models with their vectors and adds the one called `name`; returns its number.
Result<store::ModelId> replace_models(store::CodeWriter& writer, std::string_view name,
                                      std::size_t dimension);

/// True if the file lags far behind the store, or is not there; `has_written`: files may have
/// changed since the last look. Errors: those of the store.
Result<bool> is_vector_file_due(const store::Workspace& workspace, store::StoreReader& reader,
                                bool has_written);

/// Writes the file of the vectors of `model`, and notes what it shows. Not within a transaction.
/// Errors: those of the store, and kIo.
Result<void> save_vector_file(store::Workspace& workspace, store::Database& database,
                              std::string_view model);

}  // namespace codexmem::index
