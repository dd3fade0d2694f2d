// serve/team/team_server.h - MCP for a team: several repositories, and callers who see some of
// them.
//
// Each caller has an MCP endpoint of his own for each repository that he asks about, so that
// nothing of a session, a stream or a call can be named by anybody else; what an endpoint offers is
// what the file grants. Thread-safe. Design: docs/design/team-server.md.
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
  /// By the file at `path`. Nothing of a repository is opened yet. Errors: those of
  /// read_team_file(), AuditLog::open() and set_up_fleet(); what prepare_user_directory() says of
  /// its data folder.
  static Result<std::unique_ptr<TeamServer>> open(const std::filesystem::path& path);
  ~TeamServer();
  TeamServer(const TeamServer&) = delete;
  TeamServer& operator=(const TeamServer&) = delete;

  /// What an HTTP server for this has to be: where it listens, its limits, and refuse().
  net::HttpServerOptions http_options();
  int port() const;

  /// Judges a request by its head (HttpServerOptions::refuse).
  std::optional<net::ServedReply> refuse(const net::ServedRequest& head);

  /// Answers one that was not refused: /mcp and /health.
  net::ServedReply answer(const net::ServedRequest& request);

  /// Notes a request of which the body never came, or was too large.
  void note_unread(const net::ServedRequest& head, int status);

  /// Reads the file again. Sessions of callers who may do something else than before end. Where to
  /// listen and the limits of a request are the old ones until the next start. Errors: those of
  /// open(); then nothing has changed.
  Result<void> reload();

  /// Cancels what is under way and ends all streams; from then on /health is 503.
  void close();

 private:
  struct Impl;
  explicit TeamServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::serve
