// Tested by hook/host_input_test.cpp with inputs that real hosts wrote (testdata/hooks).
#include "hook/host_input.h"

#include <initializer_list>
#include <utility>

#include "text/json.h"
#include "text/json_text.h"
#include "text/parse_json.h"

namespace codexmem::hook {
namespace {

constexpr std::pair<std::string_view, Platform> kPlatforms[] = {
    {"claude-code", Platform::kClaudeCode},
    {"cursor", Platform::kCursor},
    {"raw", Platform::kRaw},
    {"codex", Platform::kCodex},
};

constexpr std::pair<std::string_view, Event> kEvents[] = {
    {"session-init", Event::kSessionInit}, {"observation", Event::kObservation},
    {"file-edit", Event::kFileEdit},       {"summarize", Event::kSummarize},
    {"context", Event::kContext},          {"session-complete", Event::kSessionComplete},
    {"user-message", Event::kUserMessage}, {"before-edit", Event::kBeforeEdit},
};

template <typename Rows>
std::string names_of(const Rows& rows) {
  std::string names;
  for (const auto& [name, value] : rows) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

using Names = std::initializer_list<const char*>;

// The first of the members that is there and not null.
const Json* find(const Json& object, Names names) {
  for (const char* name : names) {
    const auto member = object.find(name);
    if (member != object.end() && !member->is_null()) return &*member;
  }
  return nullptr;
}

std::string text(const Json& object, Names names) {
  const Json* member = find(object, names);
  return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

// A member as JSON; Cursor writes objects as strings of JSON.
std::string json_text(const Json& object, Names names, std::string otherwise) {
  const Json* member = find(object, names);
  if (member == nullptr) return otherwise;
  if (member->is_string()) {
    const std::string& given = member->get_ref<const std::string&>();
    const std::size_t first = given.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (given[first] == '{' || given[first] == '[') &&
        !is_too_deep(given, kMaxJsonDepth - 1)) {
      std::string inner = repair_json(given);
      if (Json::accept(inner)) return inner;
    }
  }
  return dump_json(*member);
}

// A tool that failed is an event of its own (PostToolUseFailure), with or without a response: it
// must not look like a success.
void mark_failure(const Json& object, HostInput& input) {
  const Json* error = find(object, {"error", "error_message"});
  const bool is_failure = input.host_event.ends_with("Failure");
  if (!is_failure && (error == nullptr || input.tool_response != "null")) return;
  Json response = Json::parse(input.tool_response, nullptr, /*allow_exceptions=*/false);
  if (!response.is_object())
    response = response.is_null() ? Json::object() : Json{{"output", response}};
  if (error != nullptr && !response.contains("error")) response["error"] = *error;
  if (is_failure) response["is_error"] = true;
  const Json* interrupt = find(object, {"is_interrupt"});
  const bool is_timeout = text(object, {"failure_type"}) == "timeout";
  if (is_timeout || (interrupt != nullptr && *interrupt == true)) response["interrupted"] = true;
  input.tool_response = dump_json(response);
}

// Claude Code's and Codex's names.
HostInput read_snake_case(const Json& object) {
  HostInput input;
  input.session_id = text(object, {"session_id"});
  input.cwd = text(object, {"cwd"});
  input.prompt = text(object, {"prompt"});
  input.tool_name = text(object, {"tool_name"});
  input.tool_input = json_text(object, {"tool_input"}, input.tool_input);
  input.tool_response = json_text(object, {"tool_response"}, input.tool_response);
  input.tool_use_id = text(object, {"tool_use_id"});
  input.last_assistant_message = text(object, {"last_assistant_message"});
  input.transcript_path = text(object, {"transcript_path"});
  input.host_event = text(object, {"hook_event_name"});
  input.agent_id = text(object, {"agent_id"});
  mark_failure(object, input);
  return input;
}

// A file was edited: path and edits are next to the event, not in a tool's input.
void take_edit(const Json& object, Names path_names, HostInput& input) {
  const Json* path = find(object, path_names);
  if (path == nullptr || !input.tool_name.empty()) return;
  const Json* edits = find(object, {"edits"});
  input.tool_name = "write_file";
  input.tool_input =
      dump_json(Json{{"file_path", *path}, {"edits", edits == nullptr ? Json::array() : *edits}});
}

HostInput read_cursor(const Json& object) {
  HostInput input = read_snake_case(object);
  input.session_id = text(object, {"conversation_id", "generation_id", "session_id"});
  if (const Json* roots = find(object, {"workspace_roots"});
      roots != nullptr && roots->is_array() && !roots->empty() && roots->front().is_string()) {
    input.cwd = roots->front().get<std::string>();
  }
  input.tool_response = json_text(object, {"result_json", "tool_output", "tool_response"}, "null");
  if (input.last_assistant_message.empty()) input.last_assistant_message = text(object, {"text"});
  if (const Json* command = find(object, {"command"});
      command != nullptr && input.tool_name.empty()) {
    input.tool_name = "Bash";
    input.tool_input = dump_json(Json{{"command", *command}});
    if (const Json* output = find(object, {"output"})) {
      input.tool_response = dump_json(Json{{"output", *output}});
    }
  }
  mark_failure(object, input);
  take_edit(object, {"file_path"}, input);
  return input;
}

HostInput read_raw(const Json& object) {
  HostInput input;
  input.session_id = text(object, {"sessionId", "session_id"});
  input.cwd = text(object, {"cwd"});
  input.prompt = text(object, {"prompt"});
  input.tool_name = text(object, {"toolName", "tool_name"});
  input.tool_input = json_text(object, {"toolInput", "tool_input"}, input.tool_input);
  input.tool_response = json_text(object, {"toolResponse", "tool_response"}, input.tool_response);
  input.tool_use_id = text(object, {"toolUseId", "tool_use_id"});
  input.last_assistant_message = text(object, {"lastAssistantMessage", "last_assistant_message"});
  input.transcript_path = text(object, {"transcriptPath", "transcript_path"});
  input.host_event = text(object, {"hookEventName", "hook_event_name"});
  take_edit(object, {"filePath", "file_path"}, input);
  return input;
}

}  // namespace

std::string_view platform_name(Platform platform) {
  for (const auto& [name, known] : kPlatforms) {
    if (known == platform) return name;
  }
  return "";
}

std::optional<Platform> parse_platform(std::string_view name) {
  for (const auto& [known, platform] : kPlatforms) {
    if (known == name) return platform;
  }
  return std::nullopt;
}

std::optional<Event> parse_event(std::string_view name) {
  for (const auto& [known, event] : kEvents) {
    if (known == name) return event;
  }
  return std::nullopt;
}

std::string platform_names() { return names_of(kPlatforms); }
std::string event_names() { return names_of(kEvents); }

std::optional<HostInput> read_host_input(Platform platform, std::string_view json) {
  if (is_too_deep(json)) return read_host_input(platform, flatten_json(json));
  const Json object = parse_json(json);
  if (!object.is_object()) return std::nullopt;
  switch (platform) {
    case Platform::kClaudeCode:
    case Platform::kCodex:
      return read_snake_case(object);
    case Platform::kCursor:
      return read_cursor(object);
    case Platform::kRaw:
      return read_raw(object);
  }
  return std::nullopt;
}

std::string neutral_output(Platform platform) {
  // Codex takes suppressOutput of some events for an error.
  if (platform == Platform::kCodex || platform == Platform::kCursor) return R"({"continue":true})";
  return R"({"continue":true,"suppressOutput":true})";
}

std::string context_output(Platform platform, const HostInput& input, std::string_view context) {
  const std::string event = input.host_event.empty() ? "SessionStart" : input.host_event;
  if (platform == Platform::kCursor) {
    // Before a tool runs, no version documents additional_context; agent_message is documented for
    // refusals.
    if (event == "preToolUse") {
      return dump_json(
          Json{{"continue", true}, {"additional_context", context}, {"agent_message", context}});
    }
    if (event != "sessionStart") return neutral_output(platform);
    return dump_json(Json{{"continue", true}, {"additional_context", context}});
  }
  // The hosts have the same two events that take it; of others Codex refuses the whole answer.
  const bool is_before_tool = platform == Platform::kClaudeCode && event == "PreToolUse";
  if (event != "SessionStart" && event != "UserPromptSubmit" && !is_before_tool) {
    return neutral_output(platform);
  }
  return dump_json(
      Json{{"hookSpecificOutput", {{"hookEventName", event}, {"additionalContext", context}}}});
}

std::string message_output(Platform platform, std::string_view message) {
  if (platform == Platform::kCursor) return neutral_output(platform);
  return dump_json(Json{{"continue", true}, {"systemMessage", message}});
}

}  // namespace codexmem::hook
