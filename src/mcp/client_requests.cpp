#include "mcp/client_requests.h"

#include <fmt/format.h>

#include <utility>

#include "text/json_object.h"
#include "base/text.h"

namespace codexmem::mcp {

namespace {

Result<JsonValue> read_answer(const Message& response) {
  if (response.failure.is_absent()) return response.result;
  const std::string message = response.failure.member("message").string().value_or("no message");
  return Error{ErrorCode::kIo,
               fmt::format("the client answers {}: {}", response.failure.member("code").dump(),
                           utf8_prefix(message, 1000))};
}

}  // namespace

std::string_view capability_of_request(std::string_view method) {
  if (method == "roots/list") return "roots";
  if (method == "sampling/createMessage") return "sampling";
  if (method == "elicitation/create") return "elicitation";
  return {};
}

std::string missing_capability(std::string_view method, const JsonValue& params,
                               const JsonValue& capabilities) {
  const std::string_view needed = capability_of_request(method);
  if (needed.empty()) return {};
  const JsonValue has = capabilities.member(needed);
  const bool by_url = params.member("mode").string() == "url";
  if (has.is_object() && (!by_url || has.member("url").is_object())) return {};
  return json_object(needed, json_object("url", json_if(by_url, json_object())));
}

Result<JsonValue> ClientRequests::ask(std::string_view method, std::string_view params,
                                      MessageSink& sink, std::stop_token stop,
                                      std::chrono::milliseconds time) {
  // Shared with an answer that may come after the wait has ended.
  const auto answer = std::make_shared<std::optional<Result<JsonValue>>>();
  RequestId id;
  {
    const std::lock_guard lock(mutex_);
    id = add([this, answer](Result<JsonValue> given) {
      const std::lock_guard taking(mutex_);
      *answer = std::move(given);
      answered_.notify_all();
    });
  }
  sink.send(make_request(id, method, params));
  {
    std::unique_lock lock(mutex_);
    answered_.wait_for(lock, stop, time, [&] { return answer->has_value(); });
    if (answer->has_value()) return std::move(**answer);
    waiting_.erase(id);
  }
  sink.send(
      make_notification("notifications/cancelled", fmt::format(R"({{"requestId":{}}})", id.json)));
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
  return Error{ErrorCode::kIo, fmt::format("the client has not answered {}", method)};
}

RequestId ClientRequests::add(Take take) {
  RequestId id{fmt::format("\"server-{}\"", ++last_id_)};
  waiting_.emplace(id, std::move(take));
  return id;
}

RequestId ClientRequests::expect(Take take) {
  const std::lock_guard lock(mutex_);
  return add(std::move(take));
}

void ClientRequests::forget(const RequestId& id) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(id);
}

void ClientRequests::answer(const Message& response) {
  Take take;
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(response.id);
    if (found == waiting_.end()) return;
    take = std::move(found->second);
    waiting_.erase(found);
  }
  take(read_answer(response));
}

}  // namespace codexmem::mcp
