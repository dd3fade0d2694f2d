// app/worker_client.h - the commands' side of the worker: what they ask it over HTTP.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "config/worker_file.h"
#include "net/http_client.h"

namespace codexmem::app {

/// A worker that is well answers at once, even with a full queue.
inline constexpr std::chrono::milliseconds kWorkerAnswerTime{1'000};

std::string url_of(const WorkerAddress& address);

/// The answer of a worker to GET `path`; nothing when it gives none.
std::optional<net::HttpAnswer> ask_worker(const WorkerAddress& address, std::string_view path,
                                          std::chrono::milliseconds timeout = kWorkerAnswerTime);

enum class WorkerHealth { kSilent, kInitializing, kReady };

/// Whether what listens there is this worker, and how it is.
WorkerHealth health_of(const WorkerAddress& address,
                       std::chrono::milliseconds timeout = kWorkerAnswerTime);

}  // namespace codexmem::app
