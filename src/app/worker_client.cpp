#include "app/worker_client.h"

#include <fmt/core.h>

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
