// hook/host_input.h - what a coding tool says to its hooks, in one form for all of them.
//
// Each host has names of its own for the same things. Pure and
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::hook {

/// Who calls the hook.
enum class Platform : std::uint8_t { kClaudeCode, kCursor, kRaw, kCodex };

/// "claude-code", "cursor", "raw", "codex".
std::string_view platform_name(Platform platform);
std::optional<Platform> parse_platform(std::string_view name);

/// What it calls it for.
enum class Event : std::uint8_t {
  kSessionInit,      // a prompt was given
  kObservation,      // a tool was used
  kFileEdit,         // a file was edited: the same, if the host reports it apart
  kSummarize,        // the assistant has answered
  kSessionComplete,  // the session is over
  kContext,          // a session begins: memories go into it
  kUserMessage,      // a session begins: a notice for the person
  kBeforeEdit,       // a file is about to be edited: what the edit breaks
};

/// "session-init", "observation", "file-edit", "summarize", "session-complete", "context",
/// "user-message", "before-edit"; nothing for a name of a newer version.
std::optional<Event> parse_event(std::string_view name);

/// All of them, with commas between.
std::string platform_names();
std::string event_names();

struct HostInput {
  std::string session_id;
  std::string cwd;
  std::string prompt;
  std::string tool_name;
  std::string tool_input = "{}";       // JSON
  std::string tool_response = "null";  // JSON
  std::string tool_use_id;
  std::string last_assistant_message;
  std::string transcript_path;
  std::string host_event;  // the host's own name of the event: "SessionStart"
  std::string agent_id;    // of a subagent; empty: the session's own
};

/// Reads what `platform` wrote to the hook; members that are missing, or of another type, are
/// empty. Nothing when `json` is no JSON object.
std::optional<HostInput> read_host_input(Platform platform, std::string_view json);

/// The neutral answer to the host. One line of JSON.
std::string neutral_output(Platform platform);

/// What gives the host `context` for its model; neutral where this host, or its event, takes none.
std::string context_output(Platform platform, const HostInput& input, std::string_view context);

/// What shows `message` to the person; neutral where the host cannot.
std::string message_output(Platform platform, std::string_view message);

}  // namespace codexmem::hook
