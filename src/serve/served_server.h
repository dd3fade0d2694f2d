// serve/served_server.h - the MCP server of `serve` and of the worker: its tools, and the
// repository for a client's calls.
//
// The repository is the one that the server was made with. Without one, it is the first root that
// the client names; until then, code tools report that it is missing. Several roots are a
// workspace, and so are the repositories of a workspace file (serve/workspace.h). Thread-safe.
// Design: docs/how-it-works.md, "MCP", and docs/workspace.md.
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

/// The tools that the user and the repository offer. `role` is the role of a caller who is
/// authenticated as the user (MemorySetup). Errors: kInvalidArgument.
Result<mcp::ToolTable> selected_tools(const Settings& settings, memory::Role role);

/// The names of the offered tools in one profile.
std::vector<std::string> names_of(const mcp::ToolTable& tools, std::string_view profile);

class ServedServer {
 public:
  struct Options {
    memory::LazyMemory* memory = nullptr;  // for clients that name no repository; must outlive this
                                           // object
    std::unique_ptr<store::Workspace> workspace = {};  // for all clients; null: each names its own
    EmbeddingProvider provider = {};                   // for the workspace
    std::size_t watches = SIZE_MAX;                    // likewise
    std::string missing_code = {};                     // without a workspace: why there is no code
    std::filesystem::path root = {};  // without both: where each call looks for the workspace
    bool prefers_roots = false;       // workspace and root are only for clients that send no roots
    std::string role = {};            // for the decision tools
    bool is_for_all = false;          // callers are unknown: not every folder is opened for them
    bool takes_folder = false;        // over HTTP: `?repository=/absolute/path` names one
    std::shared_ptr<fleet::Fleet> fleet = {};  // an organisation's index; may be null
    std::string secret = {};  // over HTTP: a client that sends it is more than a viewer
    /// The project of `memory`, which a project from a client's roots replaces. Nothing: roots do
    /// not affect the memory of a workspace.
    std::optional<ProjectPlace> project = {};
    std::vector<WorkspaceMember> members = {};  // of the workspace that all clients query
    ask::Home home = ask::Home::kChosen;        // who chooses the repository among these
  };

  ServedServer(mcp::ToolTable tools, Options options);

  /// No peer may be served any more.
  ~ServedServer();
  ServedServer(const ServedServer&) = delete;
  ServedServer& operator=(const ServedServer&) = delete;

  mcp::Server& server();

  /// The repositories opened for clients that name theirs.
  ServedRepositories& repositories();

  /// The services for calls of an HTTP client: for the repository that `request` names, or else the
  /// one of the roots of `session`, or else the server's. A client that does not send the secret
  /// (Authorization: Bearer) is a viewer of decisions: the server's own secret proves nothing about
  /// who reaches its port. Errors: kInvalidArgument for a folder that does not exist.
  Result<mcp::ServicesSource> services_of(const net::ServedRequest& request, mcp::Session& session);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::serve
