// index/packs/vector_file.h - decides when to rewrite the file that a search starts from, and
// writes the notes that readers of vectors use.
//
// The file is derived from the store (embed/vector_snapshot.h), and a search reads newer vectors
// from the store. For the holder of the run lock.
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

/// The head of the vectors' file, if the file belongs to this user and is consistent.
std::optional<embed::VectorIndex::Head> find_vector_file(const store::Workspace& workspace);

/// Makes readers reload all vectors: some changed in `generation`, the transaction's, for files
/// that did not change.
Result<void> note_all_vectors_changed(std::int64_t generation, store::CodeWriter& writer);

/// Drops all models with their vectors and adds the one called `name`; returns its number.
Result<store::ModelId> replace_models(store::CodeWriter& writer, std::string_view name,
                                      std::size_t dimension);

/// True if the file is missing or lags far behind the store; `has_written`: files may have changed
/// since the last check. Errors: as the store.
Result<bool> is_vector_file_due(const store::Workspace& workspace, store::StoreReader& reader,
                                bool has_written);

/// Writes the file of the vectors of `model`, and notes its state. Not within a transaction.
/// Errors: as the store, and kIo.
Result<void> save_vector_file(store::Workspace& workspace, store::Database& database,
                              std::string_view model);

}  // namespace codexmem::index
