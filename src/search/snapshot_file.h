// search/snapshot_file.h - the file beside the store that a search starts from. Stateless.
//
// It is derived: a segment of all files as an index run found them. A search maps it, and reads the
// files that were written since from the store. One that is missing, damaged, not this user's, or
// of another store is not used; the store notes which writing of the file belongs to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/result.h"
#include "search/segment.h"
#include "store/code/store_reader.h"
#include "store/code/workspace.h"

namespace codexmem::search {

/// What the store notes of its file.
struct RankingFileNote {
  std::uint64_t mark = 0;  // which writing of the file it is; 0: there is none
  std::int64_t generation = 0;
  std::size_t files = 0;
};

/// Errors: those of the store.
Result<RankingFileNote> find_ranking_file(store::StoreReader& reader);

/// The file at `path`, if it is the one that the store at the moment of `reader` names; null when
/// there is none to use, and the log says why if it should have been. Errors: those of the store.
Result<std::shared_ptr<const Segment>> open_ranking_file(store::StoreReader& reader,
                                                         const std::filesystem::path& path);

/// True when a search would have so much to read beside the file that it should be written anew.
/// `has_written`: files may have changed since the last look. Errors: those of the store.
Result<bool> is_ranking_file_due(store::StoreReader& reader, const std::filesystem::path& path,
                                 bool has_written);

/// Writes the file, and notes it in the store. For the holder of the run lock, not within a
/// transaction. Errors: those of the store; kIo, and then the old file, if any, is still there.
Result<void> write_ranking_file(store::Workspace& workspace, store::Database& database);

/// Writes the file if it is due. Errors: those of the store, and kIo.
Result<void> update_ranking_file(store::Workspace& workspace, store::Database& database,
                                 bool has_written);

/// From so many files on that are not in a base of `files` files another base is made.
inline std::size_t most_files_behind(std::size_t files) {
  constexpr std::size_t kLeast = 64, kShare = 50;
  return files / kShare > kLeast ? files / kShare : kLeast;
}

}  // namespace codexmem::search
