// store/user/message_kinds.h - kinds and outcomes that the worker's tables store by name.
//
// Never rename one. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace codexmem::store {

enum class MessageId : std::int64_t {};

/// The result of a message: "observation", "summarize".
enum class MessageKind { kObservation, kSummarize };
std::string_view message_kind_name(MessageKind kind);
std::optional<MessageKind> parse_message_kind(std::string_view name);

/// Why no answer came, or none that could be used.
enum class FailureClass {
  kTimeout,
  kRateLimit,
  kAuth,
  kNetwork,
  kServerError,
  kParseFail,
  kSchemaFail,
  kStorage,
  kUnknown,
};

/// "timeout", "rate_limit", "auth", "network", "server_error", "parse_fail", "schema_fail",
/// "storage", "unknown".
std::string_view failure_class_name(FailureClass failure);
std::optional<FailureClass> parse_failure_class(std::string_view name);

/// What became of a message whose attempt failed: "retry", "fallback", "failed".
enum class FailureOutcome { kRetry, kFallback, kFailed };
std::string_view failure_outcome_name(FailureOutcome outcome);
std::optional<FailureOutcome> parse_failure_outcome(std::string_view name);

/// "observation", "summary"; "success", "parse_fail", "schema_fail", "repair_fail",
/// "fallback_used".
enum class AgentTask { kObservation, kSummary };
enum class AgentOutcome { kSuccess, kParseFail, kSchemaFail, kRepairFail, kFallbackUsed };
inline constexpr std::size_t kAgentTasks = 2, kAgentOutcomes = 5;
std::string_view agent_task_name(AgentTask task);
std::string_view agent_outcome_name(AgentOutcome outcome);

// For store/query.h. An unknown name is read as the value given here.
inline std::string_view column_text(MessageKind kind) { return message_kind_name(kind); }
inline std::string_view column_text(FailureClass failure) { return failure_class_name(failure); }
inline std::string_view column_text(FailureOutcome outcome) {
  return failure_outcome_name(outcome);
}
inline void read_column_text(std::string_view name, MessageKind& kind) {
  kind = parse_message_kind(name).value_or(MessageKind::kObservation);
}
inline void read_column_text(std::string_view name, FailureClass& failure) {
  failure = parse_failure_class(name).value_or(FailureClass::kUnknown);
}
inline void read_column_text(std::string_view name, FailureOutcome& outcome) {
  outcome = parse_failure_outcome(name).value_or(FailureOutcome::kRetry);
}

}  // namespace codexmem::store
