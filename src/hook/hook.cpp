// Tested by hook/hook_test.cpp.
#include "hook/hook.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/git_project.h"
#include "base/json.h"
#include "base/text.h"
#include "base/user_directory.h"
#include "hook/random.h"
#include "hook/read_input.h"
#include "hook/spool.h"
#include "hook/transcript.h"
#include "hook/worker_call.h"
#include "privacy/policy.h"
#include "privacy/private_text.h"

namespace codexmem::hook {
namespace fs = std::filesystem;
namespace {

// A prompt without words, such as an image alone, is not private: to the worker an empty one is.
constexpr std::string_view kWordlessPrompt = "[no text]";

void tell(std::string_view what) { fmt::print(stderr, "codexmem-hook: {}\n", what); }

std::string project_of(const HookCall& call, const std::string& cwd) {
  if (!call.project.empty()) return call.project;
  std::error_code failed;
  const fs::path folder = cwd.empty() ? fs::current_path(failed) : fs::path(cwd);
  if (std::string name = git_project(folder); !name.empty()) return name;
  std::string name = folder.lexically_normal().filename().string();
  if (name.empty()) name = folder.lexically_normal().parent_path().filename().string();
  return name.empty() ? "default" : name;
}

// A JSON value of a body, with what is private or secret in its strings taken out.
void clean(Json& value) {
  value = Json::parse(privacy::redact_json(privacy::strip_private_json(dump_json(value))), nullptr,
                      false);
}

// One event on its way.
class Telling {
 public:
  Telling(const HookCall& call, const HostInput& input)
      : call_(call), spool_(call.directory), port_(find_worker(call.directory)) {
    body_["contentSessionId"] = input.session_id;
    body_["platform"] = platform_name(call.platform);
    body_["project"] = project_of(call, input.cwd);
    body_["cwd"] = input.cwd;
    body_["eventId"] = random_hex(16);
    body_["at"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count();
  }

  void session_init(const HostInput& input) {
    const std::string_view given = trim(input.prompt);
    std::string prompt(trim(privacy::strip_private(given)));
    const bool is_private = prompt.empty() && !given.empty();
    if (const auto marked = spool_.mark_private(input.session_id, is_private); !marked.ok()) {
      tell(marked.error().message());
    }
    if (given.empty()) prompt = kWordlessPrompt;
    body_["prompt"] = std::move(prompt);
    send("/api/sessions/init");
  }

  void observation(const HostInput& input) {
    if (input.tool_name.empty() || spool_.is_private(input.session_id)) return;
    body_["tool_name"] = input.tool_name;
    body_["tool_input"] = Json::parse(input.tool_input, nullptr, false);
    body_["tool_response"] = Json::parse(input.tool_response, nullptr, false);
    if (!input.tool_use_id.empty()) body_["tool_use_id"] = input.tool_use_id;
    send("/api/sessions/observations");
  }

  void summarize(const HostInput& input) {
    if (spool_.is_private(input.session_id)) return;
    body_["last_assistant_message"] = !trim(input.last_assistant_message).empty()
                                          ? input.last_assistant_message
                                          : last_assistant_text(input.transcript_path);
    send("/api/sessions/summarize");
  }

  void session_complete(const HostInput& input) {
    if (const auto marked = spool_.mark_private(input.session_id, false); !marked.ok()) {
      tell(marked.error().message());
    }
    send("/api/sessions/complete");
  }

 private:
  // An answer that tells of a trouble that passes, or none in time, means that the event waits in
  // the spool; the worker knows it by its id when it got it twice.
  void send(std::string_view path) {
    if (port_) {
      const std::string body = dump_json(body_);
      const auto answer = call_worker(*port_, {.target = path, .body = body}, kPostLimit);
      if (answer && answer->status < 500) return;
    }
    for (const char* name : {"prompt", "tool_input", "tool_response", "last_assistant_message"}) {
      if (const auto value = body_.find(name); value != body_.end()) clean(*value);
    }
    // Taken as the worker takes it, so that the session is the same.
    body_["contentSessionId"] = privacy::redact(body_["contentSessionId"].get<std::string>());
    const auto left = spool_.leave(dump_json(Json{{"path", path}, {"body", body_}}));
    if (!left.ok()) tell(left.error().message());
  }

  const HookCall& call_;
  Spool spool_;
  std::optional<int> port_;
  Json body_;
};

std::string url_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    encoded += is_plain
                   ? std::string(1, c)
                   : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return encoded;
}

std::string answer_context(const HookCall& call, const HostInput& input) {
  const auto port = find_worker(call.directory);
  if (!port) return neutral_output(call.platform);
  const std::string target =
      "/api/context/inject?project=" + url_encoded(project_of(call, input.cwd));
  const auto answer =
      call_worker(*port, {.method = "GET", .target = target, .wants_body = true}, kContextLimit);
  if (!answer || answer->status != 200 || trim(answer->body).empty()) {
    return neutral_output(call.platform);
  }
  return context_output(call.platform, input, answer->body);
}

std::string answer_user_message(const HookCall& call) {
  const auto port = find_worker(call.directory);
  if (!port) return neutral_output(call.platform);
  return message_output(
      call.platform,
      fmt::format("codexmem remembers this session: http://127.0.0.1:{}/viewer", *port));
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count > 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return;  // nobody listens
    }
  }
}

}  // namespace

std::string answer_hook(const HookCall& call, std::string_view json) {
  if (call.directory.empty() || call.directory.is_relative()) return neutral_output(call.platform);
  const auto read = read_host_input(call.platform, json);
  const HostInput input = read.value_or(HostInput{});
  if (call.event == Event::kContext) return answer_context(call, input);
  if (call.event == Event::kUserMessage) return answer_user_message(call);
  if (input.session_id.empty()) return neutral_output(call.platform);

  Telling telling(call, input);
  switch (call.event) {
    // What a subagent is asked, and answers, is no turn of the session; what it does belongs to it.
    case Event::kSessionInit:
      if (input.agent_id.empty()) telling.session_init(input);
      break;
    case Event::kSummarize:
      if (input.agent_id.empty()) telling.summarize(input);
      break;
    case Event::kSessionComplete:
      if (input.agent_id.empty()) telling.session_complete(input);
      break;
    case Event::kObservation:
    case Event::kFileEdit:
      telling.observation(input);
      break;
    case Event::kContext:
    case Event::kUserMessage:
      break;
  }
  return neutral_output(call.platform);
}

int run_hook(std::string_view platform_word, std::string_view event_word, int input_descriptor,
             int output_descriptor) {
  const auto platform = parse_platform(platform_word);
  if (!platform) {
    tell(fmt::format("no platform \"{}\": there are claude-code, codex, cursor and raw",
                     platform_word));
    return 1;
  }
  std::string answer = neutral_output(*platform);
  try {
    const std::string input = read_input(input_descriptor, kInputLimit);
    if (const auto event = parse_event(event_word)) {
      HookCall call{.platform = *platform, .event = *event, .directory = user_directory()};
      if (const char* project = std::getenv("CODEXMEM_PROJECT"); project != nullptr) {
        call.project = project;
      }
      answer = answer_hook(call, input);
    }
  } catch (const std::exception& error) {
    tell(error.what());
  }
  write_all(output_descriptor, answer + "\n");
  return 0;
}

}  // namespace codexmem::hook
