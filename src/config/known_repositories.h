// config/known_repositories.h - the repositories that a user's codexmem has met: those that were
// opened to be looked at, and those of the projects on record (config/project.h).
//
// repositories.json in the user's data directory lists the former, the last first:
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

inline constexpr std::size_t kMostKnownRepositories = 100;

/// Puts `root` (absolute) first in the list; the oldest beyond kMostKnownRepositories go. Errors:
/// kInvalidArgument for a root that is not UTF-8; kBusy while others write it; kIo.
Result<void> note_opened(const std::filesystem::path& directory, const std::filesystem::path& root);

/// Roots, each once: first those that were opened, the last first, then those of projects, the one
/// recorded last first. They need not be there any more. At most kMostKnownRepositories.
std::vector<std::string> list_known_repositories(const std::filesystem::path& directory);

/// The first of them that was opened; empty: none was.
std::string last_opened(const std::filesystem::path& directory);

}  // namespace codexmem
