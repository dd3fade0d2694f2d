// net/http_client.h - one HTTP request and its answer.
//
// Over libcurl, which is loaded at the first request: a program that sends none starts as if it
// were not there. Connections are kept for the next request. Certificates are verified; proxies are
// those of the environment (https_proxy, no_proxy), and this machine's own services are reached
// without one. Redirects are answers like others and are not followed, so a key goes to the host
// that it was given for and to no other. Thread-safe. Design: docs/design/net.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::net {

struct HttpHeader {
  std::string name;
  std::string value;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // http:// or https://
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{60'000};  // from the begin to the answer's last byte
  std::uint64_t max_answer_bytes = std::uint64_t{64} << 20U;  // of the answer's body
  // Gets the body of a 200 piece by piece, in place of HttpAnswer::body; false ends the transfer.
  std::function<bool(std::string_view)> take = {};
};

/// A request that posts `json` to `url`; with a `key`, as `Authorization: Bearer key`.
HttpRequest post_json(std::string url, std::string json, std::string_view key = {});

struct HttpAnswer {
  int status = 0;  // 200, 404, ...
  std::string body;
  std::string location;  // of a redirect: the address it leads to, made absolute; else empty
  std::optional<std::chrono::milliseconds>
      retry_after;  // how long the server wants to be left alone
};

class HttpClient {
 public:
  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// The answer to `request`, whatever its status.
  ///
  /// Messages name the host and never hold a header or the body. Errors: kIo when there was no
  /// answer and there may be one another time (no connection, time-out, an answer that was cut
  /// off); kInvalidArgument for an URL or header that cannot be sent; kUnsupported when there never
  /// will be one (no libcurl, a certificate that is not trusted); kCorrupt for an answer that is no
  /// HTTP or longer than max_answer_bytes; kCancelled, at once, when `stop` was requested.
  Result<HttpAnswer> send(const HttpRequest& request, std::stop_token stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The host in `url` in lower case, without user and port: "api.example.com"; empty when there is
/// none.
std::string host_of(std::string_view url);

/// Where `url` leads, without scheme, user, query and slashes at the end: "api.example.com/v1". The
/// host is in lower case, the port is there unless it is the scheme's own. Empty without a host.
std::string address_of(std::string_view url);

/// True if `host` is this machine: localhost, 127.*, ::1.
bool is_loopback(std::string_view host);

}  // namespace codexmem::net
