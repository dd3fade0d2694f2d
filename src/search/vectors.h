// search/vectors.h - the vectors of the moment that an answer is made from.
//
// The BLOBs in the store are the truth. The file that an index run leaves is only a quicker way to
// them: what it lacks is read from the store, and a file that is missing, damaged, of another model
// or of another store is not used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/code_reader.h"

namespace codexmem::search {

/// The vectors of `model` that `reader` sees while the store is at `generation`.
///
/// `previous` (may be null) is what this gave for an earlier generation; without it the file at
/// `path` is tried. Vectors of other models and of another length are left out. Errors: those of
/// the store; kUnsupported when FAISS fails.
Result<std::shared_ptr<const embed::VectorIndex>> current_vectors(
    store::CodeReader& reader, const store::CodeReader::Model& model, std::int64_t generation,
    const std::filesystem::path& path, std::shared_ptr<const embed::VectorIndex> previous);

}  // namespace codexmem::search
