// ask/memory/record_decision.h - the questions that write decisions: record_decision,
// supersede_decision, accept_proposal, and what only the shell does, propose. Stateless;
// thread-safe. Design: docs/design/memory.md, "Decisions"; docs/design/mcp.md.
#pragma once

#include <string>
#include <vector>

#include "ask/memory/call.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/decisions.h"

namespace codexmem::ask {

/// Each: errors of read() are kInvalidArgument; lengths are checked when it runs, after the role.
struct RecordDecisionParams {
  memory::NewDecision decision;

  static Result<RecordDecisionParams> read(const memory::Memory& memory,
                                           const ToolArguments& given);
};

struct SupersedeDecisionParams {
  memory::NewDecision decision;
  std::vector<std::string> old_ids;

  static Result<SupersedeDecisionParams> read(const memory::Memory& memory,
                                              const ToolArguments& given);
};

struct AcceptProposalParams {
  std::string id;

  static Result<AcceptProposalParams> read(const memory::Memory& memory,
                                           const ToolArguments& given);
};

struct ProposeDecisionParams {
  memory::NewProposal proposal;

  static Result<ProposeDecisionParams> read(const memory::Memory& memory,
                                            const ToolArguments& given);
};

/// What was done, and the decision that it made.
struct DecidedAnswer : Answer {
  std::string message;
  std::string decision_id;

  Written to_json() const override;
};

/// Errors: those of memory::Decisions.
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
