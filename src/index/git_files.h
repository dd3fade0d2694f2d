// index/git_files.h - looks at the files of git's data before libgit2 opens them.
//
// A repository may come with anything in its .git: a FIFO that nobody writes to, a configuration
// that includes one, a work tree that is elsewhere. libgit2 opens what it finds, and would wait for
// ever. Thread-safe; looks at the file system each time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace codexmem::index {

/// The nearest folder at or above `folder` (absolute) whose .git, a folder or a file that leads to
/// one, holds a repository that libgit2 may open; with `here_only` `folder` itself. Errors:
/// kNotFound when there is none; kUnsupported when that of the nearest may not be opened.
Result<std::filesystem::path> find_git_top(const std::filesystem::path& folder, bool here_only);

/// Errors: kNotFound when `directory` is not git's data of a repository; kUnsupported when it, what
/// its configuration names, or an object store that it borrows from has a FIFO or a device in it.
Result<void> check_git_directory(const std::filesystem::path& directory);

/// The same of the files that libgit2 reads in a work tree: .gitignore, .gitattributes,
/// .gitmodules. Folders below `top` that `is_read` says no to, by their path relative to it, are
/// passed by with all that is in them; when it is asked of one, the files above have been looked
/// at.
Result<void> check_work_tree(const std::filesystem::path& top,
                             const std::function<bool(const std::string& folder)>& is_read);

}  // namespace codexmem::index
