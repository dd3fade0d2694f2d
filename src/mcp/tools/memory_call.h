// mcp/tools/memory_call.h - from a call of the protocol to one of ask/memory, and back.
//
// Stateless; safe to use from many threads. Design: docs/mcp.md.
#pragma once

#include <string_view>

#include "base/result.h"
#include "mcp/tool.h"
#include "ask/memory/answer.h"
#include "ask/memory/call.h"

namespace codexmem::mcp {

ToolResult to_result(ask::Answer answer);

/// Opens the memory of the call and has `answer` answer it; `fail` words what goes wrong before.
ToolResult ask_memory(ask::Answer (*answer)(const ask::Call&, std::string_view arguments),
                      ask::Answer (*fail)(const Error&), const JsonValue& arguments,
                      const CallContext& context);

}  // namespace codexmem::mcp
