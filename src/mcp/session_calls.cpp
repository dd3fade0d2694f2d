// Slow requests, which run on a worker: tools, resources, prompts, completions. A call is entered
// into calls_, queued, and leaves calls_ under the same lock that decides whether it is answered.
// So a cancellation comes either before that, and there is no answer, or after it, and then there
// is nothing to cancel.
//
// Tested by mcp/session_test.cpp, fuzzed by fuzz/jsonrpc_fuzz.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "text/json.h"
#include "base/log.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "mcp/session.h"

namespace codexmem::mcp {

namespace {

// A resource or the list of resources may change at any moment.
constexpr int kNoCacheMs = 0;

RpcError internal_error(std::string_view message) {
  return {RpcCode::kInternalError, fmt::format("Internal error: {}", message), ""};
}

// An `error` of a resource, a prompt or a completion: invalid params, or an internal error.
RpcError to_rpc(const Error& error) {
  if (error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kNotFound) {
    return invalid_params(error.message());
  }
  return internal_error(error.message());
}

std::string tool_result_json(const ToolResult& result) {
  std::string json = "{\"content\":";
  if (!result.content.empty()) {
    json += result.content;
  } else {
    json += fmt::format(R"([{{"type":"text","text":{}}})", json_quote(result.text));
    for (const std::string* text : {&result.siblings, &result.note}) {
      if (!text->empty()) json += fmt::format(R"(,{{"type":"text","text":{}}})", json_quote(*text));
    }
    json += "]";
  }
  if (!result.structured.empty()) json += ",\"structuredContent\":" + result.structured;
  if (result.is_error) json += ",\"isError\":true";
  return json + "}";
}

Json resource_json(const Resource& resource) {
  Json json;
  json["uri"] = resource.uri;
  json["name"] = resource.name;
  if (!resource.title.empty()) json["title"] = resource.title;
  if (!resource.description.empty()) json["description"] = resource.description;
  if (!resource.mime_type.empty()) json["mimeType"] = resource.mime_type;
  if (resource.size_bytes) json["size"] = *resource.size_bytes;
  return json;
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

std::vector<std::string> prompt_names(std::span<const Prompt> prompts) {
  std::vector<std::string> names;
  for (const Prompt& prompt : prompts) names.emplace_back(prompt.name);
  return names;
}

// The prompt called `name`, or an error if it is missing.
std::variant<const Prompt*, RpcError> find_prompt(std::span<const Prompt> prompts,
                                                  const JsonValue& name) {
  if (!name.is_string()) {
    return invalid_params(fmt::format("name must be a string, got {}", name.type_name()));
  }
  const std::string wanted(utf8_prefix(*name.string(), 100));
  for (const Prompt& prompt : prompts) {
    if (prompt.name == wanted) return &prompt;
  }
  const auto near = nearest(wanted, prompt_names(prompts));
  return RpcError{RpcCode::kInvalidParams,
                  fmt::format("Unknown prompt: {}{}", wanted,
                              near ? fmt::format("; did you mean {}?", *near) : ""),
                  ""};
}

// The error in the arguments of `prompt`; empty if they are valid.
std::string find_fault(const Prompt& prompt, const JsonValue& arguments) {
  if (!arguments.is_absent() && !arguments.is_object()) {
    return fmt::format("arguments must be an object, got {}", arguments.type_name());
  }
  for (const std::string& name : arguments.member_names()) {
    if (!arguments.member(name).is_string()) {
      return fmt::format("arguments.{} must be a string, got {}", utf8_prefix(name, 100),
                         arguments.member(name).type_name());
    }
  }
  for (const PromptArgument& argument : prompt.arguments) {
    if (argument.required && arguments.member(argument.name).is_absent()) {
      return fmt::format("prompt {} needs the argument {}", prompt.name, argument.name);
    }
  }
  return {};
}

}  // namespace

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
      Json params;
      params["level"] = log_severity_name(severity);
      params["logger"] = message.params.member("name").string().value_or(message.method);
      params["data"] = text;
      sink->send(make_notification("notifications/message", dump_json(params)));
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

Session::Outcome Session::call_tool(const Message& message, const CallContext& context) {
  const ToolTable& tools = core_.offer.tools;
  const JsonValue name = message.params.member("name");
  if (!name.is_string()) {
    return invalid_params(fmt::format("name must be a string, got {}", name.type_name()));
  }
  const Tool* const tool = tools.find(*name.string());
  if (tool == nullptr) {
    const std::string wanted(utf8_prefix(*name.string(), 100));
    const auto near = nearest(wanted, tools.names());
    return RpcError{RpcCode::kInvalidParams,
                    fmt::format("Unknown tool: {}{}", wanted,
                                near ? fmt::format("; did you mean {}?", *near) : ""),
                    ""};
  }
  ToolResult result = context.stop.stop_requested()
                          ? make_failure(*tool, {ErrorCode::kCancelled, "cancelled"})
                          : tools.call(*tool, message.params.member("arguments"), context);
  if (!result.input_required.empty()) return ask_first(message, result.input_required, context);
  return Answer{tool_result_json(result)};
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

Session::Outcome Session::list_resources(const Message& message, const CallContext& context) {
  const JsonValue cursor = message.params.member("cursor");
  if (!cursor.is_absent() && cursor.string().value_or("").empty()) {
    return invalid_params("cursor is not one that resources/list has given");
  }
  const auto page = core_.offer.resources->list(cursor.string().value_or(""), context);
  if (!page.ok()) return to_rpc(page.error());
  Json result;
  result["resources"] = Json::array();
  for (const Resource& each : page->resources) result["resources"].push_back(resource_json(each));
  if (!page->next_cursor.empty()) result["nextCursor"] = page->next_cursor;
  // A peer that has read the list is notified when it changes.
  if (cursor.is_absent() && context.request.era == Era::kHandshake) know_list(context);
  return Answer{dump_json(result), kNoCacheMs};
}

Session::Outcome Session::read_resource(const Message& message, const CallContext& context) {
  const JsonValue uri = message.params.member("uri");
  if (!uri.is_string()) {
    return invalid_params(fmt::format("uri must be a string, got {}", uri.type_name()));
  }
  const auto contents = core_.offer.resources->read(*uri.string(), context);
  if (!contents.ok()) {
    if (contents.error().code() != ErrorCode::kNotFound) return to_rpc(contents.error());
    Json data;
    data["uri"] = utf8_prefix(*uri.string(), 1000);
    return RpcError{context.request.era == Era::kStateless ? RpcCode::kInvalidParams
                                                           : RpcCode::kResourceNotFound,
                    "Resource not found: " + contents.error().message(), dump_json(data)};
  }
  Json result;
  result["contents"] = Json::array();
  for (const ResourceContent& each : *contents) {
    Json content;
    content["uri"] = each.uri;
    if (!each.mime_type.empty()) content["mimeType"] = each.mime_type;
    content[each.is_binary ? "blob" : "text"] = each.text;
    result["contents"].push_back(std::move(content));
  }
  return Answer{dump_json(result), kNoCacheMs};
}

Session::Outcome Session::get_prompt(const Message& message, const CallContext& context) {
  const auto found = find_prompt(core_.offer.prompts, message.params.member("name"));
  if (const auto* const error = std::get_if<RpcError>(&found)) return *error;
  const Prompt& prompt = *std::get<const Prompt*>(found);
  JsonValue arguments = message.params.member("arguments");
  if (const std::string fault = find_fault(prompt, arguments); !fault.empty()) {
    return invalid_params(fault);
  }
  if (arguments.is_absent()) arguments = JsonValue::parse("{}").value();
  auto rendered = prompt.render(arguments, context);
  if (!rendered.ok()) return to_rpc(rendered.error());
  if (!rendered->input_required.empty()) {
    return ask_first(message, rendered->input_required, context);
  }
  std::string json = "{";
  if (!rendered->description.empty()) {
    json += fmt::format(R"("description":{},)", json_quote(rendered->description));
  }
  json += "\"messages\":[";
  for (const PromptMessage& each : rendered->messages) {
    if (json.back() != '[') json += ',';
    json += fmt::format(R"({{"role":"{}","content":{}}})", each.role, each.content);
  }
  return Answer{json + "]}"};
}

Session::Outcome Session::complete(const Message& message, const CallContext& context) {
  const JsonValue ref = message.params.member("ref");
  const JsonValue argument = message.params.member("argument");
  const auto name = argument.member("name").string();
  const auto value = argument.member("value").string();
  if (!name || !value) return invalid_params("argument needs a name and a value, both strings");
  CompletionQuestion question{*name, *value};
  for (const auto& [what, given] :
       {std::pair("context", message.params.member("context")),
        std::pair("context.arguments", message.params.member("context").member("arguments"))}) {
    if (!given.is_absent() && !given.is_object()) {
      return invalid_params(fmt::format("{} must be an object, got {}", what, given.type_name()));
    }
  }
  const JsonValue known = message.params.member("context").member("arguments");
  for (const std::string& each : known.member_names()) {
    const auto text = known.member(each).string();
    if (!text) {
      return invalid_params(fmt::format("context.arguments.{} must be a string, got {}",
                                        utf8_prefix(each, 100), known.member(each).type_name()));
    }
    question.known.emplace(each, *text);
  }

  Result<Completion> completion = Completion{};
  const std::string type = ref.member("type").string().value_or("");
  if (type == "ref/prompt") {
    const auto found = find_prompt(core_.offer.prompts, ref.member("name"));
    if (const auto* const error = std::get_if<RpcError>(&found)) return *error;
    const Prompt& prompt = *std::get<const Prompt*>(found);
    if (std::none_of(prompt.arguments.begin(), prompt.arguments.end(),
                     [&](const PromptArgument& each) { return each.name == *name; })) {
      return invalid_params(
          fmt::format("prompt {} has no argument {}", prompt.name, utf8_prefix(*name, 100)));
    }
    if (prompt.complete != nullptr) completion = prompt.complete(question, context);
  } else if (type == "ref/resource" && core_.offer.resources != nullptr) {
    const JsonValue uri = ref.member("uri");
    if (!uri.is_string()) {
      return invalid_params(fmt::format("ref.uri must be a string, got {}", uri.type_name()));
    }
    completion = core_.offer.resources->complete(*uri.string(), question, context);
  } else {
    return invalid_params("ref.type must be ref/prompt or ref/resource");
  }
  if (!completion.ok()) return to_rpc(completion.error());

  std::vector<std::string>& values = completion->values;
  const std::size_t total = std::max(completion->total, values.size());
  const bool has_more = completion->has_more || total > std::min(values.size(), kMaxCompletions);
  values.resize(std::min(values.size(), kMaxCompletions));
  Json result;
  result["completion"] = {{"values", values}, {"total", total}, {"hasMore", has_more}};
  return Answer{dump_json(result)};
}

}  // namespace codexmem::mcp
