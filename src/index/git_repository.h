// index/git_repository.h - the git repository that holds a folder: the one door to libgit2.
//
// Says where the repository's ignore files are and what it tracks. Whether a path matches an ignore
// pattern is index/ignore.h's work. Not thread-safe. Design: docs/design/index.md.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::index {

/// The version of the libgit2 that runs: "1.5.1".
std::string libgit2_version();

class GitRepository {
 public:
  /// The repository whose work tree holds `folder` (absolute): of `folder` itself or, unless
  /// `here_only`, of the nearest folder above it that has one. Null if there is none, or it may not
  /// be opened (index/git_files.h, a work tree that is not where .git stands), which is logged.
  static std::unique_ptr<GitRepository> find(const std::string& folder, bool here_only = false);

  ~GitRepository();
  GitRepository(const GitRepository&) = delete;
  GitRepository& operator=(const GitRepository&) = delete;

  /// The top of the work tree: absolute, links resolved, no slash at the end.
  const std::string& worktree() const;

  /// The repository's private ignore file, `info/exclude` of its common git folder. It need not
  /// exist.
  std::string exclude_file() const;

  /// The user's ignore file: core.excludesFile, else git/ignore in the user's configuration folder;
  /// empty if there is neither. It need not exist.
  std::string global_exclude_file() const;

  /// Where git looks for hooks: core.hooksPath, else that of its common folder. It need not exist.
  std::string hooks_folder() const;

  /// Git's data that all work trees of the repository share; a slash at the end.
  std::string common_folder() const;

  /// Where git notes what is checked out: of this work tree, be it linked or a submodule's.
  std::string head_file() const;

  /// The id of the commit that is checked out, in hex; empty: there is none yet.
  std::string head_commit() const;

  /// Git's list of tracked files.
  std::string index_file() const;

  /// The files of git's configuration that may name another ignore file: the repository's, the
  /// user's and the machine's, and what they include. They need not exist.
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
