// observe/work/rule_based_provider.h - observations by rules alone: no model, no cost, nothing
// leaves.
//
// One observation an event: what was edited and which symbols that touched, what a test run said,
// what was read, searched, run. Events that only look and that the batch has had already are
// reported once. What was red is remembered for a while, so that a green run can say what it
// mended; with the same events in the same order the answers are the same. It never fails. Design:
// docs/how-it-works.md, "Observations".
#pragma once

#include <memory>

#include "observe/models/provider.h"
#include "observe/intake/tool_action.h"

namespace codexmem::observe {

inline constexpr char kRuleBasedName[] = "rule-based";

std::unique_ptr<Provider> make_rule_based_provider(FindRoot find_root = repository_root);

}  // namespace codexmem::observe
