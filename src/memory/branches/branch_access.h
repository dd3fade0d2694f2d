// memory/branches/branch_access.h - the branch of one work tree, for those who read and write
// memory there. Thread-safe. Design: docs/team.md.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "memory/branches/branch_scope.h"
#include "memory/clock.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

/// How git is asked. Functions may be empty: then nothing is staged.
struct BranchSource {
  /// Where the work tree at `root` writes to. Nothing on the default branch, or outside of git.
  std::function<std::optional<BranchPlace>(const std::filesystem::path& root)> find_place = {};
  /// What that work tree sees. Makes documents of merged branches everybody's.
  std::function<Result<BranchSight>(store::UserStore& store, const Clock& clock,
                                    const std::filesystem::path& root)>
      look = {};
  /// Whether all is staged that is written at `root`, not only decisions.
  std::function<bool(const std::filesystem::path& root)> stages_entries = {};
};

class BranchAccess {
 public:
  /// Of the work tree at `root`; empty: of none, where everything is seen. `store` outlives this.
  BranchAccess(store::UserStore& store, BranchSource source, Clock clock,
               std::filesystem::path root);

  /// Looks at git again, if anything is staged. Errors: the store's and git's.
  Result<void> look();

  /// The present scope, with git as it was at the last look. Read from the store on each call.
  std::shared_ptr<const BranchScope> scope() const;
  /// The same, read from `database`.
  Result<BranchScope> scope_now(store::Database& database) const;

  /// Where a decision, or another document, is staged; nothing: it is everybody's.
  std::optional<BranchPlace> decision_place() const;
  std::optional<BranchPlace> entry_place() const;

 private:
  store::UserStore* store_;
  BranchSource source_;
  Clock clock_;
  std::filesystem::path root_;
  mutable std::mutex mutex_;  // guards what follows
  BranchSight sight_;
  bool has_looked_ = false;
};

}  // namespace codexmem::memory
