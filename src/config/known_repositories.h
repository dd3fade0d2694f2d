// config/known_repositories.h - the repositories that a user has worked with: those opened for
// viewing or indexed at the shell, and the repositories of recorded projects (config/project.h).
//
// repositories.json in the user's data directory lists the opened ones, newest first:
//
//   {"opened":["/work/shop","/work/site"]}
//
// Thread-safe, and safe to use from many processes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace codexmem {

inline constexpr std::size_t kMaxKnownRepositories = 100;

/// Puts `root` (absolute) first in the list; the oldest beyond kMaxKnownRepositories are dropped.
/// Errors: kInvalidArgument for a root that is not UTF-8; kBusy while others write the file; kIo.
Result<void> note_opened(const std::filesystem::path& directory, const std::filesystem::path& root);

/// Adds `root` to the end of the list unless it is there. Errors: as note_opened().
Result<void> note_indexed(const std::filesystem::path& directory,
                          const std::filesystem::path& root);

/// The roots, each once: first opened repositories, newest first, then project repositories, last
/// recorded first. They may no longer exist. At most kMaxKnownRepositories.
std::vector<std::string> list_known_repositories(const std::filesystem::path& directory);

/// The first in that list; empty if none was opened or indexed.
std::string last_opened(const std::filesystem::path& directory);

}  // namespace codexmem
