// app/worker_client.h - the commands' side of the worker: what they ask it over HTTP.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/worker_file.h"
#include "net/http_client.h"

namespace codexmem::app {

/// A worker that is well answers at once, even with a full queue.
inline constexpr std::chrono::milliseconds kWorkerAnswerTime{1'000};

std::string url_of(const WorkerAddress& address);

/// The answer of a worker to GET `path`; nothing when it gives none.
std::optional<net::HttpAnswer> ask_worker(const WorkerAddress& address, std::string_view path,
                                          std::chrono::milliseconds timeout = kWorkerAnswerTime);

/// How long a worker may take to start, and to end.
inline constexpr std::chrono::seconds kWorkerPatience{30};

/// How to end a worker that does not answer or end: "`kill -9 42` is safe: ...".
std::string kill_hint(const WorkerAddress& address);

/// Stops the worker `address` of the data directory `directory` and waits until it has ended.
/// Errors: kBusy when that takes longer than kWorkerPatience.
Result<void> stop_worker(const std::filesystem::path& directory, const WorkerAddress& address);

enum class WorkerHealth { kSilent, kInitializing, kReady };

/// Whether what listens there is this worker, and how it is.
WorkerHealth health_of(const WorkerAddress& address,
                       std::chrono::milliseconds timeout = kWorkerAnswerTime);

}  // namespace codexmem::app
