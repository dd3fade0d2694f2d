// observe/models/provider.h - who makes observations of what a coding session did.
//
// A provider is given tool events and returns observations of them: a model over HTTP, or
// rules. What it is given is bounded, stripped of private parts and redacted already; what it gives
// is checked and redacted again before it is stored. Whether and when a failure is tried again is
// the processor's to decide (observe/work/processor.h). Implementations are safe to use from many
// threads. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "store/user/message_kinds.h"
#include "store/user/sessions.h"

namespace codexmem::observe {

using store::EarlierObservation;
using store::failure_class_name;
using store::FailureClass;
using store::parse_failure_class;

/// One use of a tool in a session.
struct ToolEvent {
  std::int64_t message_id = 0;  // of its row in the queue
  std::string tool_name;        // as the host calls it: "Edit", "Bash", "apply_patch"
  std::string input;            // JSON text
  std::string response;         // JSON text
  std::string cwd;              // absolute; empty: unknown
  std::int64_t at_ms = 0;
};

/// The memory of one event or several.
struct Observation {
  std::string type;  // bugfix, feature, refactor, change, discovery, decision, ...
  std::string title, subtitle, narrative;
  std::vector<std::string> facts, concepts, files_read, files_modified;
  /// What memory/recall/reflection.h reads: "error", "success", or "none" for neither
  /// whatever its words are; empty: its words decide. Of what; empty: of its files.
  std::string outcome, target;
  bool is_routine = false;                // it only looked: no later session is shown it unasked
  std::vector<std::int64_t> message_ids;  // of the events that it is about; empty: all of them
};

/// Events of one prompt of one session, oldest first.
struct ObserveRequest {
  std::string project;
  std::string prompt;  // what the user asked for; may be empty
  std::vector<ToolEvent> events;
  std::vector<EarlierObservation> earlier = {};  // the last of its session, oldest first
};

/// What a session's turn came to.
struct SummarizeRequest {
  std::string project;
  std::vector<std::string> prompts;  // since the last summary, oldest first; may be empty
  std::string last_assistant_message;
  std::vector<Observation> observations;  // since the last summary, oldest first
};

struct SessionSummary {
  std::string request, investigated, learned, completed, next_steps, notes;
  std::vector<std::string> files_read, files_edited;
};

struct ProviderFailure {
  FailureClass kind = FailureClass::kUnknown;
  std::string message;    // for people; holds no key and nothing of the events
  bool may_pass = false;  // another attempt may go better
  std::optional<std::chrono::milliseconds> retry_after = {};  // the server asked for it
};

/// How a call went, whatever came of it.
struct CallRecord {
  std::int64_t tokens = 0;  // taken from the budget
  int parse_fails = 0;      // answers that could not be read
  int schema_fails = 0;     // answers of another shape, or with invalid values
  int repair_fails = 0;     // answers to the repair call that could not be used either
};

/// Observations (none when there was nothing worth one), or a failure.
struct ObserveReply {
  std::vector<Observation> observations;
  std::optional<ProviderFailure> failure;
  CallRecord record;
};

/// A summary (none when there was nothing worth one), or a failure.
struct SummarizeReply {
  std::optional<SessionSummary> summary;
  std::optional<ProviderFailure> failure;
  CallRecord record;
};

class Provider {
 public:
  virtual ~Provider() = default;

  virtual std::string_view name() const = 0;   // "openai", "rule-based"
  virtual std::string_view model() const = 0;  // "gpt-..."; empty: none

  /// True when a call costs time and tokens, so that events are better given together.
  virtual bool wants_batches() const = 0;

  /// Returns soon after `stop` was requested, with any failure.
  virtual ObserveReply observe(const ObserveRequest& request, std::stop_token stop) const = 0;
  virtual SummarizeReply summarize(const SummarizeRequest& request, std::stop_token stop) const = 0;
};

}  // namespace codexmem::observe
