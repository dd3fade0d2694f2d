// serve/team/team_server.h - MCP for a team: several repositories, and callers with access to some
// of them.
//
// Each caller has a separate MCP endpoint for each repository, so that other callers cannot refer
// to its sessions, streams or calls; an endpoint offers what the file grants. Thread-safe. Design:
// docs/team-server.md.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/http_server.h"
#include "serve/team/team_file.h"

namespace codexmem::serve {

class TeamServer {
 public:
  /// Uses the file at `path`. No repository is opened yet. Errors: as read_team_file(),
  /// AuditLog::open() and set_up_fleet(); as prepare_user_directory() for its data folder.
  static Result<std::unique_ptr<TeamServer>> open(const std::filesystem::path& path);
  ~TeamServer();
  TeamServer(const TeamServer&) = delete;
  TeamServer& operator=(const TeamServer&) = delete;

  /// The options for its HTTP server: its address, its limits, and refuse().
  net::HttpServerOptions http_options();
  int port() const;

  /// Checks a request by its head (HttpServerOptions::refuse).
  std::optional<net::ServedReply> refuse(const net::ServedRequest& head);

  /// Answers a request that was not refused: /mcp and /health.
  net::ServedReply answer(const net::ServedRequest& request);

  /// Logs a request whose body never arrived, or was too large.
  void note_unread(const net::ServedRequest& head, int status);

  /// Reloads the file. Sessions of callers with changed permissions end. The listening address and
  /// the limits of a request change only at the next start. Errors: as open(); nothing is changed
  /// then.
  Result<void> reload();

  /// Cancels all running calls and ends all streams; from then on /health is 503.
  void close();

 private:
  struct Impl;
  explicit TeamServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::serve
