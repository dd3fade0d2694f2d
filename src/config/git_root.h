// config/git_root.h - finds the repository that contains a folder.
// Thread-safe; reads the file system on each call.
#pragma once

#include <filesystem>

namespace codexmem {

/// The root of the git repository around `folder`, links resolved: the nearest folder at or above
/// it with a .git that speaks for it (base/owner.h), except the root of the file system. Empty if
/// it is not in a repository.
std::filesystem::path git_root(const std::filesystem::path& folder);

/// The root of the repository around `folder` as commands find it: the nearest folder at or above
/// it with a .git or an index of this user, links resolved; otherwise `folder` itself.
std::filesystem::path repository_root(const std::filesystem::path& folder);

}  // namespace codexmem
