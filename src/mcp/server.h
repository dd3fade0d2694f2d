// mcp/server.h - an MCP server: the tools of a table, spoken for over a transport.
//
// A Server is shared by all its peers: tool table, engines, worker threads. Each peer has a Session
// (mcp/session.h). Design: docs/design/mcp.md.
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

/// What the calls of a session stand on, asked for anew by each of them, on the thread that runs
/// it; kept until the call ends. May take a moment: it may open a repository.
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
  WorkerPool::Limits workers;

  /// What sessions stand on that were given nothing else (Session::set_services). None: the
  /// server's services.
  ServicesSource services = {};

  /// Called on the thread that reads, when a client of the handshake era has told its roots.
  std::function<void(Session&, const std::vector<Root>&)> on_roots = {};
};

/// What a server offers. Without resources or prompts it does not declare that it has any.
struct Offer {
  ToolTable tools;
  const Resources* resources = nullptr;  // outlives the server
  std::span<const Prompt> prompts = {};
  bool tools_change = false;    // tools_changed() may be called: clients are told to listen
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
  /// At the end of the input, calls in flight get drain_time to finish and are answered; what is
  /// still running then, or once nobody reads answers any more, or after a stop, is cancelled.
  /// Returns when no call of this peer runs.
  void serve(Transport& transport);

  const Offer& offer() const;

  /// A conversation for a transport that carries messages itself (mcp/http_endpoint.h). It must end
  /// before the server does.
  std::shared_ptr<Session> open_session();

  /// Tells those who listen that a resource's content, or one of the lists, is another one now.
  /// Does not wait for them; what is told again before it went out goes out once. Any thread.
  void resource_changed(std::string_view uri);
  void resources_changed();
  void tools_changed();
  void prompts_changed();

  /// Ends all sessions, waits until none of their calls runs and nothing is read for them, and
  /// refuses what is asked from then on. What the services stand on may go then, before the server.
  void close();

  /// Reads again what somebody has subscribed to, and tells of what is another one now: for when it
  /// is not known which resources have changed.
  void look_at_resources();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::mcp
