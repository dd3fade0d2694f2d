// index/git/git_branches.h - the checked-out branch and the default branch. Internal to the files
// that use libgit2. Stateless.
#pragma once

#include <git2.h>

#include <optional>
#include <string>
#include <vector>

namespace codexmem::index {

/// The commit that the reference `name` leads to.
std::optional<git_oid> commit_of(git_repository* repository, const std::string& name);

/// The branch that HEAD names, whether it has a commit or not; of a rebase that has stopped, the
/// branch that is rebased. Empty: none is checked out.
std::string branch_of(git_repository* repository);

struct DefaultBranch {
  std::string name;           // empty: not known
  std::vector<git_oid> tips;  // here and of the remote `origin`, as far as they exist
  bool is_known = false;      // false: the main worktree happens to have it checked out
};

/// The branch that the remote `origin` calls its HEAD, else main, master or trunk, else the one
/// that the main worktree has checked out.
DefaultBranch find_default_branch(git_repository* repository);

}  // namespace codexmem::index
