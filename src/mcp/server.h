// mcp/server.h - an MCP server: the tools of a table, spoken for over a transport.
//
// A Server is shared by all its peers: tool table, engines, worker threads. Each peer has a Session
// (mcp/session.h). Design: docs/how-it-works.md, "MCP".
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/prompt.h"
#include "mcp/protocol.h"
#include "mcp/resource.h"
#include "mcp/tool_table.h"
#include "mcp/transport.h"
#include "mcp/worker_pool.h"

namespace codexmem::mcp {

class Session;

/// The services that a session's calls use. Each call requests them again, on the thread that runs
/// it, and keeps them until it ends. May take a moment: it may open a repository.
using ServicesSource = std::function<std::shared_ptr<ask::Services>()>;

struct ServerOptions {
  std::string name = "codexmem";
  std::string title = "codexmem";
  std::string version;
  std::string contracts = "{}";                      // JSON object: contract -> its version
  std::string instructions;                          // for models: which tool when; under 1 KB
  std::size_t page_size = 100;                       // tools, prompts or templates in one answer
  std::chrono::milliseconds progress_interval{100};  // at most one notification a call in this time
  std::chrono::milliseconds drain_time{10'000};  // for calls in flight after the end of the input
  std::chrono::milliseconds ask_time{60'000};    // that a client has to answer a request of ours
  std::chrono::milliseconds roots_time{0};       // that calls wait for the roots of the client
  WorkerPool::Limits workers;

  /// What sessions stand on that were given nothing else (Session::set_services). None: the
  /// server's services.
  ServicesSource services = {};

  /// Called on the reading thread, when a client of the handshake era has sent its roots.
  std::function<void(Session&, const std::vector<Root>&)> on_roots = {};
};

/// The capabilities of a server. Without resources or prompts it does not declare these.
struct Offer {
  ToolTable tools;
  const Resources* resources = nullptr;  // outlives the server
  std::span<const Prompt> prompts = {};
  bool tools_change = false;    // tools_changed() may be called; announced to clients
  bool prompts_change = false;  // prompts_changed() may be
};

class Server {
 public:
  /// `services` is handed to every call; it may be null when nothing needs it, and must outlive the
  /// server.
  Server(Offer offer, ask::Services* services, ServerOptions options);
  ~Server();

  /// Serves one peer until its input ends or the transport is stopped.
  ///
  /// At the end of the input, calls in flight get drain_time to finish and are answered. Calls that
  /// still run then, or when the answers have no reader any more, or after a stop, are cancelled.
  /// Returns when no call of this peer runs.
  void serve(Transport& transport);

  const Offer& offer() const;

  /// A conversation for a transport that carries messages itself (mcp/http_endpoint.h). It must end
  /// before the server does.
  std::shared_ptr<Session> open_session();

  /// Notifies listening peers that a resource's content, or one of the lists, has changed. Does not
  /// wait for them; a change reported again before it was sent is sent once. Any thread.
  void resource_changed(std::string_view uri);
  void resources_changed();
  void tools_changed();
  void prompts_changed();

  /// Ends all sessions, waits until none of their calls runs and nothing is read for them, and
  /// refuses later requests. After that the objects that the services use may be destroyed, before
  /// the server.
  void close();

  /// Reads the subscribed resources again and sends notifications for those that have changed: for
  /// use when it is not known which resources have changed.
  void look_at_resources();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::mcp
