// The era is decided for each request from its own `_meta` (read_request_context), then a table
// says which methods that era has. Everything but tools/call is answered at once by the thread that
// reads; a tool call is entered into calls_, queued, and leaves calls_ under the same lock that
// decides whether it is answered. So a cancellation comes either before that, and there is no
// answer, or after it, and finds nothing to cancel.
//
// Tested by mcp/session_test.cpp, fuzzed by fuzz/jsonrpc_fuzz.cpp.
#include "mcp/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"

namespace codexmem::mcp {

namespace {

// How long a stateless client may keep the tool list and the discovery: both are fixed for the life
// of the process, and a restarted one may be of another version.
constexpr int kCacheTtlMs = 300'000;

RpcError invalid_params(std::string message) {
  return {RpcCode::kInvalidParams, "Invalid params: " + std::move(message), ""};
}

RpcError method_not_found(std::string_view method) {
  return {RpcCode::kMethodNotFound, fmt::format("Method not found: {}", utf8_prefix(method, 100)),
          ""};
}

Json server_info(const ServerOptions& options) {
  Json info;
  info["name"] = options.name;
  info["title"] = options.title;
  info["version"] = options.version;
  info["contracts"] = Json::parse(options.contracts);
  return info;
}

Json capabilities() {
  Json capabilities;
  capabilities["tools"] = Json::object();
  capabilities["logging"] = Json::object();
  return capabilities;
}

// `result`, the text of an object, with what the stateless era wants in every result.
std::string complete(std::string result, const RequestContext& context,
                     const ServerOptions& options) {
  if (context.era != Era::kStateless) return result;
  Json info;
  info["name"] = options.name;
  info["version"] = options.version;
  const std::string fields = fmt::format(R"("resultType":"complete","_meta":{{"{}":{}}})",
                                         kMetaServerInfo, dump_json(info));
  return "{" + fields + (result == "{}" ? "}" : "," + result.substr(1));
}

std::string tool_result_json(const ToolResult& result) {
  std::string json =
      fmt::format(R"({{"content":[{{"type":"text","text":{}}})", json_quote(result.text));
  for (const std::string* text : {&result.remark, &result.note}) {
    if (!text->empty()) json += fmt::format(R"(,{{"type":"text","text":{}}})", json_quote(*text));
  }
  json += "]";
  if (!result.structured.empty()) json += ",\"structuredContent\":" + result.structured;
  if (result.is_error) json += ",\"isError\":true";
  return json + "}";
}

// Collects the answers to a batch and sends them in one array when the last has come.
class BatchAnswer {
 public:
  BatchAnswer(std::size_t messages, Session::Sink sink)
      : missing_(messages), sink_(std::move(sink)) {}

  void add(std::optional<std::string> answer) {
    const std::lock_guard lock(mutex_);
    if (answer) answers_ += (answers_.empty() ? "[" : ",") + *answer;
    if (--missing_ == 0 && !answers_.empty()) sink_->send(answers_ + "]");
  }

 private:
  std::mutex mutex_;  // guards all below
  std::size_t missing_;
  std::string answers_;
  Session::Sink sink_;
};

}  // namespace

class Session::Progress {
 public:
  Progress(std::string token, std::chrono::milliseconds interval, Sink sink)
      : token_(std::move(token)), interval_(interval), sink_(std::move(sink)) {}

  // The protocol wants values that rise. The last step (done == total) is never held back.
  void report(const CallProgress& progress) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const bool last = progress.total > 0 && progress.done >= progress.total;
    if (closed_ || progress.done <= done_ || (!last && now < next_)) return;
    done_ = progress.done;
    next_ = now + interval_;
    Json params;
    params["progress"] = progress.done;
    if (progress.total > 0) params["total"] = progress.total;
    if (!progress.message.empty()) params["message"] = progress.message;
    const std::string rest = dump_json(params).substr(1);
    sink_->send(
        make_notification("notifications/progress", "{\"progressToken\":" + token_ + "," + rest));
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  const std::string token_;
  const std::chrono::milliseconds interval_;
  std::mutex mutex_;  // guards all below, and keeps notifications before the answer
  Sink sink_;
  bool closed_ = false;
  double done_ = -1;
  std::chrono::steady_clock::time_point next_;
};

const Session::Method Session::kMethods[] = {
    {"initialize", true, false, true, &Session::initialize},
    {"ping", true, false, true, &Session::ping},
    {"server/discover", false, true, true, &Session::discover},
    {"tools/list", true, true, false, &Session::list_tools},
    {"tools/call", true, true, false, nullptr},
    {"logging/setLevel", true, false, false, &Session::set_log_level},
};

void Session::handle(std::string_view line, const Sink& sink) {
  const ParsedLine parsed = parse_line(line);
  if (!parsed.batch) {
    dispatch(parsed.messages.front(), false, line.size(), sink,
             [sink](std::optional<std::string> answer) {
               if (answer) sink->send(*answer);
             });
    return;
  }
  if (const std::string revision = state().revision; revision != kBatchRevision) {
    sink->send(make_error(
        {}, {RpcCode::kInvalidRequest,
             fmt::format("Invalid request: batches are of revision {} alone{}", kBatchRevision,
                         revision.empty() ? "" : ", this session is " + revision),
             ""}));
    return;
  }
  const auto batch = std::make_shared<BatchAnswer>(parsed.messages.size(), sink);
  for (const Message& message : parsed.messages) {
    dispatch(message, true, line.size() / parsed.messages.size(), sink,
             [batch](std::optional<std::string> answer) { batch->add(std::move(answer)); });
  }
}

void Session::refuse_oversized(std::size_t size_bytes, MessageSink& sink) {
  sink.send(make_error(
      {}, {RpcCode::kInvalidRequest,
           fmt::format("Invalid request: a message of {} bytes is too long", size_bytes), ""}));
}

void Session::cancel_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, call] : calls_) call->stop.request_stop();
}

bool Session::wait_idle(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, time, [this] { return unanswered_ == 0; });
}

SessionState Session::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Session::dispatch(const Message& message, bool in_batch, std::size_t size_bytes,
                       const Sink& sink, Reply reply) {
  switch (message.kind) {
    case MessageKind::kInvalid:
      reply(make_error(message.id, message.error));
      return;
    case MessageKind::kResponse:  // we send no requests
      reply(std::nullopt);
      return;
    case MessageKind::kNotification:
      on_notification(message);
      reply(std::nullopt);
      return;
    case MessageKind::kRequest:
      on_request(message, in_batch, size_bytes, sink, std::move(reply));
      return;
  }
}

void Session::on_request(const Message& message, bool in_batch, std::size_t size_bytes,
                         const Sink& sink, Reply reply) {
  const auto refuse = [&](const RpcError& error) { reply(make_error(message.id, error)); };
  const auto read = read_request_context(message.params, state());
  if (const auto* const error = std::get_if<RpcError>(&read)) return refuse(*error);
  const RequestContext& context = std::get<RequestContext>(read);

  const auto* const method =
      std::find_if(std::begin(kMethods), std::end(kMethods),
                   [&](const Method& each) { return each.name == message.method; });
  if (method == std::end(kMethods)) return refuse(method_not_found(message.method));
  if (context.era == Era::kStateless ? !method->stateless : !method->handshake) {
    if (method->stateless) {
      return refuse(
          invalid_params(fmt::format("{} needs _meta[\"{}\"], one of {}", method->name,
                                     kMetaProtocolVersion, fmt::join(kStatelessRevisions, ", "))));
    }
    return refuse(method_not_found(message.method));
  }
  if (context.revision.empty() && !method->before_initialize) {
    return refuse({RpcCode::kInvalidRequest,
                   fmt::format("Invalid request: {} before initialize", method->name), ""});
  }
  if (method->run == nullptr) {
    call_tool(message, context, size_bytes, sink, reply);
    return;
  }
  if (in_batch && method->run == &Session::initialize) {
    return refuse({RpcCode::kInvalidRequest, "Invalid request: initialize in a batch", ""});
  }
  Outcome outcome = (this->*method->run)(message, context);
  if (const auto* const error = std::get_if<RpcError>(&outcome)) return refuse(*error);
  reply(make_result(message.id,
                    complete(std::get<std::string>(std::move(outcome)), context, core_.options)));
}

void Session::on_notification(const Message& message) {
  if (message.method != "notifications/cancelled") {
    // notifications/initialized changes nothing: a client that has its answer may ask.
    log_debug("notification {}", message.method);
    return;
  }
  const JsonValue id = message.params.member("requestId");
  if (!id.is_string() && !id.is_number()) return;
  const std::lock_guard lock(mutex_);
  const auto found = calls_.find(id.dump_id());
  if (found == calls_.end()) return;  // answered already, or never asked
  found->second->cancelled = true;
  found->second->stop.request_stop();
}

Session::Outcome Session::initialize(const Message& message, const RequestContext&) {
  const JsonValue requested = message.params.member("protocolVersion");
  if (!requested.is_string()) {
    return invalid_params(
        fmt::format("protocolVersion must be a string, got {}", requested.type_name()));
  }
  for (const std::string_view name : {"capabilities", "clientInfo"}) {
    const JsonValue value = message.params.member(name);
    if (!value.is_absent() && !value.is_object()) {
      return invalid_params(fmt::format("{} must be an object, got {}", name, value.type_name()));
    }
  }
  const std::string revision(negotiate_revision(*requested.string()));
  {
    const std::lock_guard lock(mutex_);
    state_ = {};
    state_.revision = revision;
    state_.client_capabilities = message.params.member("capabilities");
  }
  Json result;
  result["protocolVersion"] = revision;
  result["capabilities"] = capabilities();
  result["serverInfo"] = server_info(core_.options);
  result["instructions"] = core_.options.instructions;
  return dump_json(result);
}

Session::Outcome Session::ping(const Message&, const RequestContext&) { return "{}"; }

Session::Outcome Session::discover(const Message&, const RequestContext&) {
  Json result;
  Json& versions = result["supportedVersions"];
  for (const std::string_view revision : kStatelessRevisions) versions.push_back(revision);
  for (const std::string_view revision : kHandshakeRevisions) versions.push_back(revision);
  result["capabilities"] = capabilities();
  result["serverInfo"] = server_info(core_.options);
  result["instructions"] = core_.options.instructions;
  result["ttlMs"] = kCacheTtlMs;
  result["cacheScope"] = "private";
  return dump_json(result);
}

Session::Outcome Session::list_tools(const Message& message, const RequestContext& context) {
  // A cursor is the name of the tool that comes next.
  std::size_t begin = 0;
  const JsonValue cursor = message.params.member("cursor");
  if (!cursor.is_absent()) {
    const std::vector<std::string> names = core_.offer.tools.names();
    const auto found = std::find(names.begin(), names.end(), cursor.string().value_or(""));
    if (found == names.end()) {
      return invalid_params("cursor is not one that tools/list has given");
    }
    begin = static_cast<std::size_t>(found - names.begin());
  }
  const std::size_t end = std::min(core_.offer.tools.size(), begin + core_.options.page_size);
  std::string result = "{\"tools\":[";
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) result += ',';
    result += core_.offer.tools.listing(i);
  }
  result += ']';
  if (end < core_.offer.tools.size()) {
    result += ",\"nextCursor\":" + json_quote(core_.offer.tools.names()[end]);
  }
  if (context.era == Era::kStateless) {
    result += fmt::format(",\"ttlMs\":{},\"cacheScope\":\"private\"", kCacheTtlMs);
  }
  return result + "}";
}

Session::Outcome Session::set_log_level(const Message& message, const RequestContext&) {
  const JsonValue level = message.params.member("level");
  const auto severity = parse_log_severity(level.string().value_or(""));
  if (!severity) {
    return invalid_params(
        "level must be one of debug, info, notice, warning, error, critical, "
        "alert, emergency");
  }
  const std::lock_guard lock(mutex_);
  state_.log_level = *severity;
  return "{}";
}

void Session::call_tool(const Message& message, RequestContext context, std::size_t size_bytes,
                        const Sink& sink, const Reply& reply) {
  const auto refuse = [&](const RpcError& error) { reply(make_error(message.id, error)); };
  const JsonValue name = message.params.member("name");
  if (!name.is_string()) {
    return refuse(invalid_params(fmt::format("name must be a string, got {}", name.type_name())));
  }
  const Tool* const tool = core_.offer.tools.find(*name.string());
  if (tool == nullptr) {
    const std::string wanted(utf8_prefix(*name.string(), 100));
    const auto near = nearest(wanted, core_.offer.tools.names());
    return refuse({RpcCode::kInvalidParams,
                   fmt::format("Unknown tool: {}{}", wanted,
                               near ? fmt::format("; did you mean {}?", *near) : ""),
                   ""});
  }
  auto call = std::make_shared<Call>();
  {
    const std::lock_guard lock(mutex_);
    if (!calls_.emplace(message.id.json, call).second) {
      // Answered under the id that the running call will be answered under: the peer has to sort
      // it.
      return refuse(
          {RpcCode::kInvalidRequest, "Invalid request: a request with this id is in flight", ""});
    }
    ++unanswered_;
  }
  std::shared_ptr<Progress> progress;
  if (!context.progress_token.empty()) {
    progress =
        std::make_shared<Progress>(context.progress_token, core_.options.progress_interval, sink);
  }
  auto task = [self = shared_from_this(), tool, call, progress, sink, reply, id = message.id,
               arguments = message.params.member("arguments"), context = std::move(context)] {
    CallContext running;
    running.services = self->core_.services;
    running.request = context;
    running.stop = call->stop.get_token();
    if (progress) {
      running.on_progress = [&](const CallProgress& step) { progress->report(step); };
    }
    running.on_log = [&](LogSeverity severity, std::string_view text) {
      if (!context.log_level || severity < *context.log_level) return;
      Json params;
      params["level"] = log_severity_name(severity);
      params["logger"] = tool->name;
      params["data"] = text;
      sink->send(make_notification("notifications/message", dump_json(params)));
    };
    const ToolResult result = running.stop.stop_requested()
                                  ? make_failure(*tool, {ErrorCode::kCancelled, "cancelled"})
                                  : self->core_.offer.tools.call(*tool, arguments, running);
    if (progress) progress->close();
    std::optional<std::string> answer =
        make_result(id, complete(tool_result_json(result), context, self->core_.options));
    {
      const std::lock_guard lock(self->mutex_);
      self->calls_.erase(id.json);  // before the answer: once it is out, the id is free again
      if (call->cancelled) answer.reset();
    }
    reply(std::move(answer));
    const std::lock_guard lock(self->mutex_);
    --self->unanswered_;
    self->idle_.notify_all();
  };
  core_.workers->submit(std::move(task), size_bytes);
}

}  // namespace codexmem::mcp
