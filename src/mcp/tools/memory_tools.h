// mcp/tools/memory_tools.h - the memory and observation tools: what memory/answers gives, as
// results.
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

/// The failure of their contract: {code, message, details}.
ToolResult fail_memory(const Error& error);

}  // namespace codexmem::mcp
