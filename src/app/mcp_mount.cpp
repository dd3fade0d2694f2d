// Tested over HTTP by tests/worker/mcp_test.py.
#include "app/mcp_mount.h"

#include <fmt/core.h>

#include <system_error>
#include <utility>

#include "app/served_repositories.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNoRepository =
    "no repository is known: add ?repository=/absolute/path to the address of this server, or have "
    "the client tell its roots";

}  // namespace

Result<std::unique_ptr<McpMount>> McpMount::make(const fs::path& directory,
                                                 const EmbeddingProvider& provider,
                                                 const Settings& settings) {
  CODEXMEM_ASSIGN(auto tools, selected_tools(settings));
  CODEXMEM_ASSIGN(auto memory, set_up_memory({.folder = directory}, provider, settings));
  return std::unique_ptr<McpMount>(new McpMount(std::move(tools), std::move(memory)));
}

McpMount::McpMount(mcp::ToolTable tools, MemorySetup memory)
    : memory_(std::move(memory)),
      served_(std::move(tools),
              {.memory = memory_.memory.get(),
               .missing_code = std::string(kNoRepository),
               .is_for_all = true}),
      endpoint_(served_.server(),
                {.max_streams = 32,
                 .services = [this](const net::ServedRequest& request) -> Result<mcp::ServicesSource> {
                   const auto named = request.query("repository");
                   if (!named) return mcp::ServicesSource();
                   const fs::path folder(*named);
                   std::error_code failed;
                   if (!folder.is_absolute() || !fs::is_directory(folder, failed)) {
                     return Error{ErrorCode::kInvalidArgument,
                                  "repository must be the absolute path of a folder"};
                   }
                   return served_.services_of(folder);
                 }}) {}

net::ServedReply McpMount::answer(const net::ServedRequest& request) {
  return endpoint_.handle(request);
}

void McpMount::close() { endpoint_.close(); }

}  // namespace codexmem::app
