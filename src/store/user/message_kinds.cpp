#include "store/user/message_kinds.h"

#include <algorithm>
#include <array>

namespace codexmem::store {
namespace {

// By the enum's number.
constexpr std::array<std::string_view, 2> kKinds = {"observation", "summarize"};
constexpr std::array<std::string_view, 9> kFailureClasses = {
    "timeout",    "rate_limit",  "auth",    "network", "server_error",
    "parse_fail", "schema_fail", "storage", "unknown"};
constexpr std::array<std::string_view, 3> kFailureOutcomes = {"retry", "fallback", "failed"};
constexpr std::array<std::string_view, kAgentTasks> kTasks = {"observation", "summary"};
constexpr std::array<std::string_view, kAgentOutcomes> kAgentOutcomeNames = {
    "success", "parse_fail", "schema_fail", "repair_fail", "fallback_used"};

template <typename Kind>
std::optional<Kind> parse_kind(const auto& names, std::string_view name) {
  const auto at = std::ranges::find(names, name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Kind>(at - names.begin());
}

std::string_view kind_name(const auto& names, auto kind) {
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string_view message_kind_name(MessageKind kind) { return kind_name(kKinds, kind); }
std::optional<MessageKind> parse_message_kind(std::string_view name) {
  return parse_kind<MessageKind>(kKinds, name);
}

std::string_view failure_class_name(FailureClass failure) {
  return kind_name(kFailureClasses, failure);
}
std::optional<FailureClass> parse_failure_class(std::string_view name) {
  return parse_kind<FailureClass>(kFailureClasses, name);
}

std::string_view failure_outcome_name(FailureOutcome outcome) {
  return kind_name(kFailureOutcomes, outcome);
}
std::optional<FailureOutcome> parse_failure_outcome(std::string_view name) {
  return parse_kind<FailureOutcome>(kFailureOutcomes, name);
}

std::string_view agent_task_name(AgentTask task) { return kind_name(kTasks, task); }
std::string_view agent_outcome_name(AgentOutcome outcome) {
  return kind_name(kAgentOutcomeNames, outcome);
}

}  // namespace codexmem::store
