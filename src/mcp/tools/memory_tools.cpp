#include "mcp/tools/memory_tools.h"

#include <utility>

#include "mcp/tools/memory_call.h"
#include "ask/memory/decision_answers.h"
#include "ask/memory/document_answers.h"
#include "ask/memory/entry_answers.h"
#include "ask/memory/search_answer.h"
#include "ask/memory/timeline_answer.h"
#include "ask/memory/workflow.h"

namespace codexmem::mcp {
namespace {

ToolResult ask(ask::Answer (*answer)(const ask::Call&, std::string_view),
               const JsonValue& arguments, const CallContext& context) {
  return ask_memory(answer, ask::memory_failure, arguments, context);
}

ToolResult decide(ask::Answer (*answer)(const ask::Call&, std::string_view),
                  const JsonValue& arguments, const CallContext& context) {
  return ask_memory(answer, ask::decision_failure, arguments, context);
}

}  // namespace

ToolResult call_important_workflow(const JsonValue&, const CallContext&) {
  return {false, std::string(ask::workflow_text()), {}};
}

ToolResult call_search(const JsonValue& arguments, const CallContext& context) {
  return ask(ask::answer_search, arguments, context);
}

ToolResult call_timeline(const JsonValue& arguments, const CallContext& context) {
  return ask(ask::answer_timeline, arguments, context);
}

ToolResult call_get_observations(const JsonValue& arguments, const CallContext& context) {
  return ask(ask::answer_get_observations, arguments, context);
}

ToolResult call_save_memory(const JsonValue& arguments, const CallContext& context) {
  return ask(ask::answer_save_memory, arguments, context);
}

ToolResult call_get_entries(const JsonValue& arguments, const CallContext& context) {
  return ask(ask::answer_get_entries, arguments, context);
}

ToolResult call_ingest_docs(const JsonValue& arguments, const CallContext& context) {
  return ask(ask::answer_ingest_docs, arguments, context);
}

ToolResult call_retention_dry_run(const JsonValue& arguments, const CallContext& context) {
  return ask(ask::answer_retention_dry_run, arguments, context);
}

ToolResult call_record_decision(const JsonValue& arguments, const CallContext& context) {
  return decide(ask::answer_record_decision, arguments, context);
}

ToolResult call_supersede_decision(const JsonValue& arguments, const CallContext& context) {
  return decide(ask::answer_supersede_decision, arguments, context);
}

ToolResult call_search_decisions(const JsonValue& arguments, const CallContext& context) {
  return decide(ask::answer_search_decisions, arguments, context);
}

ToolResult call_accept_proposal(const JsonValue& arguments, const CallContext& context) {
  return decide(ask::answer_accept_proposal, arguments, context);
}

ToolResult fail_decision(const Error& error) { return to_result(ask::decision_failure(error)); }

ToolResult fail_memory(const Error& error) { return to_result(ask::memory_failure(error)); }

}  // namespace codexmem::mcp
