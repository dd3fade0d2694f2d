#include "index/run/run_lock.h"

#include <utility>

namespace codexmem::index {

Result<FileLock> take_run_lock(const std::filesystem::path& path, bool wait,
                               const std::function<void()>& waiting, std::stop_token stop) {
  auto lock = wait ? FileLock::wait_for(path, waiting, std::move(stop)) : FileLock::take(path);
  if (lock.ok()) return lock;
  switch (lock.error().code()) {
    case ErrorCode::kBusy:
      return Error{ErrorCode::kBusy, "another index run is under way in this workspace"};
    case ErrorCode::kCancelled:
      return Error{ErrorCode::kCancelled, "indexing was cancelled"};
    default:
      return lock;
  }
}

}  // namespace codexmem::index
