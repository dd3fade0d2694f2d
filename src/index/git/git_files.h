// index/git/git_files.h - checks git's files before libgit2 opens them.
//
// A repository may contain anything in its .git: a FIFO without a writer, a configuration that
// includes one, a work tree in another place. libgit2 opens the files it finds, and would wait
// forever. Thread-safe; reads the file system on each call.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace codexmem::index {

/// The nearest folder at or above `folder` (absolute) whose .git, a folder or a file that names
/// one, contains a repository that libgit2 may open; with `here_only`, only `folder` itself.
/// Errors: kNotFound without a repository; kUnsupported when the nearest one may not be opened.
Result<std::filesystem::path> find_git_top(const std::filesystem::path& folder, bool here_only);

/// Errors: kNotFound when `directory` is not a repository's git data; kUnsupported when it contains
/// a FIFO or a device, or when a file that its configuration names or an object store that it
/// borrows from does.
Result<void> check_git_directory(const std::filesystem::path& directory);

/// The same check for files that libgit2 reads in a work tree: .gitignore, .gitattributes,
/// .gitmodules. A folder below `top` that `is_read` rejects, by its path relative to `top`, is
/// skipped with its contents; when `is_read` is called, the files above the folder have been
/// checked.
Result<void> check_work_tree(const std::filesystem::path& top,
                             const std::function<bool(const std::string& folder)>& is_read);

}  // namespace codexmem::index
