// The era is decided for each request from its own `_meta` (read_request_context); then a table
// lists the methods of that era and what each requires of the offer. Quick requests are answered at
// once by the reading thread; the others are in session_calls.cpp, the lists in session_lists.cpp.
//
// Tested by mcp/session_test.cpp, fuzzed by fuzz/jsonrpc_fuzz.cpp.
#include "mcp/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "text/json.h"
#include "base/log.h"
#include "base/text.h"

namespace codexmem::mcp {

namespace {

constexpr std::size_t kMaxRoots = 100;

Json server_info(const ServerOptions& options) {
  Json info;
  info["name"] = options.name;
  info["title"] = options.title;
  info["version"] = options.version;
  info["contracts"] = Json::parse(options.contracts);
  return info;
}

bool completes(const Offer& offer) {
  return (offer.resources != nullptr && !offer.resources->templates().empty()) ||
         std::any_of(offer.prompts.begin(), offer.prompts.end(),
                     [](const Prompt& prompt) { return prompt.complete != nullptr; });
}

Json capabilities(const Offer& offer) {
  Json capabilities;
  Json& tools = capabilities["tools"] = Json::object();
  if (offer.tools_change) tools["listChanged"] = true;
  if (offer.resources != nullptr) {
    capabilities["resources"]["subscribe"] = true;
    capabilities["resources"]["listChanged"] = true;
  }
  if (!offer.prompts.empty()) {
    Json& prompts = capabilities["prompts"] = Json::object();
    if (offer.prompts_change) prompts["listChanged"] = true;
  }
  if (completes(offer)) capabilities["completions"] = Json::object();
  capabilities["logging"] = Json::object();
  return capabilities;
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

const Session::Method Session::kMethods[] = {
    {"initialize", true, false, Feature::kNone, &Session::initialize, nullptr, true},
    {"ping", true, false, Feature::kNone, &Session::ping, nullptr, true},
    {"server/discover", false, true, Feature::kNone, &Session::discover},
    {"tools/list", true, true, Feature::kNone, &Session::list_tools},
    {"tools/call", true, true, Feature::kNone, nullptr, &Session::call_tool},
    {"resources/list", true, true, Feature::kResources, nullptr, &Session::list_resources},
    {"resources/templates/list", true, true, Feature::kResources, &Session::list_templates},
    {"resources/read", true, true, Feature::kResources, nullptr, &Session::read_resource},
    {"resources/subscribe", true, false, Feature::kResources, nullptr, &Session::subscribe},
    {"resources/unsubscribe", true, false, Feature::kResources, &Session::unsubscribe},
    {"prompts/list", true, true, Feature::kPrompts, &Session::list_prompts},
    {"prompts/get", true, true, Feature::kPrompts, nullptr, &Session::get_prompt},
    {"completion/complete", true, true, Feature::kCompletions, nullptr, &Session::complete},
    {"logging/setLevel", true, false, Feature::kNone, &Session::set_log_level},
    {"subscriptions/listen", false, true, Feature::kNone, nullptr, &Session::listen},
};

Session::~Session() {
  const std::lock_guard lock(core_.mutex);
  core_.sessions.erase(this);
}

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
        {}, invalid_request(fmt::format("batches are only in revision {}{}", kBatchRevision,
                                        revision.empty() ? "" : ", this session is " + revision))));
    return;
  }
  const auto batch = std::make_shared<BatchAnswer>(parsed.messages.size(), sink);
  for (const Message& message : parsed.messages) {
    dispatch(message, true, line.size() / parsed.messages.size(), sink,
             [batch](std::optional<std::string> answer) { batch->add(std::move(answer)); });
  }
}

void Session::refuse_oversized(const RequestId& id, std::size_t size_bytes, MessageSink& sink) {
  sink.send(make_error(
      id, invalid_request(fmt::format("a message of {} bytes is too long", size_bytes))));
}

void Session::set_peer(Sink peer) {
  const bool has_peer = peer != nullptr;
  subscriptions_.set_peer(std::move(peer));
  bool asks = false;
  {
    const std::lock_guard lock(mutex_);
    asks = has_peer && owes_roots_;
  }
  if (asks) ask_for_roots();
}

void Session::set_services(ServicesSource source) {
  const std::lock_guard lock(mutex_);
  services_ = std::move(source);
}

void Session::notify(const Change& change, LookCache& cache) {
  if (change.what == Changed::kMaybe) {
    look(cache);
  } else {
    subscriptions_.notify(change);
  }
}

void Session::take_up(std::string revision) {
  {
    const std::lock_guard lock(mutex_);
    state_.revision = std::move(revision);
  }
  subscriptions_.notify_of_lists(true);
}

bool Session::has_services() const {
  const std::lock_guard lock(mutex_);
  return services_ != nullptr;
}

void Session::cancel_all() {
  {
    const std::lock_guard lock(mutex_);
    ending_.request_stop();
    for (const auto& [id, call] : calls_) call->stop.request_stop();
    std::erase_if(calls_, [](const auto& each) { return each.second->is_stream; });
  }
  subscriptions_.close_all([this](const RequestId& id) {
    const Json info = {{"name", core_.options.name}, {"version", core_.options.version}};
    return make_result(id,
                       fmt::format(R"({{"resultType":"complete","_meta":{{"{}":{},"{}":{}}}}})",
                                   kMetaServerInfo, dump_json(info), kMetaSubscriptionId, id.json));
  });
}

bool Session::wait_idle(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, time, [this] { return unanswered_ == 0; });
}

SessionState Session::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::shared_ptr<ask::Services> Session::own_services() const {
  ServicesSource source;
  {
    const std::lock_guard lock(mutex_);
    source = services_ ? services_ : core_.options.services;
  }
  return source ? source() : nullptr;
}

void Session::dispatch(const Message& message, bool in_batch, std::size_t size_bytes,
                       const Sink& sink, Reply reply) {
  switch (message.kind) {
    case MessageKind::kInvalid:
      reply(make_error(message.id, message.error));
      return;
    case MessageKind::kResponse:
      client_.answer(message);
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

bool Session::has(Feature feature) const {
  switch (feature) {
    case Feature::kNone:
      return true;
    case Feature::kResources:
      return core_.offer.resources != nullptr;
    case Feature::kPrompts:
      return !core_.offer.prompts.empty();
    case Feature::kCompletions:
      return completes(core_.offer);
  }
  return false;
}

// The answer to `id`. In the stateless era every result names its type and its server.
std::string Session::make_answer(const RequestId& id, const Outcome& outcome,
                                 const RequestContext& context) const {
  if (const auto* const error = std::get_if<RpcError>(&outcome)) return make_error(id, *error);
  const Answer& answer = std::get<Answer>(outcome);
  if (context.era != Era::kStateless) return make_result(id, answer.json);
  Json info;
  info["name"] = core_.options.name;
  info["version"] = core_.options.version;
  std::string fields = fmt::format(R"("resultType":"{}","_meta":{{"{}":{}}})",
                                   answer.needs_input ? "input_required" : "complete",
                                   kMetaServerInfo, dump_json(info));
  if (answer.ttl_ms && !answer.needs_input) {
    fields += fmt::format(R"(,"ttlMs":{},"cacheScope":"private")", *answer.ttl_ms);
  }
  return make_result(id, "{" + fields + (answer.json == "{}" ? "}" : "," + answer.json.substr(1)));
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
  if (method == std::end(kMethods) || !has(method->feature)) {
    return refuse(method_not_found(message.method));
  }
  if (context.era == Era::kStateless ? !method->stateless : !method->handshake) {
    if (method->stateless) {
      return refuse(
          invalid_params(fmt::format("{} needs _meta[\"{}\"], one of {}", method->name,
                                     kMetaProtocolVersion, fmt::join(kStatelessRevisions, ", "))));
    }
    return refuse(method_not_found(message.method));
  }
  if (context.era == Era::kHandshake && context.revision.empty() && !method->before_initialize) {
    return refuse(invalid_request(fmt::format("{} before initialize", method->name)));
  }
  if (method->work != nullptr) {
    start_call(*method, message, context, size_bytes, sink, reply);
    return;
  }
  if (in_batch && method->answer == &Session::initialize) {
    return refuse(invalid_request("initialize in a batch"));
  }
  reply(make_answer(message.id, (this->*method->answer)(message, context), context));
}

void Session::on_notification(const Message& message) {
  if (message.method == "notifications/initialized" ||
      message.method == "notifications/roots/list_changed") {
    if (state().client_capabilities.member("roots").is_object()) ask_for_roots();
    return;
  }
  if (message.method != "notifications/cancelled") {
    log_debug("notification {}", utf8_prefix(message.method, 100));
    return;
  }
  const JsonValue id = message.params.member("requestId");
  if (!id.is_string() && !id.is_number()) return;
  const RequestId cancelled{id.dump_id()};
  {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(cancelled.json);
    if (found == calls_.end()) return;  // answered already, or never asked
    if (!found->second->is_stream) {
      found->second->cancelled = true;
      found->second->stop.request_stop();
      return;
    }
    calls_.erase(found);
  }
  subscriptions_.close(cancelled);
}

void Session::ask_for_roots() {
  const std::weak_ptr<Session> weak = weak_from_this();
  {
    const std::lock_guard lock(mutex_);
    roots_deadline_ = std::chrono::steady_clock::now() + core_.options.roots_time;
  }
  const RequestId id = client_.expect([weak](const Result<JsonValue>& result) {
    const auto self = weak.lock();
    if (!self) return;
    if (result.ok()) {
      self->take_roots(*result);
    } else {
      log_info("roots: {}", result.error().message());
    }
    self->end_roots_wait();
  });
  const bool sent = subscriptions_.send_to_peer(make_request(id, "roots/list", ""));
  RequestId older;
  {
    const std::lock_guard lock(mutex_);
    owes_roots_ = !sent;
    older = std::exchange(roots_question_, id);
  }
  client_.forget(older);  // a later answer is a better one
  if (!sent) end_roots_wait();
}

void Session::end_roots_wait() {
  {
    const std::lock_guard lock(mutex_);
    roots_deadline_.reset();
  }
  roots_known_.notify_all();
}

void Session::await_roots(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!roots_deadline_) return;
  roots_known_.wait_until(lock, stop, *roots_deadline_, [this] { return !roots_deadline_; });
}

void Session::take_roots(const JsonValue& result) {
  auto roots = std::make_shared<std::vector<Root>>();
  const JsonValue given = result.member("roots");
  for (std::size_t i = 0; i < std::min(given.size(), kMaxRoots); ++i) {
    const JsonValue root = given.element(i);
    const auto uri = root.member("uri").string();
    if (!uri || uri->size() > Subscriptions::kMaxUriBytes) continue;
    const std::string name = root.member("name").string().value_or("");
    roots->push_back({*uri, std::string(utf8_prefix(name, 1000))});
  }
  {
    const std::lock_guard lock(mutex_);
    state_.roots = roots;
  }
  if (core_.options.on_roots) core_.options.on_roots(*this, *roots);
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
  subscriptions_.notify_of_lists(true);
  Json result;
  result["protocolVersion"] = revision;
  result["capabilities"] = capabilities(core_.offer);
  result["serverInfo"] = server_info(core_.options);
  result["instructions"] = core_.options.instructions;
  return Answer{dump_json(result)};
}

Session::Outcome Session::ping(const Message&, const RequestContext&) { return Answer{}; }

Session::Outcome Session::discover(const Message&, const RequestContext&) {
  Json result;
  Json& versions = result["supportedVersions"];
  for (const std::string_view revision : kStatelessRevisions) versions.push_back(revision);
  for (const std::string_view revision : kHandshakeRevisions) versions.push_back(revision);
  result["capabilities"] = capabilities(core_.offer);
  result["serverInfo"] = server_info(core_.options);
  result["instructions"] = core_.options.instructions;
  return Answer{dump_json(result), kCacheTtlMs};
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
  return Answer{};
}

}  // namespace codexmem::mcp
