// mcp/http_endpoint.h - MCP over streamable HTTP, both eras at one address.
//
// A request of the stateless era is answered by itself; `initialize` opens a session, which its
// Mcp-Session-Id names from then on. Answers come as JSON, or as a stream of events when
// notifications precede them. Independent of the listener: `serve --http` and the worker mount it.
// Source: the transports pages of MCP 2025-03-26 to 2026-07-28. Design: docs/how-it-works.md,
// "MCP".
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/server.h"
#include "net/http_server.h"

namespace codexmem::mcp {

struct HttpEndpointOptions {
  std::size_t max_sessions = 256;         // beyond it the one that is idle longest ends
  std::chrono::minutes session_idle{60};  // then a session ends
  std::size_t max_streams = 64;           // that stay open, at once, of all sessions
  std::size_t replayed_messages = 256;    // a stream, for Last-Event-ID
  /// What calls of a peer stand on, by the request that opened its session or, of the stateless
  /// era, by each. Errors are answered with 400. May be no function: the server's own.
  std::function<Result<ServicesSource>(const net::ServedRequest&, Session&)> services = {};
  /// The name of a new session of `revision`, from which another process can take it up: with both
  /// or neither. Neither: names are random, and known here only.
  std::function<std::string(std::string_view revision)> name_session = {};
  /// The revision of a session that another process has named `id`; empty: not such a name.
  std::function<std::string(std::string_view id)> revision_of = {};
};

class HttpEndpoint {
 public:
  /// `server` outlives it.
  explicit HttpEndpoint(Server& server, HttpEndpointOptions options = {});
  ~HttpEndpoint();

  /// Answers POST, GET, DELETE and OPTIONS; anything else is 405. Who may ask (Host, Origin:
  /// net/loopback.h) has been checked by the caller. Safe to call from many threads; blocks until
  /// the answer, or the first part of its stream, is there.
  net::ServedReply handle(const net::ServedRequest& request);

  /// Cancels calls in progress and ends all streams; handle() answers 503 from now on.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::mcp
