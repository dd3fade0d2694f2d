// observe/intake/journal.h - what the worker remembers of its own work (store/user/journal.h), as
// it is shown: of one moment and redacted.
//
// What belongs to a message is written in the processor's transaction, so that it is there exactly
// when the message is done. Thread-safe. Design: docs/reference/routes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/recall/search_log.h"
#include "store/database.h"
#include "store/user/journal.h"
#include "store/user/user_store.h"

namespace codexmem::observe {

using store::agent_outcome_name;
using store::agent_task_name;
using store::AgentMetrics;
using store::AgentOutcome;
using store::AgentTask;
using store::count_outcome;
using store::failure_outcome_name;
using store::FailureClass;
using store::FailureOutcome;
using store::JournalFilter;
using store::kJournalRows;
using store::MessageFailure;
using store::MessageFailures;
using store::MessageTiming;
using store::MessageTimings;
using store::SearchTrace;
using store::SearchTraces;
using store::TrendBucket;
using store::write_timing;

/// Writes a failure, its secrets redacted and its message cut. In a transaction.
Result<void> write_failure(store::Database& database, MessageFailure failure);

class Journal {
 public:
  /// `store` and `searches`, if any, outlive this; what `searches` has not written yet is seen,
  /// too.
  Journal(store::UserStore& store, memory::Clock clock, memory::SearchLog* searches = nullptr)
      : store_(&store), clock_(std::move(clock)), searches_(searches) {}

  // Errors: the store's.
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
