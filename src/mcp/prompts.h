// mcp/prompts.h - the product's prompts: workflows that a person starts by name.
//
// A prompt says what is wanted, holds the answers that the work begins with, and names the tools to
// go on with. Adding one: a row in kPrompts[] of prompts.cpp. Design: docs/design/mcp.md,
// "Prompts".
#pragma once

#include <span>
#include <vector>

#include "mcp/prompt.h"
#include "mcp/tool_table.h"

namespace codexmem::mcp {

/// Those whose tools are all `offered`, in the order of prompts/list.
std::vector<Prompt> prompts_for(const ToolTable& offered);

}  // namespace codexmem::mcp
