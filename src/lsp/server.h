// lsp/server.h - a language server: one client, one repository.
//
// The thread of serve() reads messages; a second one carries out notifications and requests in the
// order in which they came, so each request is answered for the texts that were open when it was
// sent. Only cancellation overtakes. Source: the specification of the language server
// protocol 3.17. Design: docs/lsp.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "mcp/transport.h"

namespace codexmem::lsp {

struct ServerOptions {
  std::filesystem::path root = {};  // the repository; empty: the one that the client names
  std::string version;              // of this program, for clients
};

class Server {
 public:
  Server(mcp::Transport& transport, ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Serves until the client says `exit`, or its input ends. True if it has said `shutdown` before.
  bool serve();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::lsp
