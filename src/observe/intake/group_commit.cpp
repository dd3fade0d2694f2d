// Tested by observe/group_commit_test.cpp.
#include "observe/intake/group_commit.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "base/log.h"

namespace codexmem::observe {
namespace {

// So that the first of a group does not wait for too many others.
constexpr std::size_t kMaxGroup = 64;

Result<void> attempt(const GroupCommit::Work& work, store::Database& database) {
  try {
    return work(database);
  } catch (const std::exception& error) {
    return Error{ErrorCode::kIo, std::string("writing failed: ") + error.what()};
  }
}

}  // namespace

Result<void> GroupCommit::run(const Work& work) {
  Waiter self;
  self.work = &work;
  std::unique_lock lock(mutex_);
  waiters_.push_back(&self);
  self.woken.wait(lock, [&] { return self.is_done || waiters_.front() == &self; });
  if (self.is_done) return std::move(self.result);
  lock.unlock();

  std::deque<Waiter*> group;
  {
    // While this one waits for the store, others join.
    auto writer = store_->writer();
    lock.lock();
    const auto count = static_cast<std::ptrdiff_t>(std::min(kMaxGroup, waiters_.size()));
    group.assign(waiters_.begin(), waiters_.begin() + count);
    lock.unlock();
    if (writer.ok()) {
      write(**writer, group);
    } else {
      for (Waiter* waiter : group) waiter->result = writer.error();
    }
  }

  lock.lock();
  for (Waiter* waiter : group) {
    waiters_.pop_front();
    waiter->is_done = true;
    if (waiter != &self) waiter->woken.notify_one();
  }
  if (!waiters_.empty()) waiters_.front()->woken.notify_one();
  return std::move(self.result);
}

void GroupCommit::write(store::Database& database, const std::deque<Waiter*>& group) {
  const auto written = [&]() -> Result<void> {
    CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(database));
    for (Waiter* waiter : group) {
      CODEXMEM_TRY(transaction.mark());
      waiter->result = attempt(*waiter->work, database);
      // A full disk may have ended the whole transaction: then there is no savepoint any more.
      if (!waiter->result.ok()) CODEXMEM_TRY(transaction.undo_to_mark());
      CODEXMEM_TRY(transaction.release_mark());
    }
    return transaction.commit();
  }();
  if (written.ok()) return;
  log_warn("worker: nothing was written: {}", written.error().message());
  for (Waiter* waiter : group) {
    if (waiter->result.ok()) waiter->result = written.error();
  }
}

}  // namespace codexmem::observe
