// A transport in memory and a client at its other end. No test sleeps: waiting has a bound of ten
// seconds, which only a failing test reaches.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "text/json.h"
#include "mcp/server.h"

namespace codexmem::mcp::testing {

/// The code of a JSON-RPC error; 0 if `answer` is not an error.
inline int code(const Json& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
}

/// The message of a JSON-RPC error; empty if `answer` is not an error.
inline std::string message(const Json& answer) {
  return answer.contains("error") ? answer["error"]["message"].get<std::string>() : "";
}

class MemoryTransport : public Transport {
 public:
  Incoming receive() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !incoming_.empty(); });
    Incoming next = incoming_.front();
    if (next.kind == Incoming::Kind::kMessage || next.kind == Incoming::Kind::kTooLong) {
      incoming_.pop_front();
    }
    return next;
  }
  void send(std::string_view message) override {
    const std::lock_guard lock(mutex_);
    sent_.push_back(Json::parse(message));
    changed_.notify_all();
  }
  void stop() noexcept override {}
  bool peer_listens() const override {
    const std::lock_guard lock(mutex_);
    return listens_;
  }

  void push(Incoming incoming) {
    const std::lock_guard lock(mutex_);
    incoming_.push_back(std::move(incoming));
    changed_.notify_all();
  }
  void hang_up() {
    const std::lock_guard lock(mutex_);
    listens_ = false;
  }
  /// Takes the first message sent that `wanted` accepts; nothing after ten seconds.
  template <typename Predicate>
  std::optional<Json> take(Predicate wanted) {
    std::unique_lock lock(mutex_);
    std::optional<Json> found;
    changed_.wait_for(lock, std::chrono::seconds(10), [&] {
      for (auto it = sent_.begin(); it != sent_.end(); ++it) {
        if (!wanted(*it)) continue;
        found = std::move(*it);
        sent_.erase(it);
        return true;
      }
      return false;
    });
    return found;
  }
  std::deque<Json> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sent_, {});
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Incoming> incoming_;
  std::deque<Json> sent_;
  bool listens_ = true;
};

/// A server of the fixture tools (or of `tools`) that runs until the client goes.
class Client {
 public:
  explicit Client(ServerOptions options = {}, std::span<const Tool> tools = {});
  explicit Client(Offer offer, ServerOptions options = {});
  ~Client() { end(); }

  /// Sends `line` as it is.
  void send(std::string line) {
    const std::size_t size = line.size();
    transport_.push({Incoming::Kind::kMessage, std::move(line), size});
  }
  void send_request(const Json& id, const std::string& method, const Json& params = nullptr) {
    Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
    if (!params.is_null()) message["params"] = params;
    send(message.dump());
  }
  void notify(const std::string& method, const Json& params) {
    send(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  /// The answer to `id`; null when none comes.
  Json answer(const Json& id) {
    return transport_
        .take([&](const Json& message) {
          return message.contains("id") && message["id"] == id && !message.contains("method");
        })
        .value_or(Json());
  }
  /// Sends a line and gives the next answer with a null id.
  Json refusal(std::string line) {
    send(std::move(line));
    return answer(nullptr);
  }
  Json request(const std::string& method, const Json& params = nullptr) {
    const int id = next_id_++;
    send_request(id, method, params);
    return answer(id);
  }
  /// A request of the stateless era.
  Json modern(const std::string& method, Json params = Json::object(),
              const Json& capabilities = Json::object()) {
    params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                       {"io.modelcontextprotocol/clientCapabilities", capabilities}};
    return request(method, params);
  }
  Json call(const std::string& tool, const Json& arguments = Json::object()) {
    return request("tools/call", {{"name", tool}, {"arguments", arguments}});
  }
  Json initialize(const std::string& revision = "2025-11-25",
                  const Json& capabilities = Json::object()) {
    return request("initialize", {{"protocolVersion", revision},
                                  {"capabilities", capabilities},
                                  {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
  }
  /// Answers what the server asks with `method`; gives the question.
  Json reply(const std::string& method, const Json& result) {
    const Json question = notification(method);
    send(Json{{"jsonrpc", "2.0"}, {"id", question.value("id", Json())}, {"result", result}}.dump());
    return question;
  }
  /// The first message that has `method`: a notification, or a question of the server.
  Json notification(const std::string& method) {
    return transport_
        .take([&](const Json& message) {
          return message.contains("method") && message["method"] == method;
        })
        .value_or(Json());
  }
  /// Ends the input and waits for the server to end; gives what it sent that nobody took.
  std::deque<Json> end(Incoming::Kind how = Incoming::Kind::kEnd) {
    if (thread_.joinable()) {
      transport_.push({how, "", 0});
      thread_.join();
    }
    return transport_.take_all();
  }
  MemoryTransport& transport() { return transport_; }
  Server& server() { return server_; }

 private:
  MemoryTransport transport_;
  Server server_;
  int next_id_ = 100;
  std::jthread thread_;
};

}  // namespace codexmem::mcp::testing
