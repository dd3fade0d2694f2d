// index/git/commit_changes.h - what commits change, and whether two make the same change. Internal
// to the files that use libgit2. What is asked of a commit is read once. Not thread-safe.
#pragma once

#include <git2.h>

#include <map>
#include <string>
#include <string_view>

#include "index/git/git_handles.h"

namespace codexmem::index {

/// A commit, or a whole branch, as others are compared with it.
struct CommitChange {
  std::string files;      // its changed files; empty: none, more than 1,000, or a merge
  std::string patch;      // its patch id; empty until somebody asks for it
  std::string email;      // of the author
  std::string signature;  // the author, the time and the subject
  std::string message;    // at most 64 KB
};

class CommitChanges {
 public:
  /// `repository` outlives this.
  explicit CommitChanges(git_repository* repository) : repository_(repository) {}

  /// All but the patch.
  const CommitChange& of(const git_commit* commit);
  const std::string& patch_of(const git_commit* commit);

  /// Files and patch of everything from `before` to `after`.
  CommitChange between(const git_commit* before, const git_commit* after) const;

  /// The same files with the same patch, or with the same author, time and subject, which a commit
  /// keeps if it is altered while it is rebased.
  bool is_same(const git_commit* commit, const CommitChange& other);

 private:
  DiffHandle diff(const git_commit* before, const git_commit* after) const;
  DiffHandle diff_of(const git_commit* commit) const;
  CommitChange& find(const git_commit* commit);

  git_repository* repository_;
  std::map<std::string, CommitChange> changes_;  // by commit
};

// Messages. Thread-safe.

std::string_view subject_of(std::string_view message);

/// Gerrit's id of a change; empty without one.
std::string change_id_of(std::string_view message);

/// True if git named the commit `id` so when it picked or squashed it.
bool names_commit(std::string_view message, const std::string& id);

/// True for a list that has `subject`, as hosts list the commits that they squash.
bool lists_subject(std::string_view message, std::string_view subject);

/// True for "Subject (#12)", as hosts call the commit that they make of a pull request.
bool is_request_of(std::string_view subject, std::string_view of);

/// True if the message names the author with this address as one of several.
bool names_author(std::string_view message, const std::string& email);

}  // namespace codexmem::index
