// mcp/http_headers.h - the headers of a stateless request that repeat parts of its body.
//
// Proxies decide by Mcp-Method, Mcp-Name and Mcp-Param-*, so a request is refused if its headers
// differ from its body. Stateless. Source: the streamable HTTP page of MCP 2026-07-28,
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

/// The decoded value of a header: the value itself, or the text that "=?base64?...?=" encodes.
/// Nothing for invalid Base64, or bytes that a header may not have.
std::optional<std::string> decode_header(std::string_view value);

/// An error message about the headers of the stateless request `message`; nothing when they agree.
std::optional<std::string> find_header_mismatch(const net::ServedRequest& request,
                                                const Message& message,
                                                const MirroredArguments& mirrored);

}  // namespace codexmem::mcp
