// The answers to requests: initialize, tools, resources, prompts, completions.
//
// Tested by mcp/session_test.cpp, fuzzed by fuzz/jsonrpc_fuzz.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "text/json_object.h"
#include "base/text.h"
#include "mcp/session.h"

namespace codexmem::mcp {

namespace {

// A resource or the list of resources may change at any moment.
constexpr int kNoCacheMs = 0;

// What initialize and discover say of the server.
JsonText server_json(const Offer& offer, const ServerOptions& options, bool completes) {
  const auto changes = [](bool may) { return json_object("listChanged", some(may)); };
  const JsonText capabilities = json_object(
      "tools", changes(offer.tools_change), "resources",
      json_if(offer.resources != nullptr, json_object("subscribe", true, "listChanged", true)),
      "prompts", json_if(!offer.prompts.empty(), changes(offer.prompts_change)), "completions",
      json_if(completes, json_object()), "logging", json_object());
  const JsonText info = json_object("name", options.name, "title", options.title, "version",
                                    options.version, "contracts", JsonText{options.contracts});
  return json_object("capabilities", capabilities, "serverInfo", info, "instructions",
                     options.instructions);
}

// An `error` of a resource, a prompt or a completion: invalid params, or an internal error.
RpcError to_rpc(const Error& error) {
  if (error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kNotFound) {
    return invalid_params(error.message());
  }
  return internal_error(error.message());
}

std::string tool_result_json(const ToolResult& result) {
  JsonText content{result.content};
  if (content.text.empty()) {
    std::vector<JsonText> texts = {json_object("type", "text", "text", result.text)};
    for (const std::string* text : {&result.siblings, &result.note}) {
      if (!text->empty()) texts.push_back(json_object("type", "text", "text", *text));
    }
    content = json_value(texts);
  }
  return json_object("content", content, "structuredContent",
                     json_if(!result.structured.empty(), JsonText{result.structured}), "isError",
                     some(result.is_error));
}

JsonText resource_json(const Resource& resource) {
  return json_object("uri", resource.uri, "name", resource.name, "title", some(resource.title),
                     "description", some(resource.description), "mimeType",
                     some(resource.mime_type), "size", resource.size_bytes);
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
  return Answer{json_joined(json_object("protocolVersion", revision),
                            server_json(core_.offer, core_.options, has(Feature::kCompletions)))};
}

Session::Outcome Session::ping(const Message&, const RequestContext&) { return Answer{}; }

Session::Outcome Session::discover(const Message&, const RequestContext&) {
  std::vector<std::string_view> versions(kStatelessRevisions.begin(), kStatelessRevisions.end());
  versions.insert(versions.end(), kHandshakeRevisions.begin(), kHandshakeRevisions.end());
  return Answer{json_joined(json_object("supportedVersions", versions),
                            server_json(core_.offer, core_.options, has(Feature::kCompletions))),
                kCacheTtlMs};
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

Session::Outcome Session::list_resources(const Message& message, const CallContext& context) {
  const JsonValue cursor = message.params.member("cursor");
  if (!cursor.is_absent() && cursor.string().value_or("").empty()) {
    return invalid_params("cursor is not one that resources/list has given");
  }
  const auto page = core_.offer.resources->list(cursor.string().value_or(""), context);
  if (!page.ok()) return to_rpc(page.error());
  // A peer that has read the list is notified when it changes.
  if (cursor.is_absent() && context.request.era == Era::kHandshake) know_list(context);
  return Answer{json_object("resources", json_list(page->resources, resource_json), "nextCursor",
                            some(page->next_cursor)),
                kNoCacheMs};
}

Session::Outcome Session::read_resource(const Message& message, const CallContext& context) {
  const JsonValue uri = message.params.member("uri");
  if (!uri.is_string()) {
    return invalid_params(fmt::format("uri must be a string, got {}", uri.type_name()));
  }
  const auto contents = core_.offer.resources->read(*uri.string(), context);
  if (!contents.ok()) {
    if (contents.error().code() != ErrorCode::kNotFound) return to_rpc(contents.error());
    return RpcError{context.request.era == Era::kStateless ? RpcCode::kInvalidParams
                                                           : RpcCode::kResourceNotFound,
                    "Resource not found: " + contents.error().message(),
                    json_object("uri", utf8_prefix(*uri.string(), 1000))};
  }
  const auto write = [](const ResourceContent& each) {
    return json_object("uri", each.uri, "mimeType", some(each.mime_type),
                       each.is_binary ? "blob" : "text", each.text);
  };
  return Answer{json_object("contents", json_list(*contents, write)), kNoCacheMs};
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
  return Answer{json_object("completion",
                            json_object("values", values, "total", total, "hasMore", has_more))};
}

}  // namespace codexmem::mcp
