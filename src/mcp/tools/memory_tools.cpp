#include "mcp/tools/memory_tools.h"

#include <utility>

#include "mcp/tools/memory_call.h"
#include "memory/answers/decision_answers.h"
#include "memory/answers/document_answers.h"
#include "memory/answers/entry_answers.h"
#include "memory/answers/search_answer.h"
#include "memory/answers/timeline_answer.h"
#include "memory/answers/workflow.h"

namespace codexmem::mcp {
namespace {

ToolResult ask(memory::Answer (*answer)(const memory::Call&, std::string_view),
               const JsonValue& arguments, const CallContext& context) {
  return ask_memory(answer, memory::memory_failure, arguments, context);
}

ToolResult decide(memory::Answer (*answer)(const memory::Call&, std::string_view),
                  const JsonValue& arguments, const CallContext& context) {
  return ask_memory(answer, memory::decision_failure, arguments, context);
}

}  // namespace

ToolResult call_important_workflow(const JsonValue&, const CallContext&) {
  return {false, std::string(memory::workflow_text()), {}};
}

ToolResult call_search(const JsonValue& arguments, const CallContext& context) {
  return ask(memory::answer_search, arguments, context);
}

ToolResult call_timeline(const JsonValue& arguments, const CallContext& context) {
  return ask(memory::answer_timeline, arguments, context);
}

ToolResult call_get_observations(const JsonValue& arguments, const CallContext& context) {
  return ask(memory::answer_get_observations, arguments, context);
}

ToolResult call_save_memory(const JsonValue& arguments, const CallContext& context) {
  return ask(memory::answer_save_memory, arguments, context);
}

ToolResult call_get_entries(const JsonValue& arguments, const CallContext& context) {
  return ask(memory::answer_get_entries, arguments, context);
}

ToolResult call_ingest_docs(const JsonValue& arguments, const CallContext& context) {
  return ask(memory::answer_ingest_docs, arguments, context);
}

ToolResult call_retention_dry_run(const JsonValue& arguments, const CallContext& context) {
  return ask(memory::answer_retention_dry_run, arguments, context);
}

ToolResult call_record_decision(const JsonValue& arguments, const CallContext& context) {
  return decide(memory::answer_record_decision, arguments, context);
}

ToolResult call_supersede_decision(const JsonValue& arguments, const CallContext& context) {
  return decide(memory::answer_supersede_decision, arguments, context);
}

ToolResult call_search_decisions(const JsonValue& arguments, const CallContext& context) {
  return decide(memory::answer_search_decisions, arguments, context);
}

ToolResult call_accept_proposal(const JsonValue& arguments, const CallContext& context) {
  return decide(memory::answer_accept_proposal, arguments, context);
}

ToolResult fail_decision(const Error& error) { return to_result(memory::decision_failure(error)); }

ToolResult fail_memory(const Error& error) { return to_result(memory::memory_failure(error)); }

}  // namespace codexmem::mcp
