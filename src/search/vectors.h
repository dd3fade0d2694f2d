// search/vectors.h - the vectors of the moment that an answer is made from.
//
// The BLOBs in the store are the truth. The file that an index run leaves is only a quicker way to
// them: what it lacks is read from the store, and a file that is missing, damaged, of another model
// or of another store is not used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/code_reader.h"
#include "store/workspace.h"

namespace codexmem::search {

/// The note of meta with the generation that the vectors' file shows. Who saves it sets this after.
inline constexpr char kVectorsFileKey[] = "vectors_file";

/// The vectors of `model` that `reader` sees.
///
/// `previous` (may be null) is what this gave for an earlier generation; without it the file at
/// `path` is tried. Vectors of other models and of another length are left out. Errors: those of
/// the store.
Result<std::shared_ptr<const embed::VectorIndex>> current_vectors(
    store::CodeReader& reader, const store::CodeReader::Model& model,
    const std::filesystem::path& path, std::shared_ptr<const embed::VectorIndex> previous);

/// Brings the file of `workspace`'s vectors up to the store: for the end of an index run, so that
/// the next process starts quickly. Without vectors of the model `model_id` the file goes. Nothing
/// is written when it is up to date. Errors: as above, and kIo.
Result<void> save_vectors(store::Workspace& workspace, std::string_view model_id);

}  // namespace codexmem::search
