// mcp/http_headers.h - what the headers of a stateless request repeat of its body.
//
// Proxies decide by Mcp-Method, Mcp-Name and Mcp-Param-*, so a request whose headers say something
// else than its body is refused. Stateless. Source: the streamable HTTP page of MCP 2026-07-28,
// "Request Metadata".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/jsonrpc.h"
#include "mcp/tool_table.h"
#include "net/http_server.h"

namespace codexmem::mcp {

/// An argument that clients repeat in the header Mcp-Param-<name>.
struct MirroredArgument {
  std::string header;             // with "Mcp-Param-"
  std::vector<std::string> path;  // member names down from the arguments
};

/// By tool: the arguments whose schema has "x-mcp-header".
using MirroredArguments = std::map<std::string, std::vector<MirroredArgument>, std::less<>>;
MirroredArguments find_mirrored_arguments(const ToolTable& tools);

/// The value that a header stands for: itself, or what "=?base64?...?=" encodes. Nothing when that
/// is no Base64, or the header has bytes that none may have.
std::optional<std::string> decode_header(std::string_view value);

/// What is wrong with the headers of the stateless request `message`; nothing when they agree.
std::optional<std::string> find_header_mismatch(const net::ServedRequest& request,
                                                const Message& message,
                                                const MirroredArguments& mirrored);

}  // namespace codexmem::mcp
