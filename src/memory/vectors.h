// memory/vectors.h - the vectors of the moment that an answer is made from.
//
// The rows of `vectors` are the truth. memory.faiss, which whoever serves leaves behind now and
// then, is only a quicker way to them: what it lacks is read from the store, and one that is
// missing, damaged, of another model or of another store is not used. Stateless; several processes
// may save it, and each version is whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/database.h"

namespace codexmem::memory {

/// The vectors of `model_id` that `database` shows, by DocumentKey; their generation is the number
/// of the newest. Null when the store has none. In a read transaction of the caller's.
///
/// `previous` (may be null) is what this gave before; without it the file at `path` is tried.
/// Catching up costs what was added and removed since. Errors: those of the store.
Result<std::shared_ptr<const embed::VectorIndex>> current_vectors(
    store::Database& database, std::string_view model_id, const std::filesystem::path& path,
    std::shared_ptr<const embed::VectorIndex> previous);

/// `vectors` divided into lists of near ones (embed/vector_index.h): seconds of work, so not while
/// somebody waits.
Result<std::shared_ptr<const embed::VectorIndex>> divided_vectors(
    std::shared_ptr<const embed::VectorIndex> vectors);

}  // namespace codexmem::memory
