// mcp/tools.h - the product's tools and how the server introduces itself.
//
// Adding a tool: src/mcp/tools/<name>_tool.{h,cpp} and one row in kTools[] of tools.cpp. The
// shell's commands run the same rows, through ToolTable::call(). Design: docs/mcp.md.
#pragma once

#include <span>
#include <string>

#include "mcp/server.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

/// Every tool, in the order of tools/list.
std::span<const Tool> tools();

/// Name, contract versions and instructions of the product, of release `version`; the instructions
/// speak of the tools that are `offered`, and of no others.
ServerOptions server_options(std::string version, const ToolTable& offered);

/// The versions of the contracts that are served, as a JSON object: {"code_tools":"1.0.0",
/// ...}.
std::string contract_versions();

}  // namespace codexmem::mcp
