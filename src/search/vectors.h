// search/vectors.h - the vectors of the moment that an answer is made from.
//
// The BLOBs in the store are the truth. The file that an index run leaves is only a quicker way to
// them: what it lacks is read from the store, and a file that is missing, damaged, of another model
// or of another store is not used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/code/code_reader.h"
#include "store/code/workspace.h"

namespace codexmem::search {

/// The note of meta with the generation that the vectors' file shows. Who saves it sets this after.
inline constexpr char kVectorsFileKey[] = "vectors_file";

/// The note of meta with the name of the model whose vectors the store holds; absent: the built-in
/// one's.
inline constexpr std::string_view kVectorsModelKey = "vectors_model";

/// Why the built-in model has no vectors in a store that holds those of `model`, for people.
std::string why_other_vectors(std::string_view model);

/// From so many components (vectors x dimension) on they are divided into lists. A ranking looks at
/// all vectors as long as that takes a small share of its time, because with lists one place in a
/// hundred of the top ten changes. Source: docs/embed.md.
inline constexpr std::size_t kRankedListComponents = std::size_t{1} << 28;

/// The vectors of `model` that `reader` sees.
///
/// `previous` (may be null) is what this gave for an earlier generation; without it the file at
/// `path` is tried, and also when there are enough vectors for lists (`least_components`) and
/// `previous` has none. Vectors of other models and of another length are left out. Errors: those
/// of the store.
Result<std::shared_ptr<const embed::VectorIndex>> current_vectors(
    store::CodeReader& reader, const store::CodeReader::Model& model,
    const std::filesystem::path& path, std::shared_ptr<const embed::VectorIndex> previous,
    std::size_t least_components = kRankedListComponents);

/// Brings the file of `workspace`'s vectors up to the store: for the end of an index run, so that
/// the next process starts quickly. Many vectors are divided into lists here, or anew when they
/// have become others, which takes seconds; a search only uses lists that are there. Without
/// vectors of the model `model_id` the file goes. Nothing is written when it is up to date. Errors:
/// as above, and kIo.
Result<void> save_vectors(store::Workspace& workspace, std::string_view model_id,
                          std::size_t least_components = kRankedListComponents);

}  // namespace codexmem::search
