// The era is decided for each request from its own `_meta` (read_request_context); then a table
// lists the methods of that era and what each requires of the offer. Quick requests are answered at
// once by the reading thread, the others by a worker. Their answers are in session_calls.cpp,
// session_lists.cpp and session_subscriptions.cpp.
//
// A slow call is entered into calls_, queued, and leaves calls_ under the same lock that decides
// whether it is answered. So a cancellation comes either before that, and there is no answer, or
// after it, and then there is nothing to cancel.
//
// Tested by mcp/session_test.cpp, fuzzed by fuzz/jsonrpc_fuzz.cpp.
#include "mcp/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "text/json_object.h"
#include "base/log.h"
#include "base/stop_scope.h"
#include "base/text.h"

namespace codexmem::mcp {

namespace {

constexpr std::size_t kMaxRoots = 100;

bool completes(const Offer& offer) {
  return (offer.resources != nullptr && !offer.resources->templates().empty()) ||
         std::any_of(offer.prompts.begin(), offer.prompts.end(),
                     [](const Prompt& prompt) { return prompt.complete != nullptr; });
}

// The first capability that `requests` need and `capabilities` lack; empty if none is missing.
std::string missing_for(const JsonValue& requests, const JsonValue& capabilities) {
  for (const std::string& name : requests.member_names()) {
    const JsonValue request = requests.member(name);
    std::string missing = missing_capability(request.member("method").string().value_or(""),
                                             request.member("params"), capabilities);
    if (!missing.empty()) return missing;
  }
  return {};
}

// The request in `message`, without the answers that it brings.
std::string question_of(const Message& message) {
  std::string question = message.method;
  for (const std::string_view member : {"name", "uri", "arguments"}) {
    question += "\n" + message.params.member(member).dump();
  }
  return question;
}

// Reads the client's answers into `context`; returns an error if they are invalid.
std::optional<RpcError> read_answers(const Message& message, const StateSeal& seal,
                                     CallContext& context) {
  context.input_responses = message.params.member("inputResponses");
  if (!context.input_responses.is_absent() && !context.input_responses.is_object()) {
    return invalid_params(fmt::format("inputResponses must be an object, got {}",
                                      context.input_responses.type_name()));
  }
  const JsonValue state = message.params.member("requestState");
  if (state.is_absent()) return std::nullopt;
  if (state.is_string()) context.request_state = seal.open(*state.string(), question_of(message));
  if (context.request_state) return std::nullopt;
  return invalid_params("requestState is not one that this request was given, or too old");
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
    const JsonText info = json_object("name", core_.options.name, "version", core_.options.version);
    return make_result(id, fmt::format(R"({{"resultType":"complete","_meta":{{"{}":{},"{}":{}}}}})",
                                       kMetaServerInfo, info.text, kMetaSubscriptionId, id.json));
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
  const JsonText info = json_object("name", core_.options.name, "version", core_.options.version);
  std::string fields =
      fmt::format(R"("resultType":"{}","_meta":{{"{}":{}}})",
                  answer.needs_input ? "input_required" : "complete", kMetaServerInfo, info.text);
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

class Session::Progress {
 public:
  Progress(std::string token, std::chrono::milliseconds interval, Sink sink)
      : token_(std::move(token)), interval_(interval), sink_(std::move(sink)) {}

  // The protocol wants values that rise. The last step (done == total) is never held back.
  void report(const ask::Progress& progress) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const bool last = progress.total > 0 && progress.done >= progress.total;
    if (closed_ || progress.done <= done_ || (!last && now < next_)) return;
    done_ = progress.done;
    next_ = now + interval_;
    const JsonText params =
        json_object("progressToken", JsonText{token_}, "progress", progress.done, "total",
                    json_if(progress.total > 0, progress.total), "message", some(progress.message));
    sink_->send(make_notification("notifications/progress", params.text));
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

void Session::start_call(const Method& method, const Message& message, RequestContext context,
                         std::size_t size_bytes, const Sink& sink, const Reply& reply) {
  auto call = std::make_shared<Call>();
  std::string_view fault;
  {
    const std::lock_guard lock(mutex_);
    if (ending_.stop_requested()) {
      fault = "the session has ended";
    } else if (!calls_.emplace(message.id.json, call).second) {
      // Answered under the id that the running call will be answered under: the peer has to sort
      // it.
      fault = "a request with this id is in flight";
    } else {
      ++unanswered_;
    }
  }
  if (!fault.empty()) return reply(make_error(message.id, invalid_request(std::string(fault))));
  std::shared_ptr<Progress> progress;
  if (!context.progress_token.empty()) {
    progress =
        std::make_shared<Progress>(context.progress_token, core_.options.progress_interval, sink);
  }
  auto task = [self = shared_from_this(), &method, call, progress, sink, reply, message,
               context = std::move(context)] {
    CallContext running;
    running.request = context;
    running.stop = call->stop.get_token();
    running.hang_up = [&] { sink->hang_up(); };
    if (progress) {
      running.on_progress = [&](const ask::Progress& step) { progress->report(step); };
    }
    running.on_log = [&](LogSeverity severity, std::string_view text) {
      if (!context.log_level || severity < *context.log_level) return;
      const JsonText params = json_object(
          "level", log_severity_name(severity), "logger",
          message.params.member("name").string().value_or(message.method), "data", text);
      sink->send(make_notification("notifications/message", params.text));
    };
    running.on_warning = [&](std::string_view text) { running.log(LogSeverity::kWarning, text); };
    running.ask_client = [&](std::string_view asked,
                             const std::string& params) -> Result<JsonValue> {
      if (context.era == Era::kStateless) {
        return Error{ErrorCode::kUnsupported,
                     fmt::format("{} cannot be asked in revision {}", asked, context.revision)};
      }
      const auto parsed = JsonValue::parse(params.empty() ? "{}" : params);
      if (!parsed.ok()) return parsed.error();
      if (!missing_capability(asked, *parsed, context.client_capabilities).empty()) {
        return Error{ErrorCode::kUnsupported,
                     fmt::format("the client has not declared that it can be asked {}", asked)};
      }
      return self->client_.ask(asked, params, *sink, running.stop, self->core_.options.ask_time);
    };
    const Outcome outcome = self->run_call(method, message, running);
    if (progress) progress->close();
    self->finish_call(*call, message.id, outcome, context, sink, reply);
  };
  core_.workers->submit(std::move(task), size_bytes);
}

void Session::finish_call(Call& call, const RequestId& id, const Outcome& outcome,
                          const RequestContext& context, const Sink& sink, const Reply& reply) {
  std::optional<std::string> answer = make_answer(id, outcome, context);
  const auto* const given = std::get_if<Answer>(&outcome);
  bool is_open = given != nullptr && given->listens && !call.stop.stop_requested();
  if (is_open && !subscriptions_.listen(id, *given->listens, sink)) {
    is_open = false;
    answer = make_error(id, invalid_request(fmt::format("{} subscriptions are open already",
                                                        Subscriptions::kMaxListens)));
  }
  bool is_cancelled = false, stays = false;
  {
    const std::lock_guard lock(mutex_);
    is_cancelled = call.cancelled;
    stays = is_open && !is_cancelled && !ending_.stop_requested();
    call.is_stream = stays;
    // Before the answer: once that is out, the id is free. A stream keeps it.
    if (!stays) calls_.erase(id.json);
  }
  // One that was opened meanwhile and must not be: it is answered here, unless its end was already.
  if (is_open && !stays && !subscriptions_.close(id)) answer.reset();
  if (is_cancelled || stays) answer.reset();
  reply(std::move(answer));
  const std::lock_guard lock(mutex_);
  --unanswered_;
  idle_.notify_all();
}

Session::Outcome Session::run_call(const Method& method, const Message& message,
                                   CallContext& context) {
  const StopScope scope(context.stop);
  try {
    if (context.request.era == Era::kStateless) {
      if (auto error = read_answers(message, core_.seal, context)) return *std::move(error);
    }
    await_roots(context.stop);
    const std::shared_ptr<ask::Services> own = own_services();
    context.services = own ? own.get() : core_.services;
    return (this->*method.work)(message, context);
  } catch (const std::exception& error) {
    log_error("{}: {}", method.name, error.what());
    return internal_error(error.what());
  } catch (...) {
    log_error("{}: unknown exception", method.name);
    return internal_error("unknown exception");
  }
}

// `needed` is {inputRequests, requestState}, either of which may be missing.
Session::Outcome Session::ask_first(const Message& message, const std::string& needed,
                                    const CallContext& context) {
  if (context.request.era != Era::kStateless) {
    return internal_error("this asks for input in a way that the revision does not have");
  }
  const auto asked = JsonValue::parse(needed);
  if (!asked.ok()) return internal_error(asked.error().message());
  const std::string missing =
      missing_for(asked->member("inputRequests"), context.request.client_capabilities);
  if (!missing.empty()) {
    return RpcError{RpcCode::kMissingClientCapability, "Missing required client capability",
                    fmt::format(R"({{"requiredCapabilities":{}}})", missing)};
  }
  std::string json;
  if (const JsonValue requests = asked->member("inputRequests"); !requests.is_absent()) {
    json = "\"inputRequests\":" + requests.dump();
  }
  if (const auto state = asked->member("requestState").string()) {
    json += (json.empty() ? "" : ",") + std::string("\"requestState\":") +
            json_quote(core_.seal.seal(*state, question_of(message)));
  }
  return Answer{.json = "{" + json + "}", .needs_input = true};
}

}  // namespace codexmem::mcp
