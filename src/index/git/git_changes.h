// index/git/git_changes.h - the differences between a commit and the staged files, or the work
// tree.
//
// For `codexmem check` and the pre-commit hook, which check the files of a commit, while the store
// describes the work tree. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::index {

/// A changed file. Submodules and links do not count.
struct GitChange {
  std::string path;      // relative to the root
  bool existed = false;  // before
  bool exists = false;   // after
};

struct GitChangesQuery {
  std::string since;       // a revision; empty: HEAD, which may have no commit yet
  bool is_staged = true;   // up to the staged files; else up to the work tree, new files included
  std::string until = {};  // up to this revision instead
  std::vector<std::string> only = {};  // with until: compare only these; empty: all
};

class GitChanges {
 public:
  /// Compares, in the repository around `folder`. Paths are relative to `root`, which contains the
  /// repository or is inside it; paths outside of `root` are left out. Honours GIT_INDEX_FILE.
  /// Errors: kNotFound when `folder` is not in a repository; kInvalidArgument for an unknown
  /// revision; kUnsupported when the trees are too large (index/git/tree_compare.h); kIo when
  /// git's data cannot be read.
  static Result<GitChanges> find(const std::filesystem::path& root,
                                 const std::filesystem::path& folder, const GitChangesQuery& query);

  GitChanges(GitChanges&&) noexcept;
  GitChanges& operator=(GitChanges&&) noexcept;
  ~GitChanges();

  /// By path.
  const std::vector<GitChange>& changes() const;

  /// True if they compare with the staged files.
  bool is_staged() const;

  /// True if they compare with the work tree.
  bool is_of_work_tree() const;

  /// True if a file existed at `path` before.
  bool existed(const std::string& path) const;

  /// The id of the old tree, in hex; empty without a commit.
  std::string tree_id() const;

  /// For staged changes: files that differ between the staged files and the work tree, or exist in
  /// only one of the two. By path; `existed` refers to the work tree, `exists` to the staged files.
  Result<std::vector<GitChange>> list_unstaged() const;

  /// The old bytes of a file; nothing if it did not exist. Errors: kIo.
  Result<std::optional<std::string>> read_before(const std::string& path) const;

  /// The staged bytes of a file; nothing if it is not staged. Errors: kIo.
  Result<std::optional<std::string>> read_staged(const std::string& path) const;

  /// The new bytes of a file, when comparing with anything but the work tree; nothing if it does
  /// not exist. Errors: kIo.
  Result<std::optional<std::string>> read_after(const std::string& path) const;

  /// The files that a sparse checkout leaves out of the work tree: they are not compared with it.
  std::size_t count_left_out() const;
  bool is_left_out(const std::string& path) const;

  /// True if git ignores `path`, whether it exists or not.
  bool is_ignored(const std::string& path) const;

 private:
  struct Impl;
  explicit GitChanges(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::index
