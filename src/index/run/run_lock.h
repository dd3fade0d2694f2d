// index/run/run_lock.h - one index run at a time for a workspace, across threads and processes.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>

#include "base/file_lock.h"
#include "base/result.h"

namespace codexmem::index {

/// Takes the lock at `path`, which is created if missing. While another run holds it, calls
/// `waiting` every 50 ms and tries again, or fails with kBusy when `wait` is off. Errors: kBusy;
/// kCancelled; kIo.
Result<FileLock> take_run_lock(const std::filesystem::path& path, bool wait,
                               const std::function<void()>& waiting, std::stop_token stop);

}  // namespace codexmem::index
