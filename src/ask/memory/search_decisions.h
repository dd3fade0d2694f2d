// ask/memory/search_decisions.h - search_decisions: what was decided, what holds and what it
// replaced. Stateless; thread-safe. Design: docs/how-it-works.md, "Decisions";
// docs/how-it-works.md, "MCP".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/memory/call.h"
#include "ask/memory/shared_mark.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/decisions/decisions.h"

namespace codexmem::ask {

struct SearchDecisionsParams {
  memory::DecisionSearch search;
  bool is_hidden = false;  // of a project that is not shown here
  std::size_t max_bytes = 0;

  /// Errors: kInvalidArgument.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

struct FoundDecision {
  memory::DecisionHit hit;
  std::string code_state;  // whether the code that it cites has changed; empty: it cites none
  std::optional<SharedMark> shared;  // of one that a team shares
  std::vector<RuleVerdict> rules;    // that it carries, while it is active
  std::string json;                  // with rationale and consequences when there is room for them
};

/// Decisions best first; those that do not fit are cut from the end.
struct SearchDecisionsAnswer : Answer {
  std::vector<FoundDecision> results;
  std::string message;    // why vectors were not searched; empty: they were
  std::string elsewhere;  // with no results: which memories are called decisions
  Rest rest;

  Written to_json() const override;
};

/// Errors: as Decisions::search() and the store's.
Result<SearchDecisionsAnswer> run(const MemoryCall& call, SearchDecisionsParams params);

extern const Question kSearchDecisions;

}  // namespace codexmem::ask
