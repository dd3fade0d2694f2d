// ask/decision_rules.h - rules that decisions carry, and what breaks them in the code.
//
// A consequence "check: RULE" of a decision is a rule (graph/imports/code_rules.h). Stateless; safe
// to use from many threads. Design: docs/how-it-works.md, "Rules, revisions, history".
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ask/context.h"
#include "base/result.h"
#include "graph/imports/code_rules.h"
#include "index/changes/change_check.h"
#include "memory/memory.h"

namespace codexmem::ask {

struct DecisionRule {
  graph::CodeRule rule;
  std::string decision_id, title;
};

struct DecisionRules {
  std::vector<DecisionRule> rules;
  std::vector<std::string> unreadable;  // why a consequence that begins like one is no rule

  /// For index::check_changes().
  std::vector<index::GivenRule> given() const;
};

/// Adds `rules` to the consequences of a decision that is to be written. Errors: kInvalidArgument
/// for one of them, or a consequence with the same mark, that is no rule.
Result<void> add_rules(const std::vector<std::string>& rules,
                       std::vector<std::string>& consequences);

/// The rules that `decision` carries.
DecisionRules rules_of(const memory::Decision& decision);

/// The rules of the active decisions of the memory's project, the newest 1,000; none where there is
/// no memory yet. Errors: as LazyMemory::find() and the store's.
Result<DecisionRules> list_decision_rules(memory::LazyMemory& memory);

/// A rule, and the places that break it now.
struct RuleVerdict {
  DecisionRule of;
  graph::RuleState state;  // with at most three places
};

/// Whether the code keeps `rules`; nothing without a repository. Errors: as answer_fresh().
Result<std::vector<RuleVerdict>> judge_rules(const Context& context,
                                             const std::vector<DecisionRule>& rules);

/// The rules of `memory` that the file at `path` breaks, or that say what it may not import.
/// Errors: both stores'; kCancelled.
Result<std::vector<RuleVerdict>> find_rules_on(const Context& context, store::CodeReader& reader,
                                               memory::LazyMemory& memory, const std::string& path);

/// {"rule", "decision", "holds"}, and when it is broken "places", each {"path", "line"} or
/// {"missing"}, and, when there are more, their "total"; "unknown" lists things that nothing is
/// called. The decision's id is left out `in_decision`.
std::string verdict_json(const RuleVerdict& verdict, bool in_decision = false);

/// What people are shown of a broken rule, or one with things that nothing is called; else empty.
std::string verdict_text(const RuleVerdict& verdict);

}  // namespace codexmem::ask
