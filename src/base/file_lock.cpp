// Tested by base/file_lock_test.cpp.
#include "base/file_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace codexmem {
namespace fs = std::filesystem;

namespace {

enum class Attempt { kTaken, kBusy, kFailed };

Attempt try_lock(int fd) {
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return Attempt::kTaken;
  return errno == EWOULDBLOCK || errno == EINTR ? Attempt::kBusy : Attempt::kFailed;
}

Error lock_error(const fs::path& path) {
  return {ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
}

bool is_at(int fd, const fs::path& path) {
  struct stat held {
  }, there{};
  return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &there) == 0 &&
         held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

}  // namespace

Result<FileLock> FileLock::take(const fs::path& path) {
  for (;;) {
    FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    const Attempt attempt = lock.fd_ < 0 ? Attempt::kFailed : try_lock(lock.fd_);
    if (attempt == Attempt::kFailed) return lock_error(path);
    if (attempt == Attempt::kBusy) return Error{ErrorCode::kBusy, path.string() + " is locked"};
    // If the folder was deleted meanwhile, the lock was deleted with it.
    if (is_at(lock.fd_, path)) return lock;
  }
}

Result<FileLock> FileLock::wait_for(const fs::path& path, const std::function<void()>& waiting,
                                    std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any later;
  for (;;) {
    auto lock = take(path);
    if (lock.ok() || lock.error().code() != ErrorCode::kBusy) return lock;
    if (waiting) waiting();
    std::unique_lock guard(mutex);
    later.wait_for(guard, stop, std::chrono::milliseconds(50), [] { return false; });
    if (stop.stop_requested()) {
      return Error{ErrorCode::kCancelled, "cancelled while waiting for " + path.string()};
    }
  }
}

Result<FileLock> FileLock::take_folder(const fs::path& path) {
  FileLock lock(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  const Attempt attempt = lock.fd_ < 0 ? Attempt::kFailed : try_lock(lock.fd_);
  if (attempt == Attempt::kTaken) return lock;
  if (attempt == Attempt::kFailed) return lock_error(path);
  return Error{ErrorCode::kBusy, path.string() + " is locked"};
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

bool lock_open_file(int fd, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const Attempt attempt = try_lock(fd);
    if (attempt != Attempt::kBusy) return attempt == Attempt::kTaken;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace codexmem
