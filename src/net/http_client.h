// net/http_client.h - one HTTP request and its answer.
//
// Uses libcurl, which is loaded at the first request, so programs that send none start faster.
// Connections are kept for later requests. Certificates are verified. Proxies come from the
// environment (https_proxy, no_proxy); services on this machine are reached directly. Redirects are
// returned like other answers and not followed, so a key is sent only to the host it was given for.
// Thread-safe. Design: docs/how-it-works.md, "Network".
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
  std::chrono::milliseconds timeout{60'000};  // from the start to the last byte of the answer
  std::uint64_t max_answer_bytes = std::uint64_t{64} << 20U;  // of the answer's body
  // Receives the body of a 200 in pieces, instead of HttpAnswer::body; false ends the transfer.
  std::function<bool(std::string_view)> take = {};
};

/// A request that posts `json` to `url`; `key`, if not empty, is sent as `Authorization: Bearer
/// key`.
HttpRequest post_json(std::string url, std::string json, std::string_view key = {});

struct HttpAnswer {
  int status = 0;  // 200, 404, ...
  std::string body;
  std::string location;  // of a redirect: the target address, made absolute; else empty
  std::optional<std::chrono::milliseconds> retry_after;  // how long the server asks clients to wait
};

class HttpClient {
 public:
  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// Returns the answer to `request`, whatever its status.
  ///
  /// Messages name the host and never contain a header or the body. Errors: kIo when there was no
  /// answer but a retry may work (no connection, time-out, truncated answer); kInvalidArgument for
  /// a URL or header that cannot be sent; kUnsupported when a retry cannot work (no libcurl, an
  /// untrusted certificate); kCorrupt for an answer that is not HTTP or is longer than
  /// max_answer_bytes; kCancelled, at once, when `stop` was requested.
  Result<HttpAnswer> send(const HttpRequest& request, std::stop_token stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The host in `url` in lower case, without user and port: "api.example.com"; empty without a host.
std::string host_of(std::string_view url);

/// The target of `url` without scheme, user, query and trailing slashes: "api.example.com/v1". The
/// host is in lower case, and the scheme's default port is left out. Empty without a host.
std::string address_of(std::string_view url);

/// True if `host` is this machine: localhost, 127.*, ::1.
bool is_loopback(std::string_view host);

}  // namespace codexmem::net
