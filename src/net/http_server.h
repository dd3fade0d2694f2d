// net/http_server.h - answers HTTP requests from programs on this machine.
//
// Uses cpp-httplib. Listens only on 127.0.0.1, and serves only the user who runs it: other users
// get 403 before anything of their request is read. A server that authenticates its callers itself
// may listen elsewhere (HttpServerOptions::serves_anyone). A connection holds a thread of the
// server until it ends, so a handler may block, but a stream that never ends occupies a thread.
// Design: docs/how-it-works.md, "Network".
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "net/http_client.h"

namespace codexmem::net {

/// A received request.
struct ServedRequest {
  std::string method = {};
  std::string path = {};                                          // decoded, without the query
  std::vector<std::pair<std::string, std::string>> queries = {};  // decoded, sorted by name
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  std::string peer_address = {};  // of the client, in numbers; only with serves_anyone

  /// The first value of a query parameter.
  std::optional<std::string_view> query(std::string_view name) const;
  /// The first value of a header; names are compared without regard to case.
  std::optional<std::string_view> header(std::string_view name) const;
};

/// Sends bytes of a stream; false when the client has gone. Empty `bytes` only checks that.
using StreamSink = std::function<bool(std::string_view bytes)>;

struct ServedReply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<HttpHeader> headers = {};
  /// Called again until it returns false; the bytes it sends are the body. Empty: `body` is sent.
  std::function<bool(const StreamSink&)> stream = {};
};

struct HttpServerOptions {
  std::size_t threads = 64;  // connections at once; others wait. Started on demand
  std::size_t max_body_bytes = std::size_t{20} << 20;
  std::chrono::seconds request_timeout{10};    // for a whole request to arrive
  std::chrono::seconds write_timeout{30};      // for a client to take an answer, or a part of a
                                               // stream
  std::chrono::seconds keep_alive_timeout{5};  // for the next request of a connection
  std::string address = "127.0.0.1";           // to listen at, IPv4 or IPv6, in numbers
  /// Clients are accepted from any user or machine; `refuse` must authenticate them.
  bool serves_anyone = false;
  /// Checks a request before its body is read; returning a reply refuses it. Empty: accept all.
  std::function<std::optional<ServedReply>(const ServedRequest& head)> refuse = {};
  /// Called for a request that never reached the handler although `refuse` accepted it or was not
  /// called: its body was incomplete, too large or ambiguous. May be empty.
  std::function<void(const ServedRequest& head, int status)> note_unread = {};
  /// The token that a client of an unknown user must send; called each time. Empty, or an error:
  /// such clients are refused.
  std::function<Result<std::string>()> token = {};
};

/// The header, and for GET also the query parameter, that holds the token.
inline constexpr std::string_view kTokenHeader = "X-Codexmem-Token";
inline constexpr std::string_view kTokenParameter = "token";

class HttpServer {
 public:
  /// Called on the server's threads, several at once. An exception is answered with 500.
  using Handler = std::function<ServedReply(const ServedRequest&)>;

  explicit HttpServer(Handler handler, HttpServerOptions options = {});
  ~HttpServer();  // after serve() has returned
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Takes `port` (0: any free one) and returns it; from then on connections are queued. Errors:
  /// kBusy when another process uses it; kInvalidArgument for an invalid address; kIo.
  Result<int> listen(int port);

  /// True when even clients of this user may have to send the token (net/peer.h). After listen().
  bool asks_for_token() const;

  /// Answers requests until stop(). Requests in progress are finished; streams end with their
  /// handler.
  void serve();

  /// Ends serve(), from any thread, even before it has begun. Connections that wait for a request,
  /// or for the rest of one, end at once.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::net
