// mcp/tools/memory_tools.h - the memory, observation and decision tools: what ask/memory gives,
// as results.
//
// The arguments are checked there, for the shell and the worker ask in the same way. What a record
// says of code is looked up in the repository of the call, if it has one. Design: docs/mcp.md.
#pragma once

#include "mcp/tool.h"

namespace codexmem::mcp {

ToolResult call_important_workflow(const JsonValue& arguments, const CallContext& context);
ToolResult call_search(const JsonValue& arguments, const CallContext& context);
ToolResult call_timeline(const JsonValue& arguments, const CallContext& context);
ToolResult call_get_observations(const JsonValue& arguments, const CallContext& context);
ToolResult call_save_memory(const JsonValue& arguments, const CallContext& context);
ToolResult call_get_entries(const JsonValue& arguments, const CallContext& context);

ToolResult call_ingest_docs(const JsonValue& arguments, const CallContext& context);
ToolResult call_retention_dry_run(const JsonValue& arguments, const CallContext& context);

/// The failure of their contract: {code, message, details}.
ToolResult fail_memory(const Error& error);

ToolResult call_record_decision(const JsonValue& arguments, const CallContext& context);
ToolResult call_supersede_decision(const JsonValue& arguments, const CallContext& context);
ToolResult call_search_decisions(const JsonValue& arguments, const CallContext& context);
ToolResult call_accept_proposal(const JsonValue& arguments, const CallContext& context);

/// The failure of the decisions' contract: {status: "error", message}.
ToolResult fail_decision(const Error& error);

}  // namespace codexmem::mcp
