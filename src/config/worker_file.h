// config/worker_file.h - worker.json: the process that is the worker of a data directory, and its
// address.
//
// The file outlives the worker that wrote it, and the system reuses process numbers and ports. So
// the worker is the process with that number that was started at that moment. Thread-safe. Design:
// docs/how-it-works.md, "Worker".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace codexmem {

struct WorkerAddress {
  int pid = 0, port = 0;
  std::string version = {};
  std::int64_t started_at_ms = 0;
  std::int64_t process_start = 0;  // of process_start()
  std::string token = {};          // to send as X-Codexmem-Token; empty if no token is needed
};

/// The start time of process `pid`, in clock ticks since the system started (proc(5), field 22 of
/// stat); 0 when it does not exist, or is a zombie.
std::int64_t process_start(int pid);

/// True while the process that wrote `address` lives.
bool is_alive(const WorkerAddress& address);

/// Writes whether a token is needed but not the token, which is in a file in the same folder.
/// Errors: kIo.
Result<void> write_worker_file(const std::filesystem::path& directory,
                               const WorkerAddress& address);

/// The file's address, whether its worker is alive or not, with the directory's token if one is
/// needed; nothing if the file has no address.
std::optional<WorkerAddress> read_worker_file(const std::filesystem::path& directory);

/// The running worker of `directory`, by its file; nothing when the process that wrote the file has
/// ended, even if another process has its number and port.
std::optional<WorkerAddress> find_worker(const std::filesystem::path& directory);

/// The address of the viewer, with the token if one is needed.
std::string viewer_url(const WorkerAddress& address);

/// Path of the file.
std::filesystem::path worker_file(const std::filesystem::path& directory);

}  // namespace codexmem
