// config/git_root.h - finds the repository that contains a folder.
// Thread-safe; reads the file system on each call.
#pragma once

#include <filesystem>
#include <vector>

namespace codexmem {

/// The root of the git repository around `folder`, links resolved: the nearest folder at or above
/// it with a .git that speaks for it (base/owner.h), except the root of the file system. Empty if
/// it is not in a repository.
std::filesystem::path git_root(const std::filesystem::path& folder);

/// The root of the repository around `folder` as commands find it: the nearest folder at or above
/// it with a .git or an index of this user, links resolved; otherwise `folder` itself.
std::filesystem::path repository_root(const std::filesystem::path& folder);

/// The other worktrees of the repository whose work tree is at `root`, the main one first, then by
/// name; at most 256. Only pairs that name each other count: a folder cannot claim to be part of a
/// repository that does not know it. Empty for a `root` that is not the top of a work tree.
std::vector<std::filesystem::path> other_worktrees(const std::filesystem::path& root);

}  // namespace codexmem
