// index/git/git_handles.h - shared by the files that use libgit2: handles that free their objects.
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
using WalkHandle = GitHandle<git_revwalk, &git_revwalk_free>;
using TreeHandle = GitHandle<git_tree, &git_tree_free>;
using BlobHandle = GitHandle<git_blob, &git_blob_free>;

/// Starts libgit2 once for the process; it is never shut down, so handles may live to the end.
void start_libgit2();

/// The last error of libgit2 on this thread, for display.
std::string last_git_error();

/// That error, as kIo.
Error git_failure();

/// The commit `id`, and the tree of `commit`; null when it cannot be read.
CommitHandle find_commit(git_repository* repository, const git_oid& id);
TreeHandle tree_of(const git_commit* commit);

/// An object's id, in hex.
std::string hex_of(const git_oid& id);

/// The repository whose .git is in `top`, which find_git_top() found. Errors: kNotFound when it
/// cannot be read; kUnsupported when core.worktree names another folder than `top`: that folder was
/// not requested.
Result<RepositoryHandle> open_git(const std::filesystem::path& top);

/// The repository around `folder` as git passes it to a hook in the environment (GIT_DIR,
/// GIT_INDEX_FILE), or else found from the folder. Errors: as find_git_top() and open_git(), but a
/// work tree away from .git is accepted inside `root`, which was requested.
Result<RepositoryHandle> open_git_of_hook(const std::filesystem::path& root,
                                          const std::filesystem::path& folder);

}  // namespace codexmem::index
