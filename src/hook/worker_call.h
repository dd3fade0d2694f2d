// hook/worker_call.h - one HTTP request to the worker of this machine, within a deadline.
//
// No more than a socket: a hook has some milliseconds, and a library's start takes them all.
// Thread-safe.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::hook {

struct WorkerCall {
  std::string_view method = "POST";
  std::string_view target;  // path and query, encoded
  std::string_view body = {};
  std::string_view token = {};  // of the worker's address; empty: none is sent
  bool wants_body = false;      // of the answer; else only a refusal's (4xx) is waited for
};

struct WorkerAnswer {
  int status = 0;
  std::string body;  // at most 1 MiB
};

/// Sends `call` to 127.0.0.1:`port`. Nothing when there is no whole answer after `limit`; the
/// worker may have got the request all the same.
std::optional<WorkerAnswer> call_worker(int port, const WorkerCall& call,
                                        std::chrono::milliseconds limit);

}  // namespace codexmem::hook
