// What takes time (stripping, cutting, redacting) is done before the store is asked for; then one
// transaction looks at the session and its turn, and writes. The checks are made in the order of
// the contract, so that the reported reason does not depend on how far one got.
//
// Tested by observe/intake_test.cpp and tests/worker/privacy.py.
#include "observe/intake/intake.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

#include "base/hash.h"
#include "text/json.h"
#include "text/json_text.h"
#include "text/name_list.h"
#include "config/git_root.h"
#include "config/project.h"
#include "base/text.h"
#include "memory/entries/entries.h"
#include "memory/entries/sessions.h"
#include "privacy/gate.h"
#include "privacy/json_strings.h"
#include "privacy/captured_text.h"
#include "store/user/worker_notes.h"
#include "store/user/sessions.h"

namespace codexmem::observe {
namespace {

using memory::SessionId;
using memory::SessionRow;
using store::CapturedEvent;
using store::Turn;

constexpr std::int64_t kSameContentMs = 300'000;
constexpr std::int64_t kFirstMs = 946'684'800'000;  // 2000-01-01; no event was before

// ---- Reading a body

// A body's members, as they stand there: what a tool was given and answered may be large, and is
// copied only once it is known to be wanted.
using Body = std::map<std::string_view, std::string_view>;
constexpr std::array<std::string_view, 12> kMembers = {
    "contentSessionId", "eventId",     "at",        "project",
    "prompt",           "platform",    "tool_name", "tool_input",
    "tool_response",    "tool_use_id", "cwd",       "last_assistant_message"};

std::string_view member_json(const Body& body, std::string_view name) {
  const auto at = body.find(name);
  return at == body.end() ? "null" : at->second;
}

std::string member_text(const Body& body, std::string_view name) {
  const std::string_view value = member_json(body, name);
  return value.starts_with('"') ? privacy::json_string_value(value) : std::string();
}

Result<std::string> required(const Body& body, const char* name) {
  std::string text = member_text(body, name);
  if (trim(text).empty()) return invalid_argument(fmt::format("Missing {}", name));
  return text;
}

// One that is too long keeps its beginning and a digest.
std::string bounded_name(std::string name) {
  if (name.size() <= memory::kMaxNameBytes) return name;
  const std::string kept = privacy::captured(name);
  return fmt::format("{}...{}", utf8_prefix(kept, memory::kMaxNameBytes - 40),
                     sha256_hex(name).substr(0, 32));
}

Result<void> read_event(const Body& body, HookEvent& event) {
  CODEXMEM_ASSIGN(event.content_session_id, required(body, "contentSessionId"));
  CODEXMEM_TRY(
      memory::check_size("contentSessionId", event.content_session_id, memory::kMaxNameBytes));
  event.event_id = bounded_name(member_text(body, "eventId"));
  const std::string_view at = member_json(body, "at");
  std::int64_t at_ms = 0;
  const char* const end = at.data() + at.size();
  const auto [read_to, error] = std::from_chars(at.data(), end, at_ms);
  if (error == std::errc() && read_to == end && at_ms >= kFirstMs) event.at_ms = at_ms;
  return {};
}

// ---- Events that are not captured

// The tools of our own server, however the host writes a server's name before a tool's.
bool is_own_tool(std::string_view tool_name) {
  std::string name = to_lower_ascii(tool_name);
  if (name.starts_with("mcp")) name.erase(0, name.find_first_not_of("_:./ -", 3));
  constexpr std::string_view kOwn = "codexmem";
  if (!name.starts_with(kOwn)) return false;
  return name.size() == kOwn.size() ||
         std::string_view("_:./ -").find(name[kOwn.size()]) != std::string_view::npos;
}

// Hosts keep notes of a session in files of their own: changes of them mean nothing.
bool is_session_note(std::string_view tool_name, std::string_view tool_input) {
  constexpr std::array<std::string_view, 4> kTools = {"Edit", "Write", "Read", "NotebookEdit"};
  if (std::ranges::find(kTools, tool_name) == kTools.end()) return false;
  if (tool_input.find("session-memory") == std::string_view::npos) return false;
  constexpr std::array<std::string_view, 3> kPaths = {"file_path", "notebook_path", "path"};
  const auto input = find_json_members(tool_input, kPaths);
  return input && std::ranges::any_of(kPaths, [&](std::string_view name) {
           return member_text(*input, name).find("session-memory") != std::string::npos;
         });
}

// The project of a session that was never seen: the one that its hook named, else the folder's. A
// relative path says nothing.
std::string name_project(std::string_view given, std::string_view cwd,
                         const std::filesystem::path& directory) {
  std::string name = privacy::captured_name(given);
  if (name.empty()) {
    const ProjectPlace place = find_project_place(cwd.starts_with('/') ? cwd : "");
    name = privacy::captured_name(project_of(place, directory));
  }
  return name.empty() ? std::string(kNoProject) : name;
}

// ---- Telling events apart

// 16 bytes that identify an event; `kind` keeps ids of different sorts apart.
std::string event_key(std::string_view kind, std::string_view text) {
  const std::string hex = sha256_hex(std::string(kind) + '\0' + std::string(text));
  std::string key;
  for (std::size_t i = 0; i < 32; i += 2) {
    key += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return key;
}

// A message's payload: the redacted event, its source, and the branch on which it happened.
std::string with_source(std::string_view redacted, std::string_view source_ref,
                        const std::optional<memory::BranchPlace>& place) {
  return fmt::format(R"({},"source_ref":{}{}}})", redacted.substr(0, redacted.size() - 1),
                     privacy::json_string_literal(source_ref),
                     place ? R"(,"place":)" + memory::place_json(*place) : "");
}

// The turn that an event of `at_ms` belongs to. Events come late; so one that was seen in a private
// turn stays private when the next prompt is there already, and nothing is taken while the current
// prompt is private, whatever a clock that was set back says.
Result<Turn> find_turn(store::Database& database, SessionId session,
                       std::optional<std::int64_t> at_ms) {
  CODEXMEM_ASSIGN(const Turn current, store::find_last_turn(database, session, {}));
  if (!at_ms || current.is_private) return current;
  CODEXMEM_ASSIGN(const Turn turn, store::find_last_turn(database, session, at_ms));
  return turn.prompt_number == 0 ? current : turn;
}

}  // namespace

// An event as it may be written.
struct Intake::Prepared {
  IntakeRequest request;  // names are captured; texts are gone
  std::string event_key;  // of its id
  std::string same_key;   // of the host's id for it; never comes again
  std::string content;    // identifies it if the host has no id for it
  memory::PreparedPrompt prompt;
  std::string project;       // for a session that was never seen
  bool is_excluded = false;  // by its folder, whatever the project is called
  std::string skip;          // the reason, if it is known already
  std::string payload;

  HookEvent& event() {
    return std::visit([](auto& request_) -> HookEvent& { return request_; }, request);
  }
  const HookEvent& event() const {
    return std::visit([](const auto& request_) -> const HookEvent& { return request_; }, request);
  }
};

Result<IntakeRequest> read_intake(std::string_view path, std::string_view body_text) {
  // Values nested too deeply become text.
  if (is_too_deep(body_text)) return read_intake(path, flatten_json(body_text));
  const auto members = find_json_members(body_text, kMembers);
  if (!members) {
    if (const std::string repaired = repair_json(body_text); repaired != body_text) {
      return read_intake(path, repaired);
    }
    return invalid_argument(Json::accept(body_text) ? "The body must be a JSON object"
                                                    : "The body is not valid JSON");
  }
  const Body& body = *members;
  if (path == "/api/sessions/init") {
    InitRequest init;
    CODEXMEM_TRY(read_event(body, init));
    CODEXMEM_ASSIGN(init.project, required(body, "project"));
    init.project = bounded_name(std::move(init.project));
    if (!member_json(body, "prompt").starts_with('"')) return invalid_argument("Missing prompt");
    init.prompt = member_text(body, "prompt");
    init.platform = bounded_name(member_text(body, "platform"));
    init.cwd = member_text(body, "cwd");
    return IntakeRequest(std::move(init));
  }
  if (path == "/api/sessions/observations") {
    ObservationRequest observation;
    CODEXMEM_TRY(read_event(body, observation));
    CODEXMEM_ASSIGN(observation.tool_name, required(body, "tool_name"));
    observation.tool_name = bounded_name(std::move(observation.tool_name));
    observation.tool_input = member_json(body, "tool_input");
    observation.tool_response = member_json(body, "tool_response");
    observation.tool_use_id = bounded_name(member_text(body, "tool_use_id"));
    observation.cwd = member_text(body, "cwd");
    observation.project = bounded_name(member_text(body, "project"));
    return IntakeRequest(std::move(observation));
  }
  if (path == "/api/sessions/summarize") {
    SummaryRequest summary;
    CODEXMEM_TRY(read_event(body, summary));
    summary.last_assistant_message = member_text(body, "last_assistant_message");
    summary.cwd = member_text(body, "cwd");
    summary.project = bounded_name(member_text(body, "project"));
    return IntakeRequest(std::move(summary));
  }
  if (path == "/api/sessions/complete") {
    CompleteRequest complete;
    CODEXMEM_TRY(read_event(body, complete));
    return IntakeRequest(std::move(complete));
  }
  return Error{ErrorCode::kNotFound, fmt::format("{} takes no events", utf8_prefix(path, 80))};
}

Intake::Intake(memory::Memory& memory, Queue& queue, GroupCommit& commits, IntakeOptions options)
    : memory_(&memory), queue_(&queue), commits_(&commits), options_(std::move(options)) {}

Result<IntakeOutcome> Intake::take(IntakeRequest request) {
  std::vector<IntakeRequest> one;
  one.push_back(std::move(request));
  CODEXMEM_ASSIGN(std::vector<IntakeOutcome> outcomes, take_all(std::move(one)));
  return std::move(outcomes.front());
}

Result<std::vector<IntakeOutcome>> Intake::take_all(std::vector<IntakeRequest> requests) {
  std::vector<Prepared> prepared;
  for (IntakeRequest& request : requests) {
    CODEXMEM_ASSIGN(Prepared ready, prepare(std::move(request)));
    prepared.push_back(std::move(ready));
  }
  std::vector<IntakeOutcome> outcomes;
  CODEXMEM_TRY(commits_->run([&](store::Database& database) -> Result<void> {
    outcomes.clear();
    for (const Prepared& one : prepared) {
      CODEXMEM_ASSIGN(IntakeOutcome outcome, write(database, one));
      outcomes.push_back(std::move(outcome));
    }
    return {};
  }));
  if (listener_) {
    for (std::size_t i = 0; i < prepared.size(); ++i) listener_(prepared[i].request, outcomes[i]);
  }
  return outcomes;
}

Result<Intake::Prepared> Intake::prepare(IntakeRequest request) const {
  Prepared prepared;
  prepared.request = std::move(request);
  HookEvent& event = prepared.event();
  event.content_session_id = privacy::captured(event.content_session_id);
  if (event.content_session_id.empty()) return invalid_argument("Missing contentSessionId");
  if (!event.event_id.empty()) prepared.event_key = event_key("event", event.event_id);
  if (event.at_ms) event.at_ms = std::min(*event.at_ms, memory_->clock()());

  // A repository may say what its project is called, but comes out of no exclusion by that.
  const std::string cwd = std::visit(
      [](const auto& one) -> std::string {
        if constexpr (requires { one.cwd; }) {
          return one.cwd;
        } else {
          return {};
        }
      },
      prepared.request);
  const std::filesystem::path& directory = memory_->store().directory();
  if (!options_.excluded_projects.empty() && cwd.starts_with('/')) {
    const ProjectPlace place = find_project_place(cwd);
    for (const std::string& name : {place.name, find_project(place, directory)}) {
      prepared.is_excluded |= matches_any(options_.excluded_projects, privacy::captured_name(name));
    }
  }
  // Nothing of an excluded project is recorded, not even its place.
  const std::string known_cwd = prepared.is_excluded ? std::string() : cwd;

  std::optional<memory::BranchPlace> place;
  if (known_cwd.starts_with('/')) place = memory_->branches_of(git_root(known_cwd))->entry_place();

  const auto describe_event = [&](std::string_view tool_use_id) {
    if (!tool_use_id.empty()) return fmt::format("tool:{}", privacy::captured(tool_use_id));
    if (event.event_id.empty()) return std::string();
    return fmt::format("event:{}", privacy::captured(event.event_id));
  };
  if (auto* init = std::get_if<InitRequest>(&prepared.request)) {
    prepared.project = name_project(init->project, known_cwd, directory);
    init->project = prepared.project;
    init->platform = privacy::captured(init->platform);
    prepared.prompt = memory_->sessions().prepare_prompt(privacy::captured_text(init->prompt));
    prepared.prompt.place = place;
    init->prompt.clear();
  } else if (auto* tool = std::get_if<ObservationRequest>(&prepared.request)) {
    prepared.project = name_project(tool->project, known_cwd, directory);
    if (is_own_tool(tool->tool_name) ||
        std::ranges::find(options_.skipped_tools, tool->tool_name) !=
            options_.skipped_tools.end()) {
      prepared.skip = "tool_excluded";
    } else if (is_session_note(tool->tool_name, tool->tool_input)) {
      prepared.skip = "session_memory_meta";
    } else {
      const auto literal = [](std::string_view text) {
        return privacy::json_string_literal(privacy::captured_text(text));
      };
      // Written again: what keys say of their values is looked for in keys that are not escaped.
      const Json event_json = Json::parse(
          fmt::format(R"({{"tool_name":{},"tool_input":{},"tool_response":{},"cwd":{}}})",
                      literal(tool->tool_name), privacy::captured_json(tool->tool_input),
                      privacy::captured_json(tool->tool_response), literal(tool->cwd)));
      const std::string redacted = privacy::redacted_json(dump_json(event_json));
      prepared.payload = with_source(redacted, describe_event(tool->tool_use_id), place);
      if (tool->tool_use_id.empty()) {
        prepared.content = redacted;
      } else {
        prepared.same_key = event_key("tool", tool->tool_use_id);
      }
    }
    tool->tool_input.clear();
    tool->tool_response.clear();
  } else if (auto* summary = std::get_if<SummaryRequest>(&prepared.request)) {
    prepared.project = name_project(summary->project, known_cwd, directory);
    const std::string message = privacy::captured_text(summary->last_assistant_message);
    summary->last_assistant_message.clear();
    prepared.content =
        fmt::format(R"({{"last_assistant_message":{}}})", privacy::json_string_literal(message));
    prepared.payload = with_source(prepared.content, describe_event({}), place);
  }
  return prepared;
}

Result<IntakeOutcome> Intake::write(store::Database& database, const Prepared& prepared) const {
  const HookEvent& event = prepared.event();
  const std::int64_t now_ms = memory_->clock()();
  const std::int64_t at_ms = event.at_ms.value_or(now_ms);
  CODEXMEM_ASSIGN(std::optional<SessionRow> session,
                  memory::find_session(database, event.content_session_id));
  IntakeOutcome outcome;
  std::optional<CapturedEvent> before;
  if (session) {
    outcome.session = session->id;
    CODEXMEM_ASSIGN(before, store::find_captured(database, session->id, prepared.event_key));
  }

  if (std::holds_alternative<InitRequest>(prepared.request)) {
    return write_prompt(database, prepared,
                        before ? std::optional(before->prompt_number) : std::nullopt, outcome);
  }
  if (std::holds_alternative<CompleteRequest>(prepared.request)) {
    if (before) {
      outcome.status = IntakeStatus::kDeduped;
      return outcome;
    }
    CODEXMEM_ASSIGN(const auto completed,
                    memory::complete_session(database, event.content_session_id, at_ms));
    if (!completed) {
      outcome.reason = "not_active";
      return outcome;
    }
    CODEXMEM_ASSIGN(const Turn turn, find_turn(database, *completed, {}));
    outcome.status = IntakeStatus::kCompleted;
    outcome.prompt_number = turn.prompt_number;
    CODEXMEM_TRY(store::put_captured(database, *completed, prepared.event_key,
                                     {turn.prompt_number, now_ms}));
    return outcome;
  }

  // Checked in the order of the contract: project, tool, turn, repetition.
  if (prepared.is_excluded ||
      matches_any(options_.excluded_projects, session ? session->project : prepared.project)) {
    outcome.reason = "project_excluded";
    return outcome;
  }
  if (!prepared.skip.empty()) {
    outcome.reason = prepared.skip;
    return outcome;
  }
  if (session) {
    CODEXMEM_ASSIGN(const Turn turn, find_turn(database, session->id, event.at_ms));
    outcome.prompt_number = turn.prompt_number;
    if (turn.is_private) {
      outcome.reason = "private";
      return outcome;
    }
  }
  const bool is_summary = std::holds_alternative<SummaryRequest>(prepared.request);
  std::string content_key;
  if (is_summary || prepared.same_key.empty()) {
    content_key = event_key(is_summary ? "summary" : "content",
                            fmt::format("{}:{}", outcome.prompt_number, prepared.content));
  }
  if (session) {
    CODEXMEM_ASSIGN(const auto same,
                    store::find_captured(database, session->id, prepared.same_key));
    CODEXMEM_ASSIGN(const auto alike, store::find_captured(database, session->id, content_key));
    if (before || same ||
        (alike && (is_summary || now_ms - alike->captured_at_ms <= kSameContentMs))) {
      outcome.status = IntakeStatus::kDeduped;
      return outcome;
    }
  } else {
    CODEXMEM_ASSIGN(session, memory::start_session(database, event.content_session_id,
                                                   prepared.project, {}, at_ms));
    outcome.session = session->id;
  }

  NewMessage message;
  message.session = session->id;
  message.kind = is_summary ? MessageKind::kSummarize : MessageKind::kObservation;
  message.prompt_number = outcome.prompt_number;
  message.payload = prepared.payload;
  message.happened_at_ms = at_ms;
  CODEXMEM_ASSIGN(const auto queued, queue_->add(database, message));
  if (!queued) {
    outcome.reason = "queue_full";
    return outcome;
  }
  outcome.status = IntakeStatus::kQueued;
  for (const std::string* key :
       std::array<const std::string*, 3>{&prepared.event_key, &prepared.same_key, &content_key}) {
    CODEXMEM_TRY(store::put_captured(database, session->id, *key, {outcome.prompt_number, now_ms}));
  }
  return outcome;
}

Result<IntakeOutcome> Intake::write_prompt(store::Database& database, const Prepared& prepared,
                                           std::optional<std::int64_t> before,
                                           IntakeOutcome outcome) const {
  const HookEvent& event = prepared.event();
  const auto& init = std::get<InitRequest>(prepared.request);
  outcome.status = IntakeStatus::kStarted;
  if (before) {
    CODEXMEM_ASSIGN(const Turn turn, store::find_turn_at(database, outcome.session, *before));
    if (turn.is_private) outcome.reason = "private";
    outcome.prompt_number = *before;
    outcome.is_duplicate = true;
    return outcome;
  }
  const std::int64_t now_ms = memory_->clock()();
  const std::int64_t at_ms = event.at_ms.value_or(now_ms);
  CODEXMEM_ASSIGN(const SessionRow session,
                  memory::start_session(database, event.content_session_id, init.project,
                                        init.platform, at_ms));
  outcome.session = session.id;
  if (prepared.is_excluded || matches_any(options_.excluded_projects, session.project)) {
    outcome.status = IntakeStatus::kSkipped;
    outcome.reason = "project_excluded";
    return outcome;
  }
  CODEXMEM_ASSIGN(const memory::AddedPrompt added,
                  memory_->sessions().insert_prompt(database, session, prepared.prompt, at_ms));
  outcome.prompt_number = added.prompt_number;
  outcome.is_duplicate = added.is_duplicate;
  if (added.is_private) outcome.reason = "private";
  CODEXMEM_TRY(
      store::put_captured(database, session.id, prepared.event_key, {added.prompt_number, now_ms}));
  return outcome;
}

}  // namespace codexmem::observe
