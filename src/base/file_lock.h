// base/file_lock.h - locks between processes, and between the threads of one.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>

#include "base/result.h"

namespace codexmem {

/// An exclusive flock(2), held until this object is destroyed; the system releases it when the
/// process dies. The lock belongs to the open file, so two locks in one process exclude each other
/// as well. Movable.
class FileLock {
 public:
  /// Locks the file at `path`, which is created for its user only if it is missing. Errors: kBusy
  /// while another holds the lock; kIo.
  static Result<FileLock> take(const std::filesystem::path& path);

  /// Like take(), but while another holds the lock, calls `waiting` (which may be empty) and tries
  /// again every 50 ms. Errors: kCancelled when `stop` was requested; kIo.
  static Result<FileLock> wait_for(const std::filesystem::path& path,
                                   const std::function<void()>& waiting, std::stop_token stop);

  /// Locks the folder at `path` itself: this leaves no file behind, and no link can be placed
  /// there. Errors: kBusy; kIo.
  static Result<FileLock> take_folder(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

/// Locks the open file `fd` until it is closed; retries for `patience`. False if another holds the
/// lock all that time, or if locking fails.
bool lock_open_file(int fd, std::chrono::milliseconds patience);

}  // namespace codexmem
