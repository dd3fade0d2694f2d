// base/owner.h - whose files may say something of this user's work. Thread-safe.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace codexmem {

/// True for this user and for root, who can do what he likes anyway; under sudo also for the user
/// who called.
bool is_trusted(uid_t owner);

/// True when `found`, a file at or above the folder `start`, is there and may speak for it. Anybody
/// may put a `.git` into a folder that all can write, such as /tmp, above what others have there:
/// so one above counts if it is a trusted user's, or of whoever owns `start` (a mounted volume).
/// Of a link its own owner counts.
bool speaks_for(const std::filesystem::path& found, const std::filesystem::path& start);

}  // namespace codexmem
