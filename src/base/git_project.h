// base/git_project.h - which git repository a folder lies in, and what its project is called.
// Thread-safe; looks at the file system each time.
#pragma once

#include <filesystem>
#include <string>

namespace codexmem {

/// The root of the git repository around `folder`, links resolved: the nearest folder at or above
/// it with a .git, the file system's own root excepted. Empty when there is none.
std::filesystem::path git_root(const std::filesystem::path& folder);

/// The root of the repository around `folder` as commands find it: the nearest folder at or above
/// it with a .git or an index of codexmem, links resolved; `folder` itself when there is none.
std::filesystem::path repository_root(const std::filesystem::path& folder);

/// The name of the git repository's folder, and of a linked worktree that of the repository that it
/// belongs to, so that all worktrees are one project. "" when there is none.
std::string git_project(const std::filesystem::path& folder);

}  // namespace codexmem
