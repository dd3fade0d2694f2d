// Tested by hook/hook_test.cpp.
#include "hook/hook.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <utility>

#include "base/percent.h"
#include "base/now.h"
#include "config/git_root.h"
#include "text/json.h"
#include "text/name_list.h"
#include "config/project.h"
#include "base/random.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/user_directory.h"
#include "config/worker_file.h"
#include "hook/read_input.h"
#include "hook/refusals.h"
#include "hook/spool.h"
#include "hook/transcript.h"
#include "hook/watchdog.h"
#include "hook/worker_call.h"
#include "privacy/captured_text.h"
#include "privacy/gate.h"
#include "privacy/policy.h"
#include "privacy/private_text.h"

namespace codexmem::hook {
namespace fs = std::filesystem;
namespace {

// A prompt without words, such as an image alone, is not private: to the worker an empty one is.
constexpr std::string_view kWordlessPrompt = "[no text]";

void print_error(std::string_view what) {
  fmt::print(stderr, "codexmem-hook: {}\n", terminal_line(what));
}

// The project that an event belongs to, and what the settings there say of it.
struct Place {
  std::string project = {};
  std::string own_project = {};  // without what the repository says of itself
  ProjectPlace of_folder = {};   // that gives the project its name; no name: a setting does
  bool is_excluded = false;
  std::vector<std::string> skipped_tools =
      {};  // by the repository; those of the user the worker knows
};

Place place_of(const HookCall& call, const std::string& cwd) {
  std::error_code failed;
  const fs::path folder = cwd.empty() ? fs::current_path(failed) : fs::path(cwd);
  const Settings settings =
      Settings::load({.project = repository_root(folder) / kProjectSettingsName,
                      .user = call.directory / kUserSettingsName},
                     call.environment);
  Place place{.project = settings.value("CODEXMEM_PROJECT"),
              .own_project = settings.of_user().value("CODEXMEM_PROJECT")};
  place.skipped_tools = read_comma_list(settings.project_value("CODEXMEM_SKIP_TOOLS"));
  ProjectPlace of_folder = find_project_place(folder);
  const std::string name = find_project(of_folder, call.directory);
  if (place.own_project.empty()) place.own_project = name;
  // By no name can a repository come out of what its user excludes.
  const auto excluded = read_comma_list(settings.value("CODEXMEM_EXCLUDED_PROJECTS"));
  place.is_excluded = matches_any(excluded, of_folder.name) || matches_any(excluded, name) ||
                      matches_any(excluded, place.project) ||
                      matches_any(excluded, place.own_project);
  if (place.project.empty()) {
    place.project = name;
    place.of_folder = std::move(of_folder);
  }
  return place;
}

void refuse(const HookCall& call, Refusal refusal, std::string_view why) {
  print_error(why);
  if (!call.directory.empty()) RefusalCount(call.directory, refusal).add();
}

// A body as it may lie on the disk. All of it is looked through at once: a value that is known for
// a secret by the tool's input is one in its response, too. The session's id is taken as the worker
// takes it, by itself, so that the session is the same.
std::string spooled_body(Json body) {
  Json ids;
  for (const char* name : {"contentSessionId", "eventId", "at"}) {
    ids[name] = std::move(body[name]);
    body.erase(name);
  }
  ids["contentSessionId"] = privacy::captured(ids["contentSessionId"].get<std::string>());
  std::string text = dump_json(ids);
  text.back() = ',';
  return text + privacy::redact_json(privacy::captured_members(dump_json(body))).substr(1);
}

// One event on its way.
class Delivery {
 public:
  Delivery(const HookCall& call, const HostInput& input)
      : call_(call), spool_(call.directory), place_(place_of(call, input.cwd)) {
    body_["contentSessionId"] = input.session_id;
    body_["platform"] = platform_name(call.platform);
    body_["project"] = place_.project;
    body_["cwd"] = input.cwd;
    body_["eventId"] = random_hex(16);
    body_["at"] = now_ms();
  }

  void session_init(const HostInput& input) {
    const std::string_view given = trim(input.prompt);
    std::string prompt(trim(privacy::strip_private(given)));
    const bool is_private = prompt.empty() && !given.empty();
    // What a session of an excluded project does elsewhere is not reported either.
    if (const auto marked = spool_.mark_private(input.session_id, is_private || place_.is_excluded);
        !marked.ok()) {
      print_error(marked.error().message());
    }
    if (given.empty()) prompt = kWordlessPrompt;
    body_["prompt"] = std::move(prompt);
    send("/api/sessions/init");
  }

  void observation(const HostInput& input) {
    if (input.tool_name.empty() || spool_.is_private(input.session_id)) return;
    if (std::ranges::count(place_.skipped_tools, input.tool_name) > 0) return;
    body_["tool_name"] = input.tool_name;
    body_["tool_input"] = Json::parse(input.tool_input, nullptr, false);
    body_["tool_response"] = Json::parse(input.tool_response, nullptr, false);
    if (!input.tool_use_id.empty()) body_["tool_use_id"] = input.tool_use_id;
    send("/api/sessions/observations");
  }

  // True if the worker has it.
  bool summarize(const HostInput& input) {
    if (spool_.is_private(input.session_id)) return false;
    body_["last_assistant_message"] = !trim(input.last_assistant_message).empty()
                                          ? input.last_assistant_message
                                          : last_assistant_text(input.transcript_path);
    return send("/api/sessions/summarize");
  }

  void session_complete(const HostInput& input) {
    if (const auto marked = spool_.mark_private(input.session_id, false); !marked.ok()) {
      print_error(marked.error().message());
    }
    send("/api/sessions/complete");
  }

 private:
  // An answer about a passing trouble, or none in time, means that the event waits in
  // the spool; the worker knows it by its id when it got it twice. True if it was taken.
  bool send(std::string_view path) {
    if (place_.is_excluded) return false;
    // A reported event has a project on record; a look, or an excluded one, has none.
    if (!place_.of_folder.name.empty()) {
      body_["project"] = project_of(place_.of_folder, call_.directory);
    }
    const std::string body = dump_json(body_);
    const bool is_posted = body.size() <= kMaxPosted && !spool_.was_silent();
    const auto worker = is_posted ? find_worker(call_.directory) : std::nullopt;
    bool is_silent = false;
    if (worker) {
      const auto answer = call_worker(
          worker->port, {.target = path, .body = body, .token = worker->token}, kPostLimit);
      is_silent = !answer;
      if (answer && answer->status < 400) return true;
      // 403 refuses the caller, not the event.
      if (answer && answer->status < 500 && answer->status != 403) {
        refuse(call_, Refusal::kWorkerRefused,
               fmt::format("the worker refused the event: {} {}", answer->status,
                           fold_whitespace(utf8_prefix(answer->body, 300))));
        return false;
      }
    }
    const auto left = spool_.leave(
        fmt::format(R"({{"path":"{}","body":{}}})", path, spooled_body(std::move(body_))));
    if (is_silent) spool_.note_silence();
    if (!left.ok()) print_error(left.error().message());
    return false;
  }

  const HookCall& call_;
  Spool spool_;
  Place place_;
  Json body_;
};

std::string answer_context(const HookCall& call, const HostInput& input) {
  const auto worker = find_worker(call.directory);
  if (!worker) return neutral_output(call.platform);
  const Place place = place_of(call, input.cwd);
  if (place.is_excluded) return neutral_output(call.platform);
  // Memories of another project come into no session because a repository has its name.
  std::string target = "/api/context/inject?project=" + percent_encoded(place.own_project, "-._~");
  if (!input.cwd.empty()) target += "&cwd=" + percent_encoded(input.cwd, "-._~/");
  const auto answer = call_worker(
      worker->port, {.method = "GET", .target = target, .token = worker->token, .wants_body = true},
      kContextLimit);
  if (!answer) {
    refuse(call, Refusal::kTooSlow,
           "the worker gave no context in time: the session begins without it");
    return neutral_output(call.platform);
  }
  if (answer->status != 200 || trim(answer->body).empty()) return neutral_output(call.platform);
  return context_output(call.platform, input, answer->body);
}

std::string answer_user_message(const HookCall& call, const HostInput& input) {
  const auto worker = find_worker(call.directory);
  if (!worker || place_of(call, input.cwd).is_excluded) return neutral_output(call.platform);
  // Not with a token: the output of a hook is in the session's transcript.
  return message_output(
      call.platform, worker->token.empty()
                         ? "codexmem remembers this session: " + viewer_url(*worker)
                         : "codexmem remembers this session; `codexmem worker start` shows where");
}

// The member "text" of the guard's answer; empty on any trouble.
std::string ask_guard(const HookCall& call, const WorkerCall& question,
                      std::chrono::milliseconds limit) {
  const auto worker = find_worker(call.directory);
  if (!worker) return {};
  WorkerCall own = question;
  own.token = worker->token;
  own.wants_body = true;
  const auto answer = call_worker(worker->port, own, limit);
  if (!answer || answer->status != 200) return {};
  const Json read = Json::parse(answer->body, nullptr, false);
  const auto text = read.is_object() ? read.find("text") : read.end();
  return text != read.end() && text->is_string() ? text->get<std::string>() : std::string();
}

// What the edit that is about to be made breaks. A missing answer is not
// counted as a fault.
std::string answer_before_edit(const HookCall& call, const HostInput& input) {
  if (input.session_id.empty() || input.tool_name.empty() ||
      input.tool_input.size() > kMaxGuarded || Spool(call.directory).is_private(input.session_id) ||
      place_of(call, input.cwd).is_excluded) {
    return neutral_output(call.platform);
  }
  const std::string body =
      dump_json(Json{{"contentSessionId", input.session_id},
                     {"cwd", input.cwd},
                     {"tool_name", input.tool_name},
                     {"tool_input", Json::parse(input.tool_input, nullptr, false)}});
  const std::string text =
      ask_guard(call, {.target = "/api/context/edit", .body = body}, kGuardLimit);
  return text.empty() ? neutral_output(call.platform) : context_output(call.platform, input, text);
}

// At the end of a turn, what the session changed and did not look at: for the person, since the
// model would go on because of it.
std::string answer_unseen(const HookCall& call, const HostInput& input) {
  if (call.platform != Platform::kClaudeCode) return neutral_output(call.platform);
  const std::string target =
      "/api/context/unseen?contentSessionId=" + percent_encoded(input.session_id, "-._~");
  const std::string text = ask_guard(call, {.method = "GET", .target = target}, kContextLimit);
  return text.empty() ? neutral_output(call.platform) : message_output(call.platform, text);
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
  if (call.event == Event::kBeforeEdit) {
    // (Nothing of it is kept, and a text that is cut would be another edit.)
    return answer_before_edit(call, read_host_input(call.platform, json).value_or(HostInput{}));
  }
  const auto read = read_host_input(call.platform, privacy::captured_members(json));
  const HostInput input = read.value_or(HostInput{});
  if (call.event == Event::kContext) return answer_context(call, input);
  if (call.event == Event::kUserMessage) return answer_user_message(call, input);
  if (!read) {
    refuse(call, Refusal::kNoJson, "the event is not a JSON object");
    return neutral_output(call.platform);
  }
  if (input.session_id.empty()) {
    refuse(call, Refusal::kNoSession, "the event names no session");
    return neutral_output(call.platform);
  }

  Delivery delivery(call, input);
  switch (call.event) {
    // What a subagent is asked, and answers, is no turn of the session; what it does belongs to it.
    case Event::kSessionInit:
      if (input.agent_id.empty()) delivery.session_init(input);
      break;
    case Event::kSummarize:
      if (!input.agent_id.empty()) break;
      if (delivery.summarize(input)) return answer_unseen(call, input);
      break;
    case Event::kSessionComplete:
      if (input.agent_id.empty()) delivery.session_complete(input);
      break;
    case Event::kObservation:
    case Event::kFileEdit:
      delivery.observation(input);
      break;
    case Event::kContext:
    case Event::kUserMessage:
    case Event::kBeforeEdit:
      break;
  }
  return neutral_output(call.platform);
}

int run_hook(std::string_view platform_word, std::string_view event_word, int input_descriptor,
             int output_descriptor) {
  const auto platform = parse_platform(platform_word);
  if (!platform) {
    print_error(fmt::format("no platform \"{}\": there are {}", platform_word, platform_names()));
    return 1;
  }
  std::string answer = neutral_output(*platform);
  const std::string neutral = answer;
  HookCall call{.platform = *platform, .directory = user_directory()};
  const RefusalCount slow(call.directory, Refusal::kTooSlow);
  const auto event = parse_event(event_word);
  const bool is_guard = event == Event::kBeforeEdit;
  Watchdog watchdog(is_guard ? kGuardHookLimit : kHookLimit, neutral, output_descriptor,
                    is_guard ? nullptr : &slow);
  try {
    const auto input = read_input(input_descriptor, kInputLimit);
    if (!event) {
      refuse(call, Refusal::kUnknownEvent,
             fmt::format("no event \"{}\": there are {}", event_word, event_names()));
    } else if (!input) {
      refuse(call, Refusal::kTooLarge,
             fmt::format("the event has more than {} MiB", kMaxInput >> 20));
    } else {
      call.event = *event;
      answer = answer_hook(call, *input);
    }
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  watchdog.answer_is_given();
  write_all(output_descriptor, terminal_json(answer) + "\n");
  return 0;
}

std::string hook_help() {
  // A name a line.
  const auto list = [](const std::string& names) {
    std::string lines;
    for (const std::string_view name : split(names, ',')) {
      lines += "  " + std::string(name.substr(name.find_first_not_of(' '))) + "\n";
    }
    return lines;
  };
  return fmt::format(
      "codexmem-hook - sends codexmem's worker an event of a coding tool\n\n"
      "Usage: codexmem-hook PLATFORM EVENT < EVENT.json\n\n"
      "Platforms:\n{}\nEvents:\n{}\n"
      "For the tool's hooks, not for people: reads the event as JSON from standard\n"
      "input, tells the worker, or leaves it in a spool when none runs, and prints the\n"
      "answer that the tool expects. The exit code is 0 whatever happens to the event;\n"
      "1 for a wrong command line or platform. --version says which codexmem it is of.\n\n"
      "Example:\n"
      "  echo '{{\"session_id\":\"s1\",\"cwd\":\"/home/me\",\"prompt\":\"Fix the total\"}}' |\n"
      "    codexmem-hook claude-code session-init\n",
      list(platform_names()), list(event_names()));
}

}  // namespace codexmem::hook
