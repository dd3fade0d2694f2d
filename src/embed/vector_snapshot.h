// embed/vector_snapshot.h - the vectors of the moment that an answer is made from.
//
// The rows in the store are the truth (store/vector_rows.h): those of a workspace's code, or of the
// user's memory. A file beside the store is only a quicker way to them: what it lacks is read from
// the rows, and a file that is missing, damaged, of another model or of another store is not used.
// Several processes may save it, and each version is whole. Stateless.
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

/// From so many components (vectors x dimension) on vectors are divided into lists: 2.1 million
/// vectors of 128. A ranking of code looks at all vectors as long as that takes a small share of
/// its time, because with lists one place in a hundred of the top ten changes; in memory a scan
/// below takes less than 15 ms, and dividing takes as much memory again for a moment. Source:
/// docs/design/embed.md.
inline constexpr std::size_t kRankedListComponents = std::size_t{1} << 28;

/// The vectors that `rows` has now; their generation is the state's.
///
/// `previous` (may be null) is what this returned before. Without it the file at `path` is tried;
/// also when there are enough vectors for lists (`least_components`, 0: never) and `previous` has
/// none. Catching up costs what has changed since. Errors: those of the store.
Result<std::shared_ptr<const VectorIndex>> current_vectors(
    store::VectorRowSource& rows, const std::filesystem::path& path,
    std::shared_ptr<const VectorIndex> previous, std::size_t least_components = 0);

/// `vectors` divided into lists of near ones, or as they were when that fails, which is logged:
/// seconds of work, so not while somebody waits. Where nobody else holds `vectors`, it needs no
/// second copy.
std::shared_ptr<const VectorIndex> divided_vectors(std::shared_ptr<const VectorIndex> vectors,
                                                   std::size_t least_components);

/// Brings the file at `path` up to the rows, for the end of an index run, so that the next process
/// starts quickly. Many vectors are divided into lists here, or anew when they have become others;
/// a search only uses lists that are there. Without vectors (`rows` may be null) the file goes.
/// Nothing is written when it is up to date. Errors: those of the store, and kIo.
Result<void> update_vector_file(store::VectorRowSource* rows, const std::filesystem::path& path,
                                std::size_t least_components = kRankedListComponents);

/// Why the built-in model has no vectors in a store that holds those of `model`, for people.
std::string why_other_vectors(std::string_view model);

}  // namespace codexmem::embed
