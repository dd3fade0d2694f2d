// search/snapshot_file.h - the file in the store's folder that a search starts from. Stateless.
//
// It is derived data: a segment of all files at the time of an index run. A search maps it, and
// reads files written since from the store. A file that is missing, damaged, not this user's, or
// from another store is not used; the store notes which writing of the file belongs to it.
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

/// The store's note about its file.
struct RankingFileNote {
  std::uint64_t mark = 0;  // identifies the writing of the file; 0: no file
  std::int64_t generation = 0;
  std::size_t files = 0;
};

/// Errors: as the store.
Result<RankingFileNote> find_ranking_file(store::StoreReader& reader);

/// The file at `path`, if it is the one that the store names at the moment of `reader`; otherwise
/// null, and the log gives the reason if the file should be usable. Errors: as the store.
Result<std::shared_ptr<const Segment>> open_ranking_file(store::StoreReader& reader,
                                                         const std::filesystem::path& path);

/// True if a search would have to read so much in addition to the file that it should be rewritten.
/// `has_written`: files may have changed since the last check. Errors: as the store.
Result<bool> is_ranking_file_due(store::StoreReader& reader, const std::filesystem::path& path,
                                 bool has_written);

/// Writes the file, and notes it in the store. For the holder of the run lock, not within a
/// transaction. Errors: as the store; kIo, and the old file, if any, is then kept.
Result<void> write_ranking_file(store::Workspace& workspace, store::Database& database);

/// Writes the file if it is due. Errors: as the store, and kIo.
Result<void> update_ranking_file(store::Workspace& workspace, store::Database& database,
                                 bool has_written);

/// The number of files missing from a base of `files` files at which a new base is made.
inline std::size_t most_files_behind(std::size_t files) {
  constexpr std::size_t kLeast = 64, kShare = 50;
  return files / kShare > kLeast ? files / kShare : kLeast;
}

}  // namespace codexmem::search
