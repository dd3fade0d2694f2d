// memory/transfer/team_folder.h - the files of a work tree that may be shared. Internal to memory's
// team. Stateless; thread-safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace codexmem::memory {

/// A file that may be shared.
struct SharedCandidate {
  std::string path;     // from the root
  std::string stamp;    // its size and time
  bool is_adr = false;  // it is called as the record of an architecture decision is
};

struct SharedListing {
  std::vector<SharedCandidate> files;  // by path
  bool is_cut = false;                 // there are more than kMaxListedFiles
};

/// So many are listed; kMaxSharedFiles of them are read.
inline constexpr std::size_t kMaxListedFiles = 100'000;

/// Those below the absolute `root`. No link is followed.
SharedListing list_candidates(const std::filesystem::path& root);

/// The stamp of the file at `path`; nothing unless it is a regular file.
std::optional<std::string> find_stamp(const std::filesystem::path& path);

/// The folder for shared files, made if it is missing. Errors: kIo, also when it is a link.
Result<std::filesystem::path> make_shared_folder(const std::filesystem::path& root);

}  // namespace codexmem::memory
