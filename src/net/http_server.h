// net/http_server.h - answers HTTP requests of this machine's programs.
//
// Over cpp-httplib. Listens only on 127.0.0.1, and serves only the user who runs it: who else asks
// gets 403, and nothing of the request is read. A server that knows its callers by what they send
// may listen elsewhere (HttpServerOptions::serves_anyone). A connection holds one of the server's
// threads until it ends, so a handler may block, but a stream that never ends takes a thread away.
// Design: docs/design/net.md.
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

/// A request as it came.
struct ServedRequest {
  std::string method = {};
  std::string path = {};                                          // decoded, without the query
  std::vector<std::pair<std::string, std::string>> queries = {};  // decoded, sorted by name
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  std::string peer_address = {};  // of who connected, in numbers; only where anyone is served

  /// The first value of a query parameter.
  std::optional<std::string_view> query(std::string_view name) const;
  /// The first value of a header; names are compared without regard to case.
  std::optional<std::string_view> header(std::string_view name) const;
};

/// Sends bytes of a stream; false when the client has gone. Without bytes it only looks.
using StreamSink = std::function<bool(std::string_view bytes)>;

struct ServedReply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<HttpHeader> headers = {};
  /// Called again and again until it returns false; what it sends is the body. Empty: `body` is.
  std::function<bool(const StreamSink&)> stream = {};
};

struct HttpServerOptions {
  std::size_t threads = 64;  // connections at once; more of them wait. Made when they are needed
  std::size_t max_body_bytes = std::size_t{20} << 20;
  std::chrono::seconds request_timeout{10};    // for a whole request to arrive
  std::chrono::seconds write_timeout{30};      // for a client to take an answer, or a stream's part
  std::chrono::seconds keep_alive_timeout{5};  // for the next request of a connection
  std::string address = "127.0.0.1";           // to listen at, IPv4 or IPv6, in numbers
  /// Nobody is refused for the user or machine he connects from; `refuse` must know who may ask.
  bool serves_anyone = false;
  /// Judges a request before its body is read: a reply refuses it. Empty: each is taken.
  std::function<std::optional<ServedReply>(const ServedRequest& head)> refuse = {};
  /// Told of a request that the handler never saw though `refuse` took it, or before that was
  /// asked: its body did not come whole, or is too large, or it can be read in two ways. May be no
  /// function.
  std::function<void(const ServedRequest& head, int status)> note_unread = {};
  /// The token that a client must send whose user is unknown; asked for each time. Empty, or an
  /// error: such clients are refused.
  std::function<Result<std::string>()> token = {};
};

/// The header, and of a GET the query parameter, that the token is sent in.
inline constexpr std::string_view kTokenHeader = "X-Codexmem-Token";
inline constexpr std::string_view kTokenParameter = "token";

class HttpServer {
 public:
  /// Called on the server's threads, several at once. What it throws is answered with 500.
  using Handler = std::function<ServedReply(const ServedRequest&)>;

  explicit HttpServer(Handler handler, HttpServerOptions options = {});
  ~HttpServer();  // after serve() has returned
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Takes `port` (0: any free one) and returns it; connections wait from now on. Errors: kBusy
  /// when somebody else has it; kInvalidArgument for an address that is none; kIo.
  Result<int> listen(int port);

  /// True when clients of this user may have to send the token (net/peer.h). After listen().
  bool asks_for_token() const;

  /// Answers requests until stop(); those under way are finished, streams end with their handler.
  void serve();

  /// Ends serve(), from any thread, also before it has begun. Connections that wait for a request,
  /// or for the rest of one, end at once.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::net
