// index/git_changes.h - what differs between a commit and what is staged, or the work tree.
//
// For `codexmem check` and the pre-commit hook, which are about the files of a commit: the store
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

/// A file that a change touches. Submodules and links are none.
struct GitChange {
  std::string path;      // relative to the root
  bool existed = false;  // before
  bool exists = false;   // after
};

struct GitChangesQuery {
  std::string since;       // a revision; empty: HEAD, which need not have a commit yet
  bool is_staged = true;   // up to what is staged; else to the work tree, new files included
  std::string until = {};  // up to this revision instead, of whose files
  std::vector<std::string> only = {};  // with until: only these are compared; empty: all
};

class GitChanges {
 public:
  /// Compares, in the repository around `folder`; paths are relative to `root`, which holds or is
  /// held by it, and those that lie elsewhere are left out. Honours GIT_INDEX_FILE. Errors:
  /// kNotFound when `folder` is in no repository; kInvalidArgument when there is no such revision;
  /// kIo when git's data cannot be read.
  static Result<GitChanges> find(const std::filesystem::path& root,
                                 const std::filesystem::path& folder, const GitChangesQuery& query);

  GitChanges(GitChanges&&) noexcept;
  GitChanges& operator=(GitChanges&&) noexcept;
  ~GitChanges();

  /// By path.
  const std::vector<GitChange>& changes() const;

  /// True if they lead up to what is staged.
  bool is_staged() const;

  /// True if they lead up to the work tree.
  bool is_of_work_tree() const;

  /// The id of the tree before, in hex; empty when there was no commit.
  std::string tree_id() const;

  /// Of what is staged: files that stand otherwise in the work tree, or only in one of the two.
  /// By path; `existed` is in the work tree, `exists` among what is staged.
  Result<std::vector<GitChange>> list_unstaged() const;

  /// The bytes of a file before; nothing when there was none. Errors: kIo.
  Result<std::optional<std::string>> read_before(const std::string& path) const;

  /// The bytes of a file as it is staged; nothing when it is not. Errors: kIo.
  Result<std::optional<std::string>> read_staged(const std::string& path) const;

  /// The bytes of a file after, which is not of the work tree; nothing when there is none. Errors:
  /// kIo.
  Result<std::optional<std::string>> read_after(const std::string& path) const;

  /// True if git ignores `path`, whether it is there or not.
  bool is_ignored(const std::string& path) const;

 private:
  struct Impl;
  explicit GitChanges(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::index
