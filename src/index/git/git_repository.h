// index/git/git_repository.h - the git repository that contains a folder; the only user of libgit2.
//
// Returns the places of the repository's ignore files and its tracked files.
// index/discovery/ignore.h decides whether a path matches an ignore pattern. Not thread-safe.
// Design: docs/how-it-works.md, "Index".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::index {

/// The version of libgit2 in use: "1.5.1".
std::string libgit2_version();

class GitRepository {
 public:
  /// The repository whose work tree contains `folder` (absolute): the repository of `folder` itself
  /// or, unless `here_only`, of the nearest folder above it. Null without a repository, or if it
  /// may not be opened (index/git/git_files.h, or a work tree that is not next to .git), which is
  /// logged.
  static std::unique_ptr<GitRepository> find(const std::string& folder, bool here_only = false);

  ~GitRepository();
  GitRepository(const GitRepository&) = delete;
  GitRepository& operator=(const GitRepository&) = delete;

  /// The top of the work tree: absolute, links resolved, no slash at the end.
  const std::string& worktree() const;

  /// The repository's private ignore file, `info/exclude` in its common git folder. It may be
  /// missing.
  std::string exclude_file() const;

  /// The user's ignore file: core.excludesFile, or else git/ignore in the user's configuration
  /// folder; empty if neither is known. It may be missing.
  std::string global_exclude_file() const;

  /// The folder where git looks for hooks: core.hooksPath, or else the one in its common folder. It
  /// may be missing.
  std::string hooks_folder() const;

  /// The folder of git's data that all work trees of the repository share; ends with a slash.
  std::string common_folder() const;

  /// The file that records the checked-out commit of this work tree, even if it is linked or a
  /// submodule's.
  std::string head_file() const;

  /// The id of the commit that is checked out, in hex; empty without a commit.
  std::string head_commit() const;

  /// Git's list of tracked files.
  std::string index_file() const;

  /// The files of git's configuration that may name another ignore file: the repository's, the
  /// user's and the machine's, and the files they include. They may be missing.
  std::vector<std::string> config_files() const;

  /// core.ignoreCase.
  bool ignores_case() const;

  /// True if the index has `path` (relative to the work tree): a file, or a submodule's folder.
  bool is_tracked(std::string_view path) const;

  /// True if the index has something below `folder` (relative to the work tree, not empty).
  bool has_tracked_below(std::string_view folder) const;

 private:
  struct Impl;
  explicit GitRepository(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::index
