// serve/served_server.h - the MCP server of `serve` and of the worker: what it offers, and which
// repository a client's calls are about.
//
// That is the one it was made with. Without one it is the first root that the client names; until
// then code tools say what is missing. Several roots are a workspace, and so are the repositories
// of a workspace file (serve/workspace.h). Thread-safe. Design: docs/design/mcp.md, "Which
// repository", and docs/design/workspace.md.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/served_repositories.h"
#include "serve/served_repository.h"
#include "serve/workspace.h"
#include "ask/united.h"
#include "config/project.h"
#include "base/result.h"
#include "config/settings.h"
#include "mcp/server.h"
#include "mcp/tool_table.h"
#include "memory/memory.h"
#include "net/http_server.h"

namespace codexmem::serve {

/// The tools that the user and the repository offer. `role` is that of whoever proves to be the
/// user (MemorySetup). Errors: kInvalidArgument.
Result<mcp::ToolTable> selected_tools(const Settings& settings, memory::Role role);

/// The tools of one profile among those that are offered.
std::vector<std::string> names_of(const mcp::ToolTable& tools, std::string_view profile);

class ServedServer {
 public:
  struct Options {
    memory::LazyMemory* memory = nullptr;  // of clients that name no repository; outlives this
    std::unique_ptr<store::Workspace> workspace = {};  // of all clients; null: each names its own
    EmbeddingProvider provider = {};                   // of the workspace
    std::size_t watches = SIZE_MAX;                    // likewise
    std::string missing_code = {};                     // without a workspace: why there is no code
    std::filesystem::path root =
        {};                     // without both: where the workspace is looked for by each call
    std::string role = {};      // of the decision tools
    bool is_for_all = false;    // who asks is not known: not every folder is opened for them
    bool takes_folder = false;  // over HTTP: `?repository=/absolute/path` names one
    std::shared_ptr<fleet::Fleet> fleet = {};  // an organisation's index; null: none
    std::string secret = {};  // over HTTP: what makes more than a viewer of who sends it
    /// The project of `memory`, where another one that a client's roots name takes its place.
    /// Nothing: roots do not concern the memory of a workspace.
    std::optional<ProjectPlace> project = {};
    std::vector<WorkspaceMember> members = {};  // of the workspace that all clients ask about
    ask::Home home = ask::Home::kChosen;        // who says which of these the code is of
  };

  ServedServer(mcp::ToolTable tools, Options options);

  /// No peer may be served any more.
  ~ServedServer();
  ServedServer(const ServedServer&) = delete;
  ServedServer& operator=(const ServedServer&) = delete;

  mcp::Server& server();

  /// What this has open for clients that name their repositories.
  ServedRepositories& repositories();

  /// What calls of an HTTP client stand on: the repository that `request` names, else that of the
  /// roots of `session`, else the server's. Who does not send the secret (Authorization: Bearer) is
  /// a viewer of decisions: that the server has it says nothing of who reaches its port. Errors:
  /// kInvalidArgument for a folder that there is not.
  Result<mcp::ServicesSource> services_of(const net::ServedRequest& request, mcp::Session& session);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::serve
