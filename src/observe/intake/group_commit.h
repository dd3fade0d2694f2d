// observe/intake/group_commit.h - one commit for all who wait to write.
//
// A commit costs a sync of the disk, whatever it holds. Whoever comes while one is under way waits,
// and then all who waited are written in one transaction by the first of them; each within a
// savepoint, so that one that fails takes nothing of the others along. Safe to use from many
// threads. Design: docs/how-it-works.md, "Queue".
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

#include "base/result.h"
#include "store/database.h"
#include "store/user/user_store.h"

namespace codexmem::observe {

class GroupCommit {
 public:
  /// Writes inside a transaction that others share. Runs on any waiter's thread, and not at all
  /// when the transaction cannot begin; what it did is undone when it, or the commit, fails.
  using Work = std::function<Result<void>(store::Database&)>;

  /// `store` outlives this.
  explicit GroupCommit(store::UserStore& store) : store_(&store) {}

  /// Returns when what `work` wrote outlives a power cut. Errors: `work`'s, of the store.
  /// Not to be called by a thread that holds the store's writer.
  Result<void> run(const Work& work);

 private:
  struct Waiter {
    const Work* work;
    Result<void> result;
    bool is_done = false;
    std::condition_variable woken;
  };
  static void write(store::Database& database, const std::deque<Waiter*>& group);

  store::UserStore* store_;
  std::mutex mutex_;             // guards waiters_ and what they point to
  std::deque<Waiter*> waiters_;  // the first one writes
};

}  // namespace codexmem::observe
