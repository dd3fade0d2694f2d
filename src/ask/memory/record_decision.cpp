// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/record_decision.h"

#include <utility>

#include "ask/decision_rules.h"
#include "base/text.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr char kDecidedSchema[] =
    R"json({"type":"object","properties":{
"status":{"type":"string","enum":["success","error"]},"message":{"anyOf":[{"type":"string"},{"type":"null"}]},"decision_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"details":{"type":"object"}},"required":["status"]})json";

memory::DecisionHook citing_decision(const MemoryCall& call) {
  return [&call](const memory::NewDecision& decision) -> Result<memory::DocumentWriter> {
    const memory::Mentions mentions = {decision.title + "\n" + decision.rationale,
                                       decision.cited_files, decision.cited_symbols};
    return writer_of(call, cite_code(call, mentions));
  };
}

// `id`, if it was written, as the decision of an answer that says `message`.
Result<DecidedAnswer> decided(const MemoryCall& call, std::string message, Result<std::string> id) {
  if (!id.ok()) return std::move(id).error();
  call.memory.note_change();
  DecidedAnswer answer;
  answer.message = std::move(message);
  answer.decision_id = *std::move(id);
  return answer;
}

}  // namespace

Result<void> DecisionParams::complete(const memory::Memory& memory, const ToolArguments&) {
  CODEXMEM_TRY(add_rules(checks, decision.consequences));
  CODEXMEM_ASSIGN(decision.project, project_to_write(memory, decision.project));
  return {};
}

Result<DecidedAnswer> run(const MemoryCall& call, RecordDecisionParams params) {
  return decided(call, "Decision recorded",
                 call.memory.decisions().record(call.caller, std::move(params.decision),
                                                citing_decision(call)));
}

Result<DecidedAnswer> run(const MemoryCall& call, SupersedeDecisionParams params) {
  return decided(call, "Decision superseded",
                 call.memory.decisions().supersede(call.caller, std::move(params.decision),
                                                   params.old_ids, citing_decision(call)));
}

Result<DecidedAnswer> run(const MemoryCall& call, AcceptProposalParams params) {
  if (call.memory.is_isolated()) {
    const auto proposal = call.memory.decisions().get(params.id);
    if (proposal.ok() && !call.memory.shows(proposal->project)) {
      return Error{ErrorCode::kNotFound, "Decision ID not found"};
    }
  }
  CODEXMEM_ASSIGN(memory::Acceptance accepted,
                  call.memory.decisions().accept(call.caller, params.id, citing_decision(call)));
  return decided(call, "Accepted", std::move(accepted.decision_id));
}

Result<DecidedAnswer> run(const MemoryCall& call, ProposeDecisionParams params) {
  return decided(call, "Proposed",
                 call.memory.decisions().propose(
                     call.caller, {std::move(params.decision), std::move(params.replaces), {}},
                     citing_decision(call)));
}

Written DecidedAnswer::to_json() const {
  return object_json(
      json_object("status", "success", "message", message, "decision_id", decision_id).text);
}

constexpr Param kDecisionTitle = {
    .name = "title",
    .description = "Few words",
    .required = true,
    .least = 1,
    .option = "TITLE",
    .help = "What is decided, in a few words",
    .into = into<&DecisionParams::decision, &memory::NewDecision::title>};
constexpr Param decision_target(std::string_view description) {
  return {.name = "target",
          .description = description,
          .required = true,
          .least = 1,
          .option = "--target",
          .help = "What it is about",
          .into = into<&DecisionParams::decision, &memory::NewDecision::target>};
}
constexpr Param decision_rationale(double least) {
  return {.name = "rationale",
          .also = "reason,why,because",
          .description = "Why",
          .required = true,
          .least = least,
          .option = "--rationale",
          .help = "Why; - reads it from standard input",
          .takes = Takes::kInput,
          .into = into<&DecisionParams::decision, &memory::NewDecision::rationale>};
}
constexpr Param kConsequences = {
    .name = "consequences",
    .type = ParamType::kTexts,
    .description = "Each one",
    .default_json = "[]",
    .option = "--consequence",
    .help = "What follows from it",
    .takes = Takes::kSentence,
    .into = into<&DecisionParams::decision, &memory::NewDecision::consequences>};
constexpr Param kChecks = {.name = "checks",
                           .type = ParamType::kTexts,
                           .option = "--check",
                           .help =
                               "A rule that is checked: \"forbid import A -> B\", \"only A may "
                               "use B\", \"symbol A must exist\", \"no new uses of A\"",
                           .takes = Takes::kSentence,
                           .into = into<&DecisionParams::checks>};
constexpr Param kDecisionProject = {
    .name = "project",
    .listed = false,
    .option = "-p,--project",
    .help = "Default: the project of the current folder",
    .into = into<&DecisionParams::decision, &memory::NewDecision::project>};
constexpr Param kDecisionFiles = {
    .name = "files",
    .type = ParamType::kTextOrTexts,
    .option = "--file",
    .help = "Files that it is about",
    .takes = Takes::kFile,
    .into = into<&DecisionParams::decision, &memory::NewDecision::cited_files>};
constexpr Param kDecisionSymbols = {
    .name = "symbols",
    .type = ParamType::kTextOrTexts,
    .option = "--symbol",
    .help = "Symbols that it is about",
    .takes = Takes::kSymbol,
    .into = into<&DecisionParams::decision, &memory::NewDecision::cited_symbols>};

constexpr Question decision_writer(Question question) {
  question.read_only = question.idempotent = false;
  question.output_schema = kDecidedSchema;
  question.checks_arguments = true;
  question.fail = decision_failure;
  return question;
}

constexpr Param kRecordDecisionParams[] = {
    kDecisionTitle,           decision_target("Topic"),
    decision_rationale(10),   kConsequences,
    unlisted(kChecks),        kDecisionProject,
    unlisted(kDecisionFiles), unlisted(kDecisionSymbols),
};

constinit const Question kRecordDecision =
    decision_writer({.name = "record_decision",
                     .title = "Record decision",
                     .description = "Record a decision on a target without an active one.",
                     .groups = "memory,decisions",
                     .params = kRecordDecisionParams,
                     .run = run_memory_question<RecordDecisionParams>});

constexpr Param kSupersedeDecisionParams[] = {
    kDecisionTitle,
    decision_target("As before"),
    decision_rationale(15),
    {.name = "old_decision_ids",
     .type = ParamType::kTexts,
     .description = "All active",
     .required = true,
     .least = 1,
     .option = "--old",
     .help = "Ids of all active decisions on the target",
     .into = into<&SupersedeDecisionParams::old_ids>},
    kConsequences,
    unlisted(kChecks),
    kDecisionProject,
    unlisted(kDecisionFiles),
    unlisted(kDecisionSymbols),
};

constinit const Question kSupersedeDecision =
    decision_writer({.name = "supersede_decision",
                     .title = "Supersede decision",
                     .description = "Replace a target's active decisions.",
                     .groups = "memory,decisions",
                     .params = kSupersedeDecisionParams,
                     .run = run_memory_question<SupersedeDecisionParams>});

constexpr Param kAcceptProposalParams[] = {
    {.name = "proposal_id",
     .description = "Its id",
     .required = true,
     .option = "ID",
     .help = "Of the proposal",
     .into = into_by<read_filled, &AcceptProposalParams::id>},
};

constinit const Question kAcceptProposal =
    decision_writer({.name = "accept_proposal",
                     .title = "Accept proposal",
                     .description = "Make a draft active (admins only).",
                     .groups = "memory,decisions",
                     .params = kAcceptProposalParams,
                     .run = run_memory_question<AcceptProposalParams>});

constexpr Param kProposeDecisionParams[] = {
    kDecisionTitle,
    decision_target({}),
    decision_rationale(10),
    kConsequences,
    kChecks,
    kDecisionProject,
    kDecisionFiles,
    kDecisionSymbols,
    {.name = "replaces",
     .type = ParamType::kTexts,
     .option = "--replaces",
     .help = "Ids of decisions that accepting it supersedes",
     .into = into<&ProposeDecisionParams::replaces>},
};

constinit const Question kProposeDecision =
    decision_writer({.name = "propose_decision",
                     .title = "Propose decision",
                     .description = "Write a draft for an admin to accept.",
                     .groups = "",
                     .params = kProposeDecisionParams,
                     .run = run_memory_question<ProposeDecisionParams>});

}  // namespace codexmem::ask
