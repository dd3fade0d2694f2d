// observe/work/attempt.h - an attempt at a claim: what a provider said of it, ready to be stored,
// and what the journal is to know of it.
//
// Stateless; safe to use from many threads. Design: docs/how-it-works.md, "Queue".
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"
#include "observe/work/batch.h"
#include "observe/intake/journal.h"
#include "observe/models/provider.h"
#include "observe/intake/queue.h"

namespace codexmem::observe {

/// What attempts are made with; borrowed.
struct AttemptTools {
  memory::Memory* memory = nullptr;
  const Provider* rules = nullptr;
  bool falls_back = true;  // what a provider cannot do is done by rules; else it fails
  CiteInFolder cite = {};
};

struct Attempt {
  /// An observation that cannot be kept.
  struct Refused {
    MessageId message{};
    std::string reason;
    const Provider* by = nullptr;
    FailureOutcome outcome = FailureOutcome::kFailed;
  };

  const Provider* by = nullptr;
  std::vector<Observation> observations;
  std::optional<SessionSummary> summary;
  std::optional<ProviderFailure> failure;
  std::optional<ProviderFailure> before;  // why it fell to the rules
  const Provider* before_by = nullptr;
  CallRecord record;
  std::int64_t begun_ms = 0, answered_ms = 0;
  std::int64_t indexing_ms = 0;  // when it was begun; 0: it was not
  // The rows to store.
  std::vector<memory::PreparedEntry> entries;
  std::vector<Refused> refused;
  std::optional<memory::PreparedSummary> summary_row;
};

/// Asks `provider`. Whatever throws or cannot be read is the attempt's failure.
Attempt ask(const AttemptTools& tools, const Provider& provider, const Claim& claim,
            const std::stop_token& stop);

/// Makes ready what was said. What cannot be kept of a model's observations is made by rules, of
/// those messages alone; what cannot be kept of theirs is left out and noted.
void prepare(const AttemptTools& tools, const Claim& claim, Attempt& attempt,
             const std::stop_token& stop);

/// Has the rules do what failed for good.
Attempt fall_back(const AttemptTools& tools, const Claim& claim, Attempt failed,
                  const std::stop_token& stop);

/// What it is when that which was made could not be stored.
ProviderFailure storage_failure(const Claim& claim, const Error& error);

// For the journal, in the transaction that stores the outcome.

/// What was done.
Result<void> note_done(store::Database& database, const Claim& claim, const Attempt& attempt,
                       std::int64_t now_ms);
/// What failed: it is tried again, or was given up.
Result<void> note_failed(store::Database& database, const Claim& claim, const Attempt& attempt,
                         const ProviderFailure& why, FailureOutcome outcome, std::int64_t now_ms);

}  // namespace codexmem::observe
