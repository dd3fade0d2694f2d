// config/git_root.h - which repository a folder lies in.
// Thread-safe; looks at the file system each time.
#pragma once

#include <filesystem>

namespace codexmem {

/// The root of the git repository around `folder`, links resolved: the nearest folder at or above
/// it with a .git that speaks for it (base/owner.h), the file system's own root excepted. Empty
/// when there is none.
std::filesystem::path git_root(const std::filesystem::path& folder);

/// The root of the repository around `folder` as commands find it: the nearest folder at or above
/// it with a .git or an index of this user, links resolved; `folder` itself when there is none.
std::filesystem::path repository_root(const std::filesystem::path& folder);

}  // namespace codexmem
