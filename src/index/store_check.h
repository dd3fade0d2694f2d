// index/store_check.h - is what the store holds what was written? Reads all of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct StoreCheck {
  std::vector<std::string> problems;  // for people, at most 20; empty: no damage was found
  std::size_t files = 0;              // whose text was compared with its hash
  std::size_t unknown = 0;            // whose hash is of bytes that are no longer there to decode
  // The vectors' file, if there is one of this user's and FAISS finds in it what a search finds.
  std::optional<embed::VectorIndex::Kind> vectors;
};

/// Looks for damage: in SQLite's pages, indexes and full-text tables, in each file's text (by the
/// hash of the file), in its facts (by their checksum), in rows that point out of their file, and
/// in the vectors' file, which FAISS reads too and must find the same in. Takes the run lock,
/// waiting for it. What is not seen: another value within a symbol, an import or a vector of the
/// database. What is found in the database is noted in it, so that the next run over everything
/// makes it anew. Errors: those of the store.
Result<StoreCheck> check_store(store::Workspace& workspace);

/// The same without the vectors' file, for the holder of the run lock.
Result<StoreCheck> check_database(store::Workspace& workspace);

/// Whether the last check found damage. Errors: those of the store.
Result<bool> is_noted_as_damaged(store::Workspace& workspace);

/// Notes in the store what a check found, or that it found nothing. For the holder of the run lock.
Result<void> note_damage(store::Workspace& workspace, const StoreCheck& found);

}  // namespace codexmem::index
