#include "app/worker_client.h"

#include <fmt/core.h>
#include <signal.h>

#include <thread>

#include "text/json.h"

namespace codexmem::app {

std::string url_of(const WorkerAddress& address) {
  return fmt::format("http://127.0.0.1:{}", address.port);
}

std::optional<net::HttpAnswer> ask_worker(const WorkerAddress& address, std::string_view path,
                                          std::chrono::milliseconds timeout) {
  net::HttpClient client;
  net::HttpRequest request;
  request.url = url_of(address) + std::string(path);
  if (!address.token.empty()) request.headers.push_back({"X-Codexmem-Token", address.token});
  request.timeout = timeout;
  auto answer = client.send(request);
  if (!answer.ok()) return std::nullopt;
  return *std::move(answer);
}

std::string kill_hint(const WorkerAddress& address) {
  return fmt::format(
      "`kill -9 {}` is safe: nothing that it was sent is lost, and the next start goes on with it",
      address.pid);
}

Result<void> stop_worker(const std::filesystem::path& directory, const WorkerAddress& address) {
  ::kill(address.pid, SIGTERM);
  const auto until = std::chrono::steady_clock::now() + kWorkerPatience;
  while (std::chrono::steady_clock::now() < until) {
    const auto there = find_worker(directory);
    if (!there || there->pid != address.pid) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return Error{ErrorCode::kBusy, fmt::format("process {} has not ended after {} s: {}", address.pid,
                                             kWorkerPatience.count(), kill_hint(address))};
}

WorkerHealth health_of(const WorkerAddress& address, std::chrono::milliseconds timeout) {
  const auto answer = ask_worker(address, "/api/health", timeout);
  if (!answer || answer->status != 200) return WorkerHealth::kSilent;
  const Json body = Json::parse(answer->body, nullptr, false);
  if (!body.is_object() || !body.contains("pid") || body["pid"] != address.pid) {
    return WorkerHealth::kSilent;
  }
  return body.contains("initialized") && body["initialized"] == true ? WorkerHealth::kReady
                                                                     : WorkerHealth::kInitializing;
}

}  // namespace codexmem::app
