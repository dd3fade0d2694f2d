// store/user/journal.h - what the worker has done: searches, messages, failures, and how good the
// provider's answers were.
//
// Searches, timings and failures are rings of kJournalRows rows, trimmed as they are written;
// counters are kept until they are reset. Design: docs/reference/routes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/fields.h"
#include "store/user/message_kinds.h"

namespace codexmem::store {

inline constexpr std::int64_t kJournalRows = 10'000;

/// A search. Written by memory/recall/search_log.h.
struct SearchTrace {
  std::int64_t id = 0;
  std::int64_t at_ms = 0;
  std::string query;    // private parts taken out, redacted, cut; empty: only filters were given
  std::string project;  // that was asked for; empty: all
  std::string mode = "lexical-only";  // or "hybrid"
  std::string vector_backend;         // "sqlite", "chroma", "hybrid"
  std::size_t vector_hits = 0, lexical_hits = 0, returned = 0;
  double total_ms = 0, lexical_ms = 0, vector_ms = 0, fuse_ms = 0;
  std::string degraded;  // why vectors did not help; empty: they did, or none were wanted
};
void visit_fields(FieldsOf<SearchTrace> auto& trace, auto&& visit) {
  visit("at_ms", trace.at_ms)("query", trace.query)("project", trace.project)("mode", trace.mode);
  visit("vector_backend", trace.vector_backend)("vector_hits", trace.vector_hits);
  visit("lexical_hits", trace.lexical_hits)("returned", trace.returned);
  visit("total_ms", trace.total_ms)("lexical_ms", trace.lexical_ms)("vector_ms", trace.vector_ms);
  visit("fuse_ms", trace.fuse_ms)("degraded", trace.degraded, kOrNull);
}

/// A message that was done or given up.
struct MessageTiming {
  std::int64_t id = 0;  // given by the table, as in all of these
  std::int64_t message_id = 0, session_id = 0;
  std::string kind;      // message_kind_name(): "observation", "summarize"
  std::string provider;  // whose answer was stored: "openai", "rule-based"
  std::int64_t queue_wait_ms = 0, model_ms = 0, index_ms = 0, total_ms = 0;
  bool success = true;
  std::optional<FailureClass> error_class = {};
  std::int64_t at_ms = 0;  // when it ended
};
void visit_fields(FieldsOf<MessageTiming> auto& timing, auto&& visit) {
  visit("message_id", timing.message_id)("session_id", timing.session_id)("kind", timing.kind);
  visit("provider", timing.provider)("queue_wait_ms", timing.queue_wait_ms);
  visit("model_ms", timing.model_ms)("index_ms", timing.index_ms)("total_ms", timing.total_ms);
  visit("success", timing.success)("error_class", timing.error_class)("at_ms", timing.at_ms);
}

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
void visit_fields(FieldsOf<MessageFailure> auto& failure, auto&& visit) {
  visit("message_id", failure.message_id)("session_id", failure.session_id)("kind", failure.kind);
  visit("provider", failure.provider)("error_class", failure.error_class);
  visit("message", failure.message)("attempt", failure.attempt)("outcome", failure.outcome);
  visit("at_ms", failure.at_ms);
}

// Writers, inside a transaction. The ids of rows are ignored.

Result<void> write_search(Database& database, const SearchTrace& trace);
Result<void> write_timing(Database& database, const MessageTiming& timing);
Result<void> add_failure(Database& database, const MessageFailure& failure);
/// Adds `n` to a counter.
Result<void> count_outcome(Database& database, AgentTask task, AgentOutcome outcome,
                           std::int64_t n = 1);

/// Filters of the readers, all of which a row must pass. A reader ignores filters of other rows.
struct JournalFilter {
  std::size_t limit = 50;
  std::optional<std::int64_t> from_ms = {}, to_ms = {};  // both inclusive
  // Of searches.
  std::string query = {};  // part of the query, in any case of letters
  std::string project = {};
  std::string mode = {};
  // Of messages.
  std::optional<std::int64_t> session_id = {};
  std::string kind = {};
  std::optional<bool> success = {};              // of timings
  std::optional<FailureClass> error_class = {};  // of failures
};

// Rows are newest first; `total` counts all that passes the filter, also beyond the limit. Read in
// a transaction, so that both are of one moment.

struct SearchTraces {
  std::vector<SearchTrace> rows;
  std::int64_t total = 0;
};
Result<SearchTraces> list_searches(Database& database, const JournalFilter& filter);

struct MessageTimings {
  std::vector<MessageTiming> rows;
  std::int64_t total = 0;
  double queue_wait_ms = 0, model_ms = 0, index_ms = 0, total_ms = 0;  // averages of all that pass
};
Result<MessageTimings> list_timings(Database& database, const JournalFilter& filter);

struct MessageFailures {
  std::vector<MessageFailure> rows;
  std::int64_t total = 0;
  std::map<FailureClass, std::int64_t> counts;  // of all that pass; every class is present
};
Result<MessageFailures> list_failures(Database& database, const JournalFilter& filter);

/// What happened from `at_ms` until the next bucket.
struct TrendBucket {
  std::int64_t at_ms = 0;
  std::int64_t searches = 0, messages = 0, failures = 0;
  double avg_search_ms = 0, avg_message_ms = 0;  // 0 where there was none
};
/// `count` (at least 1) buckets of `bucket_ms`, the first at `from_ms`.
Result<std::vector<TrendBucket>> count_trends(Database& database, std::int64_t from_ms,
                                              std::int64_t bucket_ms, std::size_t count);

/// Counts by task and outcome, every one present.
using AgentMetrics = std::map<AgentTask, std::map<AgentOutcome, std::int64_t>>;
Result<AgentMetrics> read_agent_metrics(Database& database);
Result<void> clear_agent_metrics(Database& database);

}  // namespace codexmem::store
