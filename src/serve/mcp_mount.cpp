// Tested over HTTP by tests/worker/routes_test.py.
#include "serve/mcp_mount.h"

#include <fmt/core.h>

#include <utility>

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNoRepository =
    "no repository is known: add ?repository=/absolute/path to the address of this server, or have "
    "the client send its roots";

}  // namespace

Result<std::unique_ptr<McpMount>> McpMount::make(const fs::path& directory,
                                                 const EmbeddingProvider& provider,
                                                 const Settings& settings) {
  CODEXMEM_ASSIGN(auto memory,
                  set_up_memory({.folder = directory, .bears_trouble = true}, provider, settings));
  CODEXMEM_ASSIGN(auto tools, selected_tools(settings, memory.role));
  return std::unique_ptr<McpMount>(new McpMount(std::move(tools), std::move(memory),
                                                settings.of_user().value("AGENT_MEMORY_SECRET")));
}

McpMount::McpMount(mcp::ToolTable tools, MemorySetup memory, std::string secret)
    : memory_(std::move(memory)),
      served_(std::move(tools), {.memory = memory_.memory.get(),
                                 .missing_code = std::string(kNoRepository),
                                 .is_for_all = true,
                                 .takes_folder = true,
                                 .secret = std::move(secret)}),
      endpoint_(served_.server(),
                {.max_streams = 32,
                 .services = [this](const net::ServedRequest& request, mcp::Session& session) {
                   return served_.services_of(request, session);
                 }}) {}

net::ServedReply McpMount::answer(const net::ServedRequest& request) {
  return endpoint_.handle(request);
}

void McpMount::close() { endpoint_.close(); }

}  // namespace codexmem::serve
