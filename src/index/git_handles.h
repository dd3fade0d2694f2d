// index/git_handles.h - what the files that use libgit2 share: handles that free what they hold.
#pragma once

#include <git2.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"

namespace codexmem::index {

template <typename T, void (*kFree)(T*)>
struct GitDeleter {
  void operator()(T* object) const { kFree(object); }
};
template <typename T, void (*kFree)(T*)>
using GitHandle = std::unique_ptr<T, GitDeleter<T, kFree>>;

using RepositoryHandle = GitHandle<git_repository, &git_repository_free>;
using ConfigHandle = GitHandle<git_config, &git_config_free>;
using IndexHandle = GitHandle<git_index, &git_index_free>;
using ObjectHandle = GitHandle<git_object, &git_object_free>;
using DiffHandle = GitHandle<git_diff, &git_diff_free>;
using CommitHandle = GitHandle<git_commit, &git_commit_free>;
using TreeHandle = GitHandle<git_tree, &git_tree_free>;
using BlobHandle = GitHandle<git_blob, &git_blob_free>;

/// Starts libgit2 once for the process; it is never shut down, so handles may live till the end.
void start_libgit2();

/// What went wrong last on this thread, for people.
std::string last_git_error();

/// The repository whose .git stands in `top`, which find_git_top() found. Errors: kNotFound when it
/// cannot be read; kUnsupported when core.worktree names another folder than `top`: what lies there
/// was not asked for.
Result<RepositoryHandle> open_git(const std::filesystem::path& top);

/// The repository around `folder`, as git tells a hook by its environment (GIT_DIR,
/// GIT_INDEX_FILE), or else found from the folder. Errors: those of find_git_top() and open_git();
/// a work tree in `root`, which was asked for, may be elsewhere than .git.
Result<RepositoryHandle> open_git_as_told(const std::filesystem::path& root,
                                          const std::filesystem::path& folder);

}  // namespace codexmem::index
