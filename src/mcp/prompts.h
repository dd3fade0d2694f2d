// mcp/prompts.h - the product's prompts: workflows that a person starts by name.
//
// A prompt states the task, holds the answers to start with, and names the tools to continue with.
// Adding one: a row in kPrompts[] of prompts.cpp. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <span>
#include <vector>

#include "mcp/prompt.h"
#include "mcp/tool_table.h"

namespace codexmem::mcp {

/// The prompts that need only tools that are `offered`, in the order of prompts/list.
std::vector<Prompt> prompts_for(const ToolTable& offered);

}  // namespace codexmem::mcp
