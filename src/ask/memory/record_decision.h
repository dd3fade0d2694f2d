// ask/memory/record_decision.h - the questions that write decisions: record_decision,
// supersede_decision, accept_proposal, and what only the shell does, propose. Stateless;
// thread-safe. Design: docs/how-it-works.md, "Decisions"; docs/how-it-works.md, "MCP".
#pragma once

#include <string>
#include <vector>

#include "ask/memory/call.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/decisions/decisions.h"

namespace codexmem::ask {

/// Each: errors of read() are kInvalidArgument; lengths are checked when it runs, after the role.
/// The arguments that all writers of decisions take.
struct DecisionParams {
  memory::NewDecision decision;
  std::vector<std::string> checks;  // rules, which become consequences

  /// Errors: kInvalidArgument.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

struct RecordDecisionParams : DecisionParams {};

struct SupersedeDecisionParams : DecisionParams {
  std::vector<std::string> old_ids;
};

struct ProposeDecisionParams : DecisionParams {
  std::vector<std::string> replaces;
};

struct AcceptProposalParams {
  std::string id;
};

/// What was done, and the decision that it made.
struct DecidedAnswer : Answer {
  std::string message;
  std::string decision_id;

  Written to_json() const override;
};

/// Errors: memory::Decisions'.
Result<DecidedAnswer> run(const MemoryCall& call, RecordDecisionParams params);
Result<DecidedAnswer> run(const MemoryCall& call, SupersedeDecisionParams params);
Result<DecidedAnswer> run(const MemoryCall& call, AcceptProposalParams params);
Result<DecidedAnswer> run(const MemoryCall& call, ProposeDecisionParams params);

extern const Question kRecordDecision;
extern const Question kSupersedeDecision;
extern const Question kAcceptProposal;
/// A draft for an admin to accept; it is not offered over MCP.
extern const Question kProposeDecision;

}  // namespace codexmem::ask
