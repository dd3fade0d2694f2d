// mcp/tools/memory_call.h - from a call of the protocol to one of memory/answers, and back.
//
// Stateless; safe to use from many threads. Design: docs/mcp.md.
#pragma once

#include <string_view>

#include "base/result.h"
#include "mcp/tool.h"
#include "memory/answers/answer.h"
#include "memory/answers/call.h"

namespace codexmem::mcp {

ToolResult to_result(memory::Answer answer);

/// Opens the memory of the call and has `answer` answer it; `fail` words what goes wrong before.
ToolResult ask_memory(memory::Answer (*answer)(const memory::Call&, std::string_view arguments),
                      memory::Answer (*fail)(const Error&), const JsonValue& arguments,
                      const CallContext& context);

}  // namespace codexmem::mcp
