// Tested by net/http_server_test.cpp.
#include "net/http_server.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <httplib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/access_token.h"
#include "base/log.h"
#include "base/text.h"
#include "net/connections.h"
#include "net/peer.h"

namespace codexmem::net {
namespace {

// The queue of connections to accept. If 16 clients connect at once, a short queue drops some,
// which retry only a second later.
constexpr int kBacklog = 512;

// Limit for the request line and headers. For a chunked body, the limit for the data between
// chunks.
constexpr std::size_t kMaxHeadBytes = std::size_t{64} << 10;

// How long a refused client has to read the reason.
constexpr std::chrono::seconds kGoodbye{2};

// How long to wait when the system lacks a descriptor or memory.
constexpr std::chrono::milliseconds kLackPause{20};

constexpr std::string_view kOtherUser =
    R"({"error":"this server serves only the user who runs it"})";
constexpr std::string_view kTooMany = R"({"error":"too many connections"})";

// Headers that must have a single value because the server checks or acts on it.
constexpr std::array<std::string_view, 16> kSingleHeaders = {
    "authorization",   "content-encoding", "content-length",
    "content-type",    "expect",           "host",
    "last-event-id",   "mcp-method",       "mcp-protocol-version",
    "mcp-session-id",  "origin",           "sec-fetch-dest",
    "sec-fetch-mode",  "sec-fetch-site",   "transfer-encoding",
    "x-codexmem-token"};

std::string raw_reply(std::string_view status, std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: "
      "close\r\n\r\n{}",
      status, body.size(), body);
}

ServedReply refusal(int status, std::string_view why) {
  return {.status = status, .body = fmt::format(R"({{"error":"{}"}})", why)};
}

// The limits of a request and its body must be unambiguous: a program that reads them differently
// takes the bytes after them for a separate request.
std::optional<ServedReply> refuse_framing(const ServedRequest& head, std::size_t max_body_bytes) {
  std::set<std::string> seen;
  for (const HttpHeader& header : head.headers) {
    std::string name = to_lower_ascii(header.name);
    if (name.empty() || name.find_first_of(" \t") != std::string::npos) {
      return refusal(400, "a header's name has a space");
    }
    const bool is_single = std::ranges::find(kSingleHeaders, name) != kSingleHeaders.end();
    if (is_single && !seen.insert(name).second) {
      return refusal(400, fmt::format("the header {} is there twice", name));
    }
  }
  const auto coding = head.header("Content-Encoding");
  if (coding && to_lower_ascii(trim(*coding)) != "identity") {
    return refusal(415, "a body with a Content-Encoding is not taken");
  }
  const auto length = head.header("Content-Length"), transfer = head.header("Transfer-Encoding");
  if (transfer && (length || to_lower_ascii(trim(*transfer)) != "chunked")) {
    return refusal(400, "a body has a Content-Length or is chunked");
  }
  std::size_t bytes = 0;
  if (length) {
    const char* const end = length->data() + length->size();
    const auto [read_to, error] = std::from_chars(length->data(), end, bytes);
    if (error == std::errc::result_out_of_range) return refusal(413, "the body is too large");
    if (error != std::errc() || read_to != end) {
      return refusal(400, "the Content-Length is not a number");
    }
  }
  if (bytes > max_body_bytes) return refusal(413, "the body is too large");
  const bool may_have_body = head.method == "POST" || head.method == "PUT" ||
                             head.method == "PATCH" || (head.method == "DELETE" && !transfer);
  if (!may_have_body && (bytes > 0 || transfer)) {
    return refusal(400, fmt::format("a {} request has no body", head.method));
  }
  return std::nullopt;
}

class Parser : public httplib::Server {
 public:
  using httplib::Server::process_request;
  // Streams end when there is no socket; requests are read from Exchange.
  void begin(int socket) { svr_sock_ = socket; }
  void end_streams() { svr_sock_ = INVALID_SOCKET; }
};

// One request on a connection and its answer, as the library reads and writes them.
class Exchange : public httplib::Stream {
 public:
  Exchange(Connection& connection, const HttpServerOptions& options, Clock::time_point since)
      : connection_(connection), options_(options), since_(since) {}

  Peer peer() const { return connection_.peer(); }
  std::string address() const { return connection_.address(); }

  void note_head(ServedRequest head, std::optional<ServedReply> refusal) {
    head_ = std::move(head);
    refusal_ = std::move(refusal);
    left_ = options_.max_body_bytes + kMaxHeadBytes;
  }
  ServedRequest take_head() { return std::move(head_); }
  const ServedRequest& head() const { return head_; }
  const std::optional<ServedReply>& refusal() const { return refusal_; }

  // Once the handler has seen a request, it was read to its end.
  void note_answered() { is_answered_ = true; }
  bool is_answered() const { return is_answered_; }

  // Why the rest of the request could not be read; 0 if nothing failed.
  int read_failure() const { return read_failure_; }

  ssize_t read(char* into, std::size_t size) override {
    if (left_ == 0) return fail(head_.method.empty() ? 431 : 413);
    const auto end = since_ + options_.request_timeout;
    const ssize_t count = connection_.read(into, std::min(size, left_), since_, end);
    if (count < 0) return fail(408);
    left_ -= static_cast<std::size_t>(count);
    return count;
  }
  ssize_t write(const char* from, std::size_t size) override {
    const auto end = Clock::now() + options_.write_timeout;
    return connection_.write({from, size}, end) ? static_cast<ssize_t>(size) : -1;
  }
  bool is_readable() const override { return true; }
  bool is_writable() const override { return connection_.is_connected(); }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override {
    return INVALID_SOCKET;
  }  // the library would refuse one of
     // 1024 or above

 private:
  ssize_t fail(int status) {
    read_failure_ = status;
    return -1;
  }

  Connection& connection_;
  const HttpServerOptions& options_;
  const Clock::time_point since_;
  std::size_t left_ = kMaxHeadBytes;
  ServedRequest head_;
  std::optional<ServedReply> refusal_;
  bool is_answered_ = false;
  int read_failure_ = 0;
};

// The library's callbacks get only the request.
thread_local Exchange* exchange = nullptr;

ServedRequest read_head(const httplib::Request& request) {
  ServedRequest head;
  head.method = request.method;
  head.path = request.path;
  for (const auto& [name, value] : request.params) head.queries.emplace_back(name, value);
  for (const auto& [name, value] : request.headers) head.headers.push_back({name, value});
  return head;
}

void write_reply(ServedReply reply, httplib::Response& response) {
  response.status = reply.status;
  for (HttpHeader& header : reply.headers) response.set_header(header.name, header.value);
  if (!reply.stream) {
    response.set_content(std::move(reply.body), reply.content_type);
    return;
  }
  response.set_chunked_content_provider(
      reply.content_type, [stream = std::move(reply.stream)](std::size_t, httplib::DataSink& sink) {
        bool is_connected = true;
        const bool goes_on = stream([&](std::string_view bytes) {
          // An empty chunk would end the stream.
          is_connected = is_connected && (bytes.empty() ? sink.is_writable()
                                                        : sink.write(bytes.data(), bytes.size()));
          return is_connected;
        });
        if (is_connected && !goes_on) sink.done();
        return is_connected;
      });
}

std::string_view reason(int status) {
  switch (status) {
    case 400:
      return "this is not an HTTP request";
    case 408:
      return "the request took too long to arrive";
    case 431:
      return "the headers are too large";
    case 413:
      return "the body is too large";
    case 414:
      return "the address is too long";
    default:
      return "the request was refused";
  }
}

}  // namespace

std::optional<std::string_view> ServedRequest::query(std::string_view name) const {
  for (const auto& [key, value] : queries) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> ServedRequest::header(std::string_view name) const {
  for (const HttpHeader& one : headers) {
    if (to_lower_ascii(one.name) == to_lower_ascii(name)) return one.value;
  }
  return std::nullopt;
}

struct HttpServer::Impl {
  Impl(Handler given, HttpServerOptions chosen)
      : handler(std::move(given)),
        options(std::move(chosen)),
        connections(options.threads, [this](Connection& connection) { serve(connection); }) {
    set_up();
  }
  ~Impl() {
    if (listening >= 0) ::close(listening);
  }

  const Handler handler;
  const HttpServerOptions options;
  Parser parser;
  int listening = -1;
  std::optional<PeerCheck> peers;
  std::atomic<bool> is_stopped = false;
  Connections connections;  // last, because its threads use the other members

  void set_up() {
    parser.set_payload_max_length(options.max_body_bytes);
    parser.set_keep_alive_timeout(options.keep_alive_timeout.count());
    parser.set_keep_alive_max_count(100'000);
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      this->answer(request, response);
    };
    parser.Get(".*", answer).Post(".*", answer).Put(".*", answer);
    parser.Patch(".*", answer).Delete(".*", answer).Options(".*", answer);
    parser.set_expect_100_continue_handler(
        [](const httplib::Request&, httplib::Response& response) {
          if (!exchange->refusal()) return 100;
          write_reply(*exchange->refusal(), response);
          return response.status;
        });
    parser.set_pre_routing_handler(
        [answer](const httplib::Request& request, httplib::Response& response) {
          if (exchange->refusal()) {
            write_reply(*exchange->refusal(), response);
            return httplib::Server::HandlerResponse::Handled;
          }
          // A POST without these headers has no body (RFC 9112, 6.3); the library would wait for
          // one.
          const bool has_body =
              request.has_header("Content-Length") || request.has_header("Transfer-Encoding");
          if (has_body || request.method == "GET" || request.method == "HEAD") {
            return httplib::Server::HandlerResponse::Unhandled;
          }
          answer(request, response);
          return httplib::Server::HandlerResponse::Handled;
        });
    parser.set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
      if (exchange->is_answered()) return;
      response.headers.erase("Keep-Alive");
      response.headers.erase("Connection");
      response.set_header("Connection", "close");
    });
    parser.set_exception_handler([](const httplib::Request& request, httplib::Response& response,
                                    const std::exception_ptr& thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& error) {
        log_error("http: {} {}: {}", request.method, request.path, error.what());
      } catch (...) {
        log_error("http: {} {}: something was thrown", request.method, request.path);
      }
      response.status = 500;
      response.set_content(R"({"error":"internal error"})", "application/json");
    });
    parser.set_error_handler(
        httplib::Server::Handler([](const httplib::Request&, httplib::Response& response) {
          if (!response.body.empty()) return;
          if (exchange->read_failure() != 0) response.status = exchange->read_failure();
          response.set_content(fmt::format(R"({{"error":"{}"}})", reason(response.status)),
                               "application/json");
        }));
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    exchange->note_answered();
    ServedRequest served = exchange->take_head();
    served.body = request.body;
    write_reply(handler(served), response);
  }

  void serve(Connection& connection) {
    auto since = Clock::now();
    if (connection.peer() == Peer::kOtherUser) {
      connection.write(raw_reply("403 Forbidden", kOtherUser), since + kGoodbye);
      return connection.say_goodbye(since + kGoodbye);
    }
    do {
      Exchange one(connection, options, since);
      exchange = &one;
      bool is_last = connections.are_waiting();
      const bool is_sent = parser.process_request(
          one, is_last, is_last, [&](httplib::Request& request) { judge(one, request); });
      exchange = nullptr;
      const bool is_unread = !one.is_answered() && !one.refusal() && !one.head().method.empty();
      if (is_unread && options.note_unread) {
        options.note_unread(one.head(), one.read_failure() != 0 ? one.read_failure() : 400);
      }
      // If the rest of a request was not read, it must not be taken for the next request.
      if (is_sent && !one.is_answered()) return connection.say_goodbye(Clock::now() + kGoodbye);
      if (!is_sent || is_last) return;
      since = Clock::now();
    } while (connection.await_request(since + options.keep_alive_timeout));
  }

  void judge(Exchange& one, httplib::Request& request) {
    // The library's own headers, set in addition to the client's.
    for (const char* name : {"REMOTE_ADDR", "REMOTE_PORT", "LOCAL_ADDR", "LOCAL_PORT"}) {
      request.headers.erase(name);
    }
    ServedRequest head = read_head(request);
    if (options.serves_anyone) head.peer_address = one.address();
    // The library would compress answers with brotli at its slowest level: 1.2 s for the viewer's
    // page, which needs only 2 ms to reach another process of this machine.
    request.headers.erase("Accept-Encoding");
    std::optional<ServedReply> refused = refuse_framing(head, options.max_body_bytes);
    if (!refused && one.peer() == Peer::kUnknown && !has_token(head)) {
      refused = refusal(
          403, fmt::format("which user asks is unknown: send the header {} with the text of the "
                           "file token in codexmem's data directory",
                           kTokenHeader));
    }
    if (refused && options.note_unread) options.note_unread(head, refused->status);
    if (!refused && options.refuse) refused = options.refuse(head);
    if (refused)
      log_debug("http: {} {}: {} {}", head.method, head.path, refused->status, refused->body);
    one.note_head(std::move(head), std::move(refused));
  }

  bool has_token(const ServedRequest& head) const {
    if (!options.token) return false;
    const auto wanted = options.token();  // first, so that the token exists before clients send it
    if (!wanted.ok()) log_error("http: {}", wanted.error().message());
    auto given = head.header(kTokenHeader);
    if (!given && head.method == "GET") given = head.query(kTokenParameter);
    return wanted.ok() && given && is_same_secret(*given, *wanted);
  }

  void accept_one() {
    const int socket = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      const bool has_gone = errno == ECONNABORTED || errno == EINTR;  // the client
      if (has_gone || is_stopped) return;
      const bool lacks = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      if (lacks) connections.cut_one();
      std::this_thread::sleep_for(kLackPause);
      return;
    }
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const Peer peer = options.serves_anyone ? Peer::kOwnUser : peers->find(socket);
    if (connections.add(socket, peer)) return;
    const std::string reply = peer == Peer::kOtherUser
                                  ? raw_reply("403 Forbidden", kOtherUser)
                                  : raw_reply("503 Service Unavailable", kTooMany);
    ::send(socket, reply.data(), reply.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::close(socket);
  }
};

HttpServer::HttpServer(Handler handler, HttpServerOptions options)
    : impl_(std::make_unique<Impl>(std::move(handler), std::move(options))) {}

HttpServer::~HttpServer() = default;

Result<int> HttpServer::listen(int port) {
  const auto failure = [port](int error) {
    return Error{error == EADDRINUSE ? ErrorCode::kBusy : ErrorCode::kIo,
                 fmt::format("port {}: {}", port, std::strerror(error))};
  };
  const std::string& at = impl_->options.address;
  sockaddr_in of_four{.sin_family = AF_INET,
                      .sin_port = htons(static_cast<std::uint16_t>(port)),
                      .sin_addr = {},
                      .sin_zero = {}};
  sockaddr_in6 of_six{.sin6_family = AF_INET6,
                      .sin6_port = htons(static_cast<std::uint16_t>(port)),
                      .sin6_flowinfo = 0,
                      .sin6_addr = {},
                      .sin6_scope_id = 0};
  const bool is_four = ::inet_pton(AF_INET, at.c_str(), &of_four.sin_addr) == 1;
  if (!is_four && ::inet_pton(AF_INET6, at.c_str(), &of_six.sin6_addr) != 1) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{} is not an address in numbers", at)};
  }
  auto* const any =
      is_four ? reinterpret_cast<sockaddr*>(&of_four) : reinterpret_cast<sockaddr*>(&of_six);
  socklen_t size = is_four ? sizeof of_four : sizeof of_six;
  const int socket = ::socket(any->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return failure(errno);
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, any, size) != 0 || ::listen(socket, kBacklog) != 0 ||
      ::getsockname(socket, any, &size) != 0) {
    const int error = errno;
    ::close(socket);
    return failure(error);
  }
  impl_->listening = socket;
  impl_->parser.begin(socket);
  if (!impl_->options.serves_anyone) impl_->peers.emplace(socket);
  return ntohs(is_four ? of_four.sin_port : of_six.sin6_port);
}

bool HttpServer::asks_for_token() const { return impl_->peers && !impl_->peers->knows_everyone(); }

void HttpServer::serve() {
  while (!impl_->is_stopped) impl_->accept_one();
  impl_->connections.join();
}

void HttpServer::stop() {
  impl_->is_stopped = true;
  ::shutdown(impl_->listening, SHUT_RDWR);  // ends accept()
  impl_->parser.end_streams();
  impl_->connections.stop();
}

}  // namespace codexmem::net
