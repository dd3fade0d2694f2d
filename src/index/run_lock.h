// index/run_lock.h - one index run at a time for a workspace, across threads and processes.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>

#include "base/result.h"

namespace codexmem::index {

/// Holds the lock file until it goes; the system releases it when the process dies. Movable.
class RunLock {
 public:
  /// Takes the lock at `path`, which is made when missing. While another holds it: calls `waiting`
  /// every 50 ms and tries again, or fails with kBusy when `wait` is off. Errors: kBusy;
  /// kCancelled; kIo.
  static Result<RunLock> take(const std::filesystem::path& path, bool wait,
                              const std::function<void()>& waiting, std::stop_token stop);

  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace codexmem::index
