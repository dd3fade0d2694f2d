// embed/vector_snapshot.h - provides the current vectors for an answer.
//
// The rows in the store are authoritative (store/vector_rows.h): the rows of a workspace's code, or
// of the user's memory. A file in the store's folder is only a faster way to load them: missing
// vectors are read from the rows, and a file that is missing, damaged, or of another model or store
// is not used. Several processes may save it; each version is complete. Stateless.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/vector_rows.h"

namespace codexmem::embed {

/// From this number of components (vectors x dimension) on, vectors are divided into lists: 2.1
/// million vectors of 128. A ranking of code scans all vectors as long as that is a small share of
/// its time, because with lists one place in a hundred of the top ten changes; a smaller scan in
/// memory takes less than 15 ms, and dividing temporarily takes as much memory again. Source:
/// docs/how-it-works.md, "Vectors".
inline constexpr std::size_t kRankedListComponents = std::size_t{1} << 28;

/// The current vectors of `rows`; their generation is the state's.
///
/// `previous` (may be null) is an earlier result. Without it the file at `path` is tried; also if
/// there are enough vectors for lists (`least_components`, 0: never) and `previous` has none. An
/// update costs only the changes. Errors: as the store.
Result<std::shared_ptr<const VectorIndex>> current_vectors(
    store::VectorRowSource& rows, const std::filesystem::path& path,
    std::shared_ptr<const VectorIndex> previous, std::size_t least_components = 0);

/// `vectors` divided into lists of similar ones, or unchanged if that fails, which is logged. It
/// takes seconds, so do not call it while a user waits. If nothing else holds `vectors`, it needs
/// no second copy.
std::shared_ptr<const VectorIndex> divided_vectors(std::shared_ptr<const VectorIndex> vectors,
                                                   std::size_t least_components);

/// Updates the file at `path` from the rows, at the end of an index run, so that the next process
/// starts quickly. Large sets are divided into lists here, again if their distribution has changed;
/// a search only uses existing lists. Without vectors (`rows` may be null) the file is removed.
/// Nothing is written if it is up to date. Errors: as the store, and kIo.
Result<void> update_vector_file(store::VectorRowSource* rows, const std::filesystem::path& path,
                                std::size_t least_components = kRankedListComponents);

/// Why a store that holds vectors of `model` has none of the built-in model, for display.
std::string why_other_vectors(std::string_view model);

}  // namespace codexmem::embed
