// mcp/tools.h - the product's tools and how the server introduces itself.
//
// The tools are the questions of src/ask: adding one is described in ask/question.h. Design:
// docs/design/mcp.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mcp/server.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

/// Every tool, in the order of tools/list.
std::span<const Tool> tools();

/// The same where no decision can be written: the descriptions of the tools that do so say what is
/// missing, AGENT_MEMORY_SECRET or, with the secret, another role.
std::span<const Tool> tools_of_viewer(bool has_secret);

/// Whether each of `names`, with commas between, is offered and is not one of those that fail.
bool can_use(const ToolTable& offered, std::string_view names);

/// Name, contract versions and instructions of the product, of release `version`; the instructions
/// speak of the tools that are `offered` and can be used, and of no others. Their first line, which
/// is all that some clients show before a tool is asked for, says what the server knows.
ServerOptions server_options(std::string version, const ToolTable& offered);

/// The versions of the contracts that are served, as a JSON object: {"code_tools":"1.0.0",
/// ...}.
std::string contract_versions();

}  // namespace codexmem::mcp
