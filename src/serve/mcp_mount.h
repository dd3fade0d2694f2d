// serve/mcp_mount.h - MCP at a worker's /mcp: the memory for all clients, and the code of the
// repository that a client names by `?repository=/absolute/path` or as its first root.
//
// Thread-safe. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/served_server.h"
#include "base/result.h"
#include "config/settings.h"
#include "mcp/http_endpoint.h"
#include "net/http_server.h"

namespace codexmem::serve {

class McpMount {
 public:
  /// Nothing is opened yet. `directory` contains the user's memory.
  static Result<std::unique_ptr<McpMount>> make(const std::filesystem::path& directory,
                                                const EmbeddingProvider& provider,
                                                const Settings& settings);

  net::ServedReply answer(const net::ServedRequest& request);

  /// The repositories that clients ask about.
  ServedRepositories& repositories() { return served_.repositories(); }

  /// Ends all running calls.
  void close();

 private:
  McpMount(mcp::ToolTable tools, MemorySetup memory, std::string secret);

  const MemorySetup memory_;
  ServedServer served_;
  mcp::HttpEndpoint endpoint_;
};

}  // namespace codexmem::serve
