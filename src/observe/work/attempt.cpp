// Tested by observe/processor_test.cpp.
#include "observe/work/attempt.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/log.h"

namespace codexmem::observe {
namespace {

AgentTask task_of(const Claim& claim) {
  return claim.kind == MessageKind::kObservation ? AgentTask::kObservation : AgentTask::kSummary;
}

void add_record(CallRecord& to, const CallRecord& record) {
  to.tokens += record.tokens;
  to.parse_fails += record.parse_fails;
  to.schema_fails += record.schema_fails;
  to.repair_fails += record.repair_fails;
}

Result<void> count_record(store::Database& database, const Claim& claim, const CallRecord& record) {
  const std::pair<AgentOutcome, int> counts[] = {{AgentOutcome::kParseFail, record.parse_fails},
                                                 {AgentOutcome::kSchemaFail, record.schema_fails},
                                                 {AgentOutcome::kRepairFail, record.repair_fails}};
  for (const auto& [outcome, count] : counts) {
    if (count > 0) CODEXMEM_TRY(count_outcome(database, task_of(claim), outcome, count));
  }
  return {};
}

MessageFailure failure_row(const Claim& claim, MessageId message, const ProviderFailure& why,
                           const Provider& whose, FailureOutcome outcome, std::int64_t now_ms) {
  return {.message_id = static_cast<std::int64_t>(message),
          .session_id = static_cast<std::int64_t>(claim.session),
          .kind = std::string(message_kind_name(claim.kind)),
          .provider = std::string(whose.name()),
          .error_class = why.kind,
          .message = why.message,
          .attempt = claim.attempts + 1,
          .outcome = outcome,
          .at_ms = now_ms};
}

Result<void> write_failures(store::Database& database, const Claim& claim,
                            const ProviderFailure& why, const Provider& whose,
                            FailureOutcome outcome, std::int64_t now_ms) {
  for (const Message& message : claim.messages) {
    CODEXMEM_TRY(
        write_failure(database, failure_row(claim, message.id, why, whose, outcome, now_ms)));
  }
  return {};
}

Result<void> write_timings(store::Database& database, const Claim& claim, const Attempt& attempt,
                           std::optional<FailureClass> error_class, std::int64_t now_ms) {
  const auto since = [](std::int64_t from_ms, std::int64_t to_ms) {
    return std::max<std::int64_t>(0, to_ms - from_ms);
  };
  for (const Message& message : claim.messages) {
    CODEXMEM_TRY(write_timing(
        database, {.message_id = static_cast<std::int64_t>(message.id),
                   .session_id = static_cast<std::int64_t>(claim.session),
                   .kind = std::string(message_kind_name(claim.kind)),
                   .provider = std::string(attempt.by->name()),
                   .queue_wait_ms = since(message.created_at_ms, attempt.begun_ms),
                   .model_ms = since(attempt.begun_ms, attempt.answered_ms),
                   .index_ms = attempt.indexing_ms == 0 ? 0 : since(attempt.indexing_ms, now_ms),
                   .total_ms = since(message.created_at_ms, now_ms),
                   .success = !error_class,
                   .error_class = error_class,
                   .at_ms = now_ms}));
  }
  return {};
}

Result<void> prepare_entries(const AttemptTools& tools, const Claim& claim, Attempt& attempt,
                             const std::stop_token& stop) {
  CODEXMEM_ASSIGN(PreparedObservations made, prepare_observations(*tools.memory, tools.cite, claim,
                                                                  std::move(attempt.observations),
                                                                  attempt.record.tokens, stop));
  attempt.entries = std::move(made.entries);
  const bool falls_back = tools.falls_back && attempt.by != tools.rules && !made.refused.empty();
  for (const auto& [message, reason] : made.refused) {
    log_warn("worker: an observation is not kept: {}", reason);
    attempt.refused.push_back({message, reason, attempt.by,
                               falls_back ? FailureOutcome::kFallback : FailureOutcome::kFailed});
  }
  if (!falls_back) return {};
  Claim part = claim;
  std::erase_if(part.messages, [&](const Message& message) {
    return std::ranges::find(made.refused, message.id, &PreparedObservations::Refused::message) ==
           made.refused.end();
  });
  Attempt second = ask(tools, *tools.rules, part, stop);
  if (second.failure) {
    for (Attempt::Refused& refused : attempt.refused) refused.outcome = FailureOutcome::kFailed;
    return {};
  }
  CODEXMEM_TRY(prepare_entries(tools, part, second, stop));
  for (memory::PreparedEntry& entry : second.entries) attempt.entries.push_back(std::move(entry));
  for (Attempt::Refused& refused : second.refused) attempt.refused.push_back(std::move(refused));
  return {};
}

}  // namespace

Attempt ask(const AttemptTools& tools, const Provider& provider, const Claim& claim,
            const std::stop_token& stop) {
  memory::Memory& memory = *tools.memory;
  Attempt attempt;
  attempt.by = &provider;
  attempt.begun_ms = memory.clock()();
  const auto asked = [&]() -> Result<void> {
    if (claim.kind == MessageKind::kObservation) {
      CODEXMEM_ASSIGN(const ObserveRequest request, observe_request(memory.store(), claim));
      ObserveReply reply = provider.observe(request, stop);
      attempt.observations = std::move(reply.observations);
      attempt.failure = std::move(reply.failure);
      attempt.record = reply.record;
    } else {
      CODEXMEM_ASSIGN(const SummarizeRequest request, summarize_request(memory.store(), claim));
      SummarizeReply reply = provider.summarize(request, stop);
      attempt.summary = std::move(reply.summary);
      attempt.failure = std::move(reply.failure);
      attempt.record = reply.record;
    }
    return {};
  };
  try {
    if (const auto done = asked(); !done.ok()) {
      attempt.failure = ProviderFailure{
          .kind = FailureClass::kStorage, .message = done.error().message(), .may_pass = true};
    }
  } catch (const std::exception& error) {
    log_error("worker: a provider has failed: {}", error.what());
    attempt.failure = ProviderFailure{.message = "an error within the program"};
  }
  attempt.answered_ms = memory.clock()();
  return attempt;
}

void prepare(const AttemptTools& tools, const Claim& claim, Attempt& attempt,
             const std::stop_token& stop) {
  attempt.indexing_ms = tools.memory->clock()();
  const auto prepared = [&]() -> Result<void> {
    if (attempt.summary) {
      CODEXMEM_ASSIGN(attempt.summary_row,
                      prepare_summary(*tools.memory, claim, *std::move(attempt.summary),
                                      attempt.record.tokens));
    } else if (!attempt.observations.empty()) {
      return prepare_entries(tools, claim, attempt, stop);
    }
    return {};
  };
  try {
    if (const auto done = prepared(); !done.ok()) {
      attempt.failure = storage_failure(claim, done.error());
    }
  } catch (const std::exception& error) {
    attempt.failure = storage_failure(claim, Error{ErrorCode::kIo, error.what()});
  }
}

Attempt fall_back(const AttemptTools& tools, const Claim& claim, Attempt failed,
                  const std::stop_token& stop) {
  Attempt second = ask(tools, *tools.rules, claim, stop);
  second.begun_ms = failed.begun_ms;
  second.before = std::move(failed.failure);
  second.before_by = failed.by;
  add_record(second.record, failed.record);
  if (!second.failure) prepare(tools, claim, second, stop);
  return second;
}

ProviderFailure storage_failure(const Claim& claim, const Error& error) {
  log_warn("worker: what was made of {} messages was not stored: {}", claim.messages.size(),
           error.message());
  // A text that cannot be kept will not become one that can.
  const bool is_of_text =
      error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kBlocked;
  return {.kind = FailureClass::kStorage, .message = error.message(), .may_pass = !is_of_text};
}

Result<void> note_done(store::Database& database, const Claim& claim, const Attempt& attempt,
                       std::int64_t now_ms) {
  if (attempt.before) {
    CODEXMEM_TRY(write_failures(database, claim, *attempt.before, *attempt.before_by,
                                FailureOutcome::kFallback, now_ms));
  }
  CODEXMEM_TRY(
      count_outcome(database, task_of(claim),
                    attempt.before ? AgentOutcome::kFallbackUsed : AgentOutcome::kSuccess));
  for (const Attempt::Refused& refused : attempt.refused) {
    CODEXMEM_TRY(write_failure(
        database, failure_row(claim, refused.message,
                              {.kind = FailureClass::kStorage, .message = refused.reason},
                              *refused.by, refused.outcome, now_ms)));
  }
  CODEXMEM_TRY(count_record(database, claim, attempt.record));
  return write_timings(database, claim, attempt, std::nullopt, now_ms);
}

Result<void> note_failed(store::Database& database, const Claim& claim, const Attempt& attempt,
                         const ProviderFailure& why, FailureOutcome outcome, std::int64_t now_ms) {
  CODEXMEM_TRY(count_record(database, claim, attempt.record));
  CODEXMEM_TRY(write_failures(database, claim, why, *attempt.by, outcome, now_ms));
  if (outcome == FailureOutcome::kRetry) return {};
  return write_timings(database, claim, attempt, why.kind, now_ms);
}

}  // namespace codexmem::observe
