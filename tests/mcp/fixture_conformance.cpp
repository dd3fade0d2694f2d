#include "mcp/fixture_conformance.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "text/json.h"

namespace codexmem::mcp::testing {

namespace {

std::atomic<Server*> changing_server = nullptr;

std::mutex watched_mutex;  // guards the next
std::string watched = "Watched.";
std::atomic<int> watched_read = 0;

std::atomic<bool> slow = false;
std::atomic<int> reading = 0;

// One pixel, and eight samples of silence.
constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADE"
    "lEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
constexpr std::string_view kWav =
    "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

constexpr std::string_view kNothing = R"({"type":"object"})";

ToolResult say(std::string text) { return {false, std::move(text), ""}; }

ToolResult blocks(const Json& content) {
  ToolResult result;
  result.content = dump_json(content);
  return result;
}

Json text_block(std::string_view text) { return {{"type", "text"}, {"text", text}}; }
Json image_block() { return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }
Json resource_block(std::string_view uri, std::string_view mime_type, std::string_view text) {
  return {{"type", "resource"},
          {"resource", {{"uri", uri}, {"mimeType", mime_type}, {"text", text}}}};
}

// The suite wants to see that notifications come one after the other, while the call runs.
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

// --- What both eras have ---

ToolResult simple_text(const JsonValue&, const CallContext&) {
  return say("This is a simple text response for testing.");
}

ToolResult image_content(const JsonValue&, const CallContext&) {
  return blocks(Json::array({image_block()}));
}

ToolResult audio_content(const JsonValue&, const CallContext&) {
  return blocks(Json::array({{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}}));
}

ToolResult embedded_resource(const JsonValue&, const CallContext&) {
  return blocks(Json::array({resource_block("test://embedded-resource", "text/plain",
                                            "This is an embedded resource content.")}));
}

ToolResult multiple_content_types(const JsonValue&, const CallContext&) {
  return blocks(Json::array({text_block("Multiple content types test:"), image_block(),
                             resource_block("test://mixed-content-resource", "application/json",
                                            R"({"test":"data","value":123})")}));
}

ToolResult tool_with_logging(const JsonValue&, const CallContext& context) {
  context.log(LogSeverity::kInfo, "Tool execution started");
  pause();
  context.log(LogSeverity::kInfo, "Tool processing data");
  pause();
  context.log(LogSeverity::kInfo, "Tool execution completed");
  return say("logged");
}

ToolResult tool_with_progress(const JsonValue&, const CallContext& context) {
  context.progress({0, 100, ""});
  pause();
  context.progress({50, 100, ""});
  pause();
  context.progress({100, 100, ""});
  pause();  // clients forget how far a call is when its answer comes along
  return say("done");
}

ToolResult error_handling(const JsonValue&, const CallContext&) {
  return {true, "This tool intentionally returns an error for testing", ""};
}

ToolResult reconnection(const JsonValue&, const CallContext& context) {
  if (context.hang_up) context.hang_up();
  pause();
  pause();
  return say("sent after the connection had been let go");
}

// --- What asks the client, in the handshake era ---

ToolResult asked(const CallContext& context, std::string_view method, const Json& params,
                 std::string (*describe)(const JsonValue&)) {
  const auto answer = context.ask_client(method, dump_json(params));
  if (!answer.ok()) return {true, answer.error().message(), ""};
  return say(describe(*answer));
}

std::string describe_elicited(const JsonValue& answer) {
  return fmt::format("Elicitation completed: action={}, content={}",
                     answer.member("action").string().value_or(""),
                     answer.member("content").dump());
}

Json elicitation(std::string_view message, const Json& properties, const Json& required) {
  return {{"message", message},
          {"requestedSchema",
           {{"type", "object"}, {"properties", properties}, {"required", required}}}};
}

Json sampling(std::string_view text, int max_tokens) {
  return {{"messages", Json::array({{{"role", "user"}, {"content", text_block(text)}}})},
          {"maxTokens", max_tokens}};
}

ToolResult sampling_tool(const JsonValue& arguments, const CallContext& context) {
  return asked(
      context, "sampling/createMessage",
      sampling(arguments.member("prompt").string().value_or(""), 100), [](const JsonValue& answer) {
        return "LLM response: " + answer.member("content").member("text").string().value_or("");
      });
}

ToolResult elicitation_tool(const JsonValue& arguments, const CallContext& context) {
  return asked(context, "elicitation/create",
               elicitation(arguments.member("message").string().value_or(""),
                           {{"username", {{"type", "string"}, {"description", "Your name"}}},
                            {"email", {{"type", "string"}, {"description", "Your address"}}}},
                           {"username", "email"}),
               [](const JsonValue& answer) { return "User response: " + answer.dump(); });
}

ToolResult elicitation_defaults(const JsonValue&, const CallContext& context) {
  const Json properties = {
      {"name", {{"type", "string"}, {"default", "John Doe"}}},
      {"age", {{"type", "integer"}, {"default", 30}}},
      {"score", {{"type", "number"}, {"default", 95.5}}},
      {"status",
       {{"type", "string"}, {"enum", {"active", "inactive", "pending"}}, {"default", "active"}}},
      {"verified", {{"type", "boolean"}, {"default", true}}},
  };
  return asked(context, "elicitation/create",
               elicitation("Look at the defaults", properties, Json::array()), describe_elicited);
}

Json choice(std::string_view value, std::string_view title) {
  return {{"const", value}, {"title", title}};
}

ToolResult elicitation_enums(const JsonValue&, const CallContext& context) {
  const Json plain = {{"type", "string"}, {"enum", {"option1", "option2", "option3"}}};
  const Json titled = Json::array(
      {choice("value1", "First"), choice("value2", "Second"), choice("value3", "Third")});
  const Json properties = {
      {"untitledSingle", plain},
      {"titledSingle", {{"type", "string"}, {"oneOf", titled}}},
      {"legacyEnum",
       {{"type", "string"},
        {"enum", {"opt1", "opt2", "opt3"}},
        {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
      {"untitledMulti", {{"type", "array"}, {"items", plain}}},
      {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", titled}}}}},
  };
  return asked(context, "elicitation/create", elicitation("Choose", properties, Json::array()),
               describe_elicited);
}

// --- What asks for input first, in the stateless era ---

Json request(std::string_view method, const Json& params) {
  return {{"method", method}, {"params", params}};
}

Json ask_for(std::string_view message, std::string_view field) {
  return request("elicitation/create",
                 elicitation(message, {{field, {{"type", "string"}}}}, Json::array({field})));
}

ToolResult need(const Json& requests, const std::string& state = {}) {
  Json needed = {{"inputRequests", requests}};
  if (!state.empty()) needed["requestState"] = state;
  ToolResult result;
  result.input_required = dump_json(needed);
  return result;
}

bool has_answer(const CallContext& context, std::string_view name) {
  return context.input_responses.member(name).is_object();
}

Json name_question() { return {{"user_name", ask_for("What is your name?", "name")}}; }

ToolResult needs_elicitation(const JsonValue&, const CallContext& context) {
  if (!has_answer(context, "user_name")) return need(name_question());
  return say(fmt::format("Hello, {}!", context.input_responses.member("user_name")
                                           .member("content")
                                           .member("name")
                                           .string()
                                           .value_or("stranger")));
}

Json capital_question() {
  return {{"capital_question",
           request("sampling/createMessage", sampling("What is the capital of France?", 100))}};
}

ToolResult needs_sampling(const JsonValue&, const CallContext& context) {
  if (!has_answer(context, "capital_question")) return need(capital_question());
  return say(context.input_responses.member("capital_question")
                 .member("content")
                 .member("text")
                 .string()
                 .value_or(""));
}

Json roots_question() { return {{"client_roots", request("roots/list", Json::object())}}; }

ToolResult needs_roots(const JsonValue&, const CallContext& context) {
  if (!has_answer(context, "client_roots")) return need(roots_question());
  return say("roots: " + context.input_responses.member("client_roots").member("roots").dump());
}

Json confirmation() {
  return {
      {"confirm", request("elicitation/create",
                          elicitation("Please confirm", {{"ok", {{"type", "boolean"}}}}, {"ok"}))}};
}

ToolResult needs_state(const JsonValue&, const CallContext& context) {
  if (!has_answer(context, "confirm") || context.request_state != "asked to confirm") {
    return need(confirmation(), "asked to confirm");
  }
  return say("state-ok");
}

ToolResult needs_much(const JsonValue&, const CallContext& context) {
  Json requests = name_question();
  requests.update(roots_question());
  requests["greeting"] = request("sampling/createMessage", sampling("Generate a greeting", 50));
  Json missing = Json::object();
  for (const auto& [name, value] : requests.items()) {
    if (!has_answer(context, name)) missing[name] = value;
  }
  return missing.empty() ? say("all there") : need(missing, "asked for much");
}

ToolResult needs_rounds(const JsonValue&, const CallContext& context) {
  const std::string state = context.request_state.value_or("");
  if (state == "1" && has_answer(context, "step1")) {
    return need({{"step2", ask_for("Step 2: What is your favorite color?", "color")}}, "2");
  }
  if (state == "2" && has_answer(context, "step2")) return say("two rounds later");
  return need({{"step1", ask_for("Step 1: What is your name?", "name")}}, "1");
}

ToolResult needs_what_it_can_ask(const JsonValue&, const CallContext& context) {
  const JsonValue& can = context.request.client_capabilities;
  Json requests = Json::object();
  if (can.member("elicitation").is_object()) requests.update(name_question());
  if (can.member("sampling").is_object()) requests.update(capital_question());
  for (const auto& [name, value] : requests.items()) {
    if (!has_answer(context, name)) return need(requests);
  }
  return say("nothing to ask");
}

ToolResult streaming_elicitation(const JsonValue&, const CallContext& context) {
  context.progress({50, 100, "half of it"});
  return needs_elicitation({}, context);
}

// --- Changes ---

ToolResult change_tools(const JsonValue&, const CallContext&) {
  if (Server* const server = changing_server) server->tools_changed();
  return say("told");
}

ToolResult change_prompts(const JsonValue&, const CallContext&) {
  if (Server* const server = changing_server) server->prompts_changed();
  return say("told");
}

ToolResult change_resource(const JsonValue&, const CallContext&) {
  if (Server* const server = changing_server) {
    server->resource_changed("test://watched-resource");
    server->resources_changed();
  }
  return say("told");
}

constexpr std::string_view kManyKeywords = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
    }
  },
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})json";

constexpr std::string_view kPromptSchema =
    R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})";
constexpr std::string_view kMessageSchema =
    R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})";
constexpr std::string_view kHeaderSchema = R"json({
  "type": "object",
  "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"},
    "priority": {"type": "integer", "x-mcp-header": "Priority"},
    "urgent": {"type": "boolean", "x-mcp-header": "Urgent"},
    "note": {"type": "string"}
  },
  "required": ["region"]
})json";
constexpr std::string_view kNullHeaderSchema = R"json({
  "type": "object",
  "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}
})json";

ToolResult echo(const JsonValue& arguments, const CallContext&) { return say(arguments.dump()); }

Tool tool(std::string_view name, std::string_view description,
          ToolResult (*run)(const JsonValue&, const CallContext&),
          std::string_view schema = kNothing) {
  Tool row;
  row.name = name;
  row.title = name;
  row.description = description;
  row.groups = "conformance";
  row.input_schema = schema;
  row.failure_type = "ToolError";
  row.answer = run;
  return row;
}

// --- Resources ---

constexpr std::string_view kTemplateHead = "test://template/";
constexpr std::string_view kTemplateTail = "/data";

class ConformanceResources : public Resources {
 public:
  Result<ResourcePage> list(std::string_view cursor, const CallContext&) const override {
    const std::vector<Resource> all = {
        {.uri = "test://static-text",
         .name = "static-text",
         .title = "A text",
         .description = "A text that stays",
         .mime_type = "text/plain"},
        {.uri = "test://static-binary",
         .name = "static-binary",
         .description = "An image that stays",
         .mime_type = "image/png",
         .size_bytes = 69},
        {.uri = "test://watched-resource",
         .name = "watched-resource",
         .description = "A text to be told of",
         .mime_type = "text/plain"},
    };
    // A page of two: a cursor is the number that comes next.
    if (cursor.empty()) return ResourcePage{{all[0], all[1]}, "2"};
    const std::lock_guard lock(watched_mutex);
    if (cursor == "2" && watched.empty()) return ResourcePage{};
    if (cursor == "2") return ResourcePage{{all[2]}, ""};
    return Error{ErrorCode::kInvalidArgument, "no page has given this cursor"};
  }

  std::span<const ResourceTemplate> templates() const override {
    static constexpr ResourceTemplate kTemplates[] = {{"test://template/{id}/data", "template",
                                                       "By number", "Data of a number",
                                                       "application/json"}};
    return kTemplates;
  }

  Result<std::vector<ResourceContent>> read(std::string_view uri,
                                            const CallContext& context) const override {
    if (uri == "test://slow-resource") {
      ++reading;
      std::mutex mutex;
      std::condition_variable_any changed;
      std::unique_lock lock(mutex);
      changed.wait(lock, context.stop, [] { return !slow; });
      if (slow) pause();
      --reading;
      return content(uri, "text/plain", "Slow.");
    }
    if (uri == "test://static-text") {
      return content(uri, "text/plain", "This is the content of the static text resource.");
    }
    if (uri == "test://watched-resource") {
      ++watched_read;
      const std::lock_guard lock(watched_mutex);
      return content(uri, "text/plain", watched);
    }
    if (uri == "test://static-binary") {
      return std::vector<ResourceContent>{{std::string(uri), "image/png", std::string(kPng), true}};
    }
    if (uri.starts_with(kTemplateHead) && uri.ends_with(kTemplateTail)) {
      const std::string id(uri.substr(kTemplateHead.size(),
                                      uri.size() - kTemplateHead.size() - kTemplateTail.size()));
      const Json data = {{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
      return content(uri, "application/json", dump_json(data));
    }
    if (!uri.starts_with("test://")) {
      return Error{ErrorCode::kInvalidArgument, "only test:// has resources"};
    }
    return Error{ErrorCode::kNotFound, std::string(uri)};
  }

  Result<Completion> complete(std::string_view uri_template, const CompletionQuestion& question,
                              const CallContext&) const override {
    if (uri_template != templates()[0].uri_template || question.argument != "id") {
      return Error{ErrorCode::kInvalidArgument, "there is no such argument"};
    }
    Completion completion;  // more than may go out
    for (int i = 1; i <= 150; ++i) {
      std::string value = std::to_string(i);
      if (value.starts_with(question.value)) completion.values.push_back(std::move(value));
    }
    completion.total = completion.values.size();
    return completion;
  }

 private:
  static std::vector<ResourceContent> content(std::string_view uri, std::string_view mime_type,
                                              std::string_view text) {
    return {{std::string(uri), std::string(mime_type), std::string(text)}};
  }
};

// --- Prompts ---

Result<PromptResult> simple_prompt(const JsonValue&, const CallContext&) {
  return PromptResult{"", {text_message("This is a simple prompt for testing.")}};
}

Result<PromptResult> prompt_with_arguments(const JsonValue& arguments, const CallContext&) {
  return PromptResult{"With both arguments",
                      {text_message(fmt::format("Prompt with arguments: arg1='{}', arg2='{}'",
                                                *arguments.member("arg1").string(),
                                                *arguments.member("arg2").string()))}};
}

Result<Completion> complete_argument(const CompletionQuestion& question, const CallContext&) {
  // Known values are proposed first, then words.
  Completion completion;
  for (const auto& [name, value] : question.known) completion.values.push_back(value);
  for (const std::string_view word : {"paris", "park", "party"}) {
    if (word.starts_with(question.value)) completion.values.emplace_back(word);
  }
  completion.total = completion.values.size();
  return completion;
}

Result<PromptResult> prompt_with_resource(const JsonValue& arguments, const CallContext&) {
  return PromptResult{
      "",
      {{"user", dump_json(resource_block(*arguments.member("resourceUri").string(), "text/plain",
                                         "Embedded resource content for testing."))},
       text_message("Please process the embedded resource above.")}};
}

Result<PromptResult> prompt_with_image(const JsonValue&, const CallContext&) {
  return PromptResult{
      "", {{"user", dump_json(image_block())}, text_message("Please analyze the image above.")}};
}

Result<PromptResult> prompt_that_asks(const JsonValue&, const CallContext& context) {
  if (!has_answer(context, "user_context")) {
    const Json question = {
        {"user_context", ask_for("What context should the prompt use?", "context")}};
    return PromptResult{"", {}, dump_json(Json{{"inputRequests", question}})};
  }
  return PromptResult{"", {text_message(context.input_responses.member("user_context").dump())}};
}

std::span<const Prompt> prompts() {
  static constexpr PromptArgument kTwo[] = {{"arg1", "", "First test argument", true},
                                            {"arg2", "", "Second test argument", true}};
  static constexpr PromptArgument kUri[] = {{"resourceUri", "", "What to embed", true}};
  static constexpr Prompt kPrompts[] = {
      {"test_simple_prompt", "Simple", "A text.", {}, simple_prompt},
      {"test_prompt_with_arguments", "Arguments", "A text with two arguments.", kTwo,
       prompt_with_arguments, complete_argument},
      {"test_prompt_with_embedded_resource", "Resource", "A resource to process.", kUri,
       prompt_with_resource},
      {"test_prompt_with_image", "Image", "An image to look at.", {}, prompt_with_image},
      {"test_input_required_result_prompt", "Asks", "Asks for its context.", {}, prompt_that_asks},
  };
  return kPrompts;
}

}  // namespace

std::span<const Tool> conformance_tools() {
  static const Tool kRows[] = {
      tool("test_simple_text", "Answers a text.", simple_text),
      tool("test_image_content", "Answers an image.", image_content),
      tool("test_audio_content", "Answers a sound.", audio_content),
      tool("test_embedded_resource", "Answers a resource.", embedded_resource),
      tool("test_multiple_content_types", "Answers several things.", multiple_content_types),
      tool("test_tool_with_logging", "Logs three messages.", tool_with_logging),
      tool("test_logging_tool", "Logs three messages.", tool_with_logging),
      tool("test_tool_with_progress", "Reports progress thrice.", tool_with_progress),
      tool("test_error_handling", "Fails.", error_handling),
      tool("test_reconnection", "Lets the connection go, then answers.", reconnection),
      tool("test_sampling", "Asks the client's model.", sampling_tool, kPromptSchema),
      tool("test_elicitation", "Asks the user.", elicitation_tool, kMessageSchema),
      tool("test_elicitation_sep1034_defaults", "Asks with defaults.", elicitation_defaults),
      tool("test_elicitation_sep1330_enums", "Asks with choices.", elicitation_enums),
      tool("json_schema_2020_12_tool", "Has a schema of many keywords.", echo, kManyKeywords),
      tool("test_custom_headers", "Has arguments that go into headers.", echo, kHeaderSchema),
      tool("test_custom_headers_null", "Has one that may be left out.", echo, kNullHeaderSchema),
      tool("test_missing_capability", "Needs a client with a model.", needs_sampling),
      tool("test_streaming_elicitation", "Reports progress, then asks.", streaming_elicitation),
      tool("test_input_required_result_elicitation", "Asks a name first.", needs_elicitation),
      tool("test_input_required_result_sampling", "Asks the model first.", needs_sampling),
      tool("test_input_required_result_list_roots", "Asks for roots first.", needs_roots),
      tool("test_input_required_result_request_state", "Asks, with a state.", needs_state),
      tool("test_input_required_result_tampered_state", "Asks, with a state.", needs_state),
      tool("test_input_required_result_multiple_inputs", "Asks for much first.", needs_much),
      tool("test_input_required_result_multi_round", "Asks twice.", needs_rounds),
      tool("test_input_required_result_capabilities", "Asks what it may.", needs_what_it_can_ask),
      tool("test_trigger_tool_change", "Tells that the tools changed.", change_tools),
      tool("test_trigger_prompt_change", "Tells that the prompts changed.", change_prompts),
      tool("test_trigger_resource_change", "Tells that a resource changed.", change_resource),
  };
  return kRows;
}

Offer conformance_offer() {
  static const ConformanceResources kResources;
  return {.tools = ToolTable::make(conformance_tools()).value(),
          .resources = &kResources,
          .prompts = prompts(),
          .tools_change = true,
          .prompts_change = true};
}

void set_watched(std::string text) {
  const std::lock_guard lock(watched_mutex);
  watched = std::move(text);
}

int watched_reads() { return watched_read; }

void set_slow(bool is_slow) { slow = is_slow; }

int slow_reads() { return reading; }

void report_changes_to(Server* server) { changing_server = server; }

}  // namespace codexmem::mcp::testing
