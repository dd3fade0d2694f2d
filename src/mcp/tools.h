// mcp/tools.h - the product's tools and how the server introduces itself.
//
// The tools are the questions of src/ask: adding one is described in ask/question.h. Design:
// docs/how-it-works.md, "MCP".
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mcp/server.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

/// Every tool, in the order of tools/list.
std::span<const Tool> tools();

/// The same where no decision can be written: the descriptions of the tools that write decisions
/// name the missing AGENT_MEMORY_SECRET or, with the secret, another role.
std::span<const Tool> tools_of_viewer(bool has_secret);

/// Whether each of `names`, with commas between, is offered and is not one of those that fail.
bool can_use(const ToolTable& offered, std::string_view names);

/// Name, contract versions and instructions of the product, of release `version`; the instructions
/// describe only the tools that are `offered` and can be used. Their first line, which some clients
/// show alone before a tool is called, says what the server knows.
ServerOptions server_options(std::string version, const ToolTable& offered);

/// The versions of the contracts that are served, as a JSON object: {"code_tools":"1.0.0",
/// ...}.
std::string contract_versions();

}  // namespace codexmem::mcp
