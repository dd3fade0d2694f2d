// config/worker_file.h - worker.json: which process is the worker of a data directory, and where it
// listens.
//
// A file outlives the worker that wrote it, a process's number is given again, and so is a port:
// the worker is the process of that number that was started at that moment. Thread-safe. Design:
// docs/design/worker.md, "One worker a data directory".
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
  std::string token = {};          // to be sent as X-Codexmem-Token; empty: it asks for none
};

/// When process `pid` was started, in clock ticks since the system was (proc(5), field 22 of stat);
/// 0 when there is none, or it has ended and nobody has asked how.
std::int64_t process_start(int pid);

/// True while the process that wrote `address` lives.
bool is_alive(const WorkerAddress& address);

/// Says whether a token is asked for, and not which: that is the file beside it. Errors: kIo.
Result<void> write_worker_file(const std::filesystem::path& directory,
                               const WorkerAddress& address);

/// What the file says, be its worker alive or not, with the directory's token if it asks for one;
/// nothing when it says no address.
std::optional<WorkerAddress> read_worker_file(const std::filesystem::path& directory);

/// The worker of `directory` that runs now, by its file; nothing when the process that wrote it is
/// gone, whatever has its number and its port now.
std::optional<WorkerAddress> find_worker(const std::filesystem::path& directory);

/// Where its viewer is, with the token if it asks for one.
std::string viewer_url(const WorkerAddress& address);

/// Where the worker that writes it puts it.
std::filesystem::path worker_file(const std::filesystem::path& directory);

}  // namespace codexmem
