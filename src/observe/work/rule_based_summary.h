// observe/work/rule_based_summary.h - what a session's turn came to, by rules.
//
// Put together from the observations of the turn and what the assistant said last; nothing is made
// up. Pure. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <optional>

#include "observe/models/provider.h"

namespace codexmem::observe {

inline constexpr std::size_t kMaxSummaryFieldBytes = 2'000;

/// Nothing when there is nothing to say: no prompt, no observation, no word of the assistant.
std::optional<SessionSummary> summarize_by_rules(const SummarizeRequest& request);

}  // namespace codexmem::observe
