// index/git/branch_fates.h - what became of the branches on which memory was written.
//
// A stage (store/user/branches.h) is carried by a commit: the first that was made on its branch
// after it, else the one that was checked out. Its branch is merged when the default branch has
// that commit, or one with the same changes (rebased, picked), or one with the changes of the whole
// branch (squashed), or one whose message names it; in this order. Git's log of a branch shows
// which commit came first, and whether a branch is a later one of the same name. Not
// thread-safe. Design: docs/team.md, "Memory of branches".
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/user/branches.h"

namespace codexmem::index {

struct BranchFate {
  bool is_here = false;  // its branch is checked out, or the HEAD has its commit
  std::string landed;    // how it was merged, for display; empty: it was not
};

class BranchFates {
 public:
  /// Of the repository whose work tree is at `root`. Errors: kNotFound without a repository; as
  /// open_git().
  static Result<std::unique_ptr<BranchFates>> open(const std::filesystem::path& root);
  ~BranchFates();

  /// Git's common folder.
  const std::string& repository() const;

  /// True if the repository of `stage` is gone and this one, moved or cloned, has its commit.
  bool may_adopt(const store::BranchStage& stage) const;

  /// Where documents are written now; nothing on the default branch, and where no branch is the
  /// default one.
  std::optional<store::BranchPlace> place() const;

  /// Changes when the answer of judge() for one of `stages` may.
  std::string state(std::span<const store::BranchStage> stages) const;

  /// What became of each of `stages`, whose fields are brought up to date. A commit that cannot be
  /// read, or is not reached within 2 s for all of them, counts as not merged.
  std::vector<BranchFate> judge(std::span<store::BranchStage> stages);

 private:
  struct Impl;
  explicit BranchFates(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::index
