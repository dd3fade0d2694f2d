// base/file_lock.h - locks between processes, and between the threads of one.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>

#include "base/result.h"

namespace codexmem {

/// An exclusive flock(2), held until it goes; the system releases it when the process dies. It
/// belongs to the open file, so that two in one process exclude each other too. Movable.
class FileLock {
 public:
  /// Locks the file at `path`, which is made for its user only when missing. Errors: kBusy while
  /// another holds the lock; kIo.
  static Result<FileLock> take(const std::filesystem::path& path);

  /// The same, but while another holds the lock, calls `waiting` (which may be empty) and tries
  /// again every 50 ms. Errors: kCancelled after a request to stop; kIo.
  static Result<FileLock> wait_for(const std::filesystem::path& path,
                                   const std::function<void()>& waiting, std::stop_token stop);

  /// Locks the folder at `path` itself: no file is left behind, and none can be a link. Errors:
  /// kBusy; kIo.
  static Result<FileLock> take_folder(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

/// Locks the open file `fd` until it is closed; tries for `patience`. False when another holds the
/// lock all that time, or locking fails.
bool lock_open_file(int fd, std::chrono::milliseconds patience);

}  // namespace codexmem
