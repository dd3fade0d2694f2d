#include "index/run_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <utility>

namespace codexmem::index {

Result<RunLock> RunLock::take(const std::filesystem::path& path, bool wait,
                              const std::function<void()>& waiting, std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any later;
  for (;;) {
    // flock() belongs to the open file, so that two runs in one process exclude each other too.
    // Opened anew each time: who deletes the folder meanwhile deletes the lock with it.
    RunLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.fd_ < 0) {
      return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
    }
    if (::flock(lock.fd_, LOCK_EX | LOCK_NB) == 0) {
      struct stat held {
      }, there{};
      if (::fstat(lock.fd_, &held) == 0 && ::stat(path.c_str(), &there) == 0 &&
          held.st_dev == there.st_dev && held.st_ino == there.st_ino) {
        return lock;
      }
      continue;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
    }
    if (!wait) return Error{ErrorCode::kBusy, "another index run is under way in this workspace"};
    if (waiting) waiting();
    std::unique_lock guard(mutex);
    later.wait_for(guard, stop, std::chrono::milliseconds(50), [] { return false; });
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "indexing was cancelled"};
  }
}

RunLock::RunLock(RunLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

RunLock::~RunLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace codexmem::index
