#include "index/run_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
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
  // flock() belongs to the open file, so that two runs in one process exclude each other too.
  RunLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.fd_ < 0) {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
  }
  std::mutex mutex;
  std::condition_variable_any later;
  for (;;) {
    if (::flock(lock.fd_, LOCK_EX | LOCK_NB) == 0) return lock;
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
