// observe/journal.h - what the worker remembers of its own work: searches, messages, failures, and
// how good the provider's answers were.
//
// Searches (memory/search_log.h), timings and failures are rings of kJournalRows rows, trimmed as
// they are written; counters are kept for ever, or until they are reset. What belongs to a message
// is written in the processor's transaction, so that it is there exactly when the message is done.
// Thread-safe. Design: docs/worker.md, "Routes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/search_log.h"
#include "store/database.h"
#include "store/user/user_store.h"
#include "observe/provider.h"

namespace codexmem::observe {

using memory::SearchTrace;

inline constexpr std::int64_t kJournalRows = memory::kSearchTraces;

/// A message that was done or given up.
struct MessageTiming {
  std::int64_t id = 0;
  std::int64_t message_id = 0, session_id = 0;
  std::string kind;      // message_kind_name(): "observation", "summarize"
  std::string provider;  // whose answer was stored: "openai", "rule-based"
  std::int64_t queue_wait_ms = 0, model_ms = 0, index_ms = 0, total_ms = 0;
  bool success = true;
  std::optional<FailureClass> error_class = {};
  std::int64_t at_ms = 0;  // when it ended
};

/// What became of a message whose attempt failed. Stored by name: never rename.
enum class FailureOutcome { kRetry, kFallback, kFailed };
/// "retry", "fallback", "failed".
std::string_view failure_outcome_name(FailureOutcome outcome);

/// One failed attempt.
struct MessageFailure {
  std::int64_t id = 0;
  std::int64_t message_id = 0, session_id = 0;
  std::string kind, provider;  // as in MessageTiming
  FailureClass error_class = FailureClass::kUnknown;
  std::string message;       // for people; nothing of the event
  std::int64_t attempt = 1;  // from 1
  FailureOutcome outcome = FailureOutcome::kRetry;
  std::int64_t at_ms = 0;
};

enum class AgentTask { kObservation, kSummary };
enum class AgentOutcome { kSuccess, kParseFail, kSchemaFail, kRepairFail, kFallbackUsed };
inline constexpr std::size_t kAgentTasks = 2, kAgentOutcomes = 5;
/// "observation", "summary"; "success", "parse_fail", ... Stored by name: never rename.
std::string_view agent_task_name(AgentTask task);
std::string_view agent_outcome_name(AgentOutcome outcome);

/// Counts by task and outcome, every one present.
using AgentMetrics = std::map<AgentTask, std::map<AgentOutcome, std::int64_t>>;

// For the processor, inside its transaction. `id` is given by the table.

Result<void> write_timing(store::Database& database, const MessageTiming& timing);
/// Secrets in the message are redacted.
Result<void> write_failure(store::Database& database, const MessageFailure& failure);
/// Adds `n` to a counter.
Result<void> count_outcome(store::Database& database, AgentTask task, AgentOutcome outcome,
                           std::int64_t n = 1);

/// Filters of the journal's readers; those that a row does not know are not given. All must pass.
struct JournalFilter {
  std::size_t limit = 50;
  std::optional<std::int64_t> from_ms = {}, to_ms = {};  // both inclusive
  // Of searches.
  std::string query = {};  // part of the query, in any case of letters
  std::string project = {};
  std::optional<bool> is_hybrid = {};
  // Of messages.
  std::optional<std::int64_t> session_id = {};
  std::string kind = {};
  std::optional<bool> success = {};              // of timings
  std::optional<FailureClass> error_class = {};  // of failures
};

// Rows are newest first; `total` counts what passes the filter beyond the limit, too.

struct SearchTraces {
  std::vector<SearchTrace> rows;
  std::int64_t total = 0;
};

struct MessageTimings {
  std::vector<MessageTiming> rows;
  std::int64_t total = 0;
  double queue_wait_ms = 0, model_ms = 0, index_ms = 0, total_ms = 0;  // averages of all that pass
};

struct MessageFailures {
  std::vector<MessageFailure> rows;
  std::int64_t total = 0;
  std::map<FailureClass, std::int64_t> counts;  // of all that pass; every class is present
};

/// What happened from `at_ms` until the next bucket.
struct TrendBucket {
  std::int64_t at_ms = 0;
  std::int64_t searches = 0, messages = 0, failures = 0;
  double avg_search_ms = 0, avg_message_ms = 0;  // 0 where there was none
};

class Journal {
 public:
  /// `store` and `searches`, if any, outlive this; what `searches` has not written yet is seen,
  /// too.
  Journal(store::UserStore& store, memory::Clock clock, memory::SearchLog* searches = nullptr)
      : store_(&store), clock_(std::move(clock)), searches_(searches) {}

  // Errors: those of the store.
  Result<SearchTraces> searches(const JournalFilter& filter);
  Result<MessageTimings> timings(const JournalFilter& filter);
  Result<MessageFailures> failures(const JournalFilter& filter);

  /// The `count` buckets of `bucket_ms` up to and with the one of now, oldest first, each beginning
  /// at a multiple of `bucket_ms`.
  Result<std::vector<TrendBucket>> trends(std::int64_t bucket_ms, std::size_t count);

  Result<AgentMetrics> agent_metrics();
  /// Sets all to 0 and returns what they were.
  Result<AgentMetrics> reset_agent_metrics();

 private:
  store::UserStore* store_;
  memory::Clock clock_;
  memory::SearchLog* searches_;
};

}  // namespace codexmem::observe
