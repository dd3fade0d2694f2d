// observe/intake/intake.h - the events of a coding session from hooks, on their way into the queue.
//
// Everything is stripped of private parts, redacted and bounded before anything of it is written;
// of a turn whose prompt was wholly private nothing is taken. Repeated events are distinguished
// from new ones by the event's id for ever, by the host's tool_use_id, by the content. Bodies of
// requests and lines of the spool are read by the same function, so that it does not matter which
// way an event came. Safe to use from many threads. Design: docs/how-it-works.md, "Queue".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"
#include "memory/entries/records.h"
#include "observe/intake/group_commit.h"
#include "observe/intake/queue.h"

namespace codexmem::observe {

/// What all of them carry.
struct HookEvent {
  std::string content_session_id;     // the host's name of the session; never empty
  std::string event_id;               // empty: none
  std::optional<std::int64_t> at_ms;  // when the hook saw it; nothing: now
};

/// A session's next prompt: POST /api/sessions/init.
struct InitRequest : HookEvent {
  std::string project, prompt, platform;
  std::string cwd = {};
};

/// A tool was used: POST /api/sessions/observations.
struct ObservationRequest : HookEvent {
  std::string tool_name;
  std::string tool_input, tool_response;  // JSON texts
  std::string tool_use_id;                // empty: none
  std::string cwd;
  std::string project;  // for a session that was never seen; empty: the name of cwd's folder
};

/// The assistant has answered: POST /api/sessions/summarize.
struct SummaryRequest : HookEvent {
  std::string last_assistant_message;
  std::string cwd, project;  // as above
};

/// The session has ended: POST /api/sessions/complete.
struct CompleteRequest : HookEvent {};

using IntakeRequest =
    std::variant<InitRequest, ObservationRequest, SummaryRequest, CompleteRequest>;

enum class IntakeStatus {
  kStarted,  // a prompt was counted (also one that is private: then there is a reason)
  kQueued,
  kDeduped,  // it came before
  kSkipped,  // see the reason
  kCompleted,
};

struct IntakeOutcome {
  IntakeStatus status = IntakeStatus::kSkipped;
  /// Why nothing is made of it: private, tool_excluded, session_memory_meta, project_excluded,
  /// not_active, queue_full. Empty: something is.
  std::string reason = {};
  memory::SessionId session{};     // 0: none
  std::int64_t prompt_number = 0;  // of the turn that it belongs to; 0: none is known
  bool is_duplicate = false;       // of a prompt that came before: this is the answer it got
};

struct IntakeOptions {
  /// Tools that are not captured, by their exact names; our own MCP tools never are.
  std::vector<std::string> skipped_tools = {
      "ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite",
      "AskUserQuestion",      "update_plan"};
  std::vector<std::string> excluded_projects = {};  // names or globs (text/name_list.h)
};

/// Reads the body of a POST to `path`, which is one of the four above. Unknown fields are ignored.
/// Errors: kNotFound for another path; kInvalidArgument with the message for a client: "Missing
/// contentSessionId", "Missing prompt", ..., or that the body is no JSON object.
Result<IntakeRequest> read_intake(std::string_view path, std::string_view body);

class Intake {
 public:
  /// Hears of what was committed, on the thread that did it; may be empty.
  using Listener = std::function<void(const IntakeRequest&, const IntakeOutcome&)>;

  /// `memory`, `queue` and `commits` outlive this.
  Intake(memory::Memory& memory, Queue& queue, GroupCommit& commits, IntakeOptions options = {});

  /// To be called before the first take().
  void set_listener(Listener listener) { listener_ = std::move(listener); }

  /// Takes one event; an answered one outlives a power cut. Errors: the store's.
  Result<IntakeOutcome> take(IntakeRequest request);

  /// Takes events in their order, in one transaction: all of them or none. For the spool.
  Result<std::vector<IntakeOutcome>> take_all(std::vector<IntakeRequest> requests);

 private:
  struct Prepared;
  Result<Prepared> prepare(IntakeRequest request) const;
  Result<IntakeOutcome> write(store::Database& database, const Prepared& prepared) const;
  // `before`: the number that this prompt got when it came first; nothing: it is new.
  Result<IntakeOutcome> write_prompt(store::Database& database, const Prepared& prepared,
                                     std::optional<std::int64_t> before,
                                     IntakeOutcome outcome) const;

  memory::Memory* memory_;
  Queue* queue_;
  GroupCommit* commits_;
  IntakeOptions options_;
  Listener listener_;
};

}  // namespace codexmem::observe
