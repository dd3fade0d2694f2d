// base/owner.h - decides which users' files may affect this user's work. Thread-safe.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace codexmem {

/// True for this user and for root, who can do anything anyway; under sudo also for the user who
/// called it.
bool is_trusted(uid_t owner);

/// True when `found`, a file at or above the folder `start`, exists and may configure it. Anyone
/// may put a `.git` into a folder that everyone can write, such as /tmp, above other users'
/// folders. So a file above `start` counts only if it belongs to a trusted user or to the owner of
/// `start` (a mounted volume). For a link, its own owner counts.
bool speaks_for(const std::filesystem::path& found, const std::filesystem::path& start);

}  // namespace codexmem
