#include "net/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "net/http_client.h"

namespace codexmem::net {
namespace {

// A server of `handler` on a thread of its own.
class Serving {
 public:
  explicit Serving(HttpServer::Handler handler, HttpServerOptions options = {})
      : server_(std::move(handler), options) {
    const auto port = server_.listen(0);
    EXPECT_TRUE(port.ok());
    port_ = port.ok() ? *port : 0;
    thread_ = std::jthread([this] { server_.serve(); });
  }
  ~Serving() {
    server_.stop();
    thread_.join();
  }
  int port() const { return port_; }
  std::string url(const std::string& target) const {
    return "http://127.0.0.1:" + std::to_string(port_) + target;
  }

  int connect() const {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return fd;
  }

  // What comes back for these bytes until the server closes.
  std::string raw(const std::string& bytes) const {
    const int fd = connect();
    ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    std::string answer;
    char some[4096];
    for (ssize_t count; (count = ::recv(fd, some, sizeof some, 0)) > 0;) {
      answer.append(some, static_cast<std::size_t>(count));
    }
    ::close(fd);
    return answer;
  }

 private:
  HttpServer server_;
  int port_ = 0;
  std::jthread thread_;
};

HttpAnswer send(const std::string& url, const std::string& method = "GET",
                const std::string& body = "") {
  HttpClient client;
  HttpRequest request;
  request.method = method;
  request.url = url;
  request.body = body;
  const auto answer = client.send(request);
  EXPECT_TRUE(answer.ok()) << answer.error().message();
  return answer.ok() ? *answer : HttpAnswer{};
}

TEST(HttpServer, HandsOverWhatWasAsked) {
  ServedRequest seen;
  const Serving serving([&](const ServedRequest& request) {
    seen = request;
    return ServedReply{.status = 201, .body = R"({"a":1})"};
  });
  const HttpAnswer answer = send(serving.url("/api/x%20y?q=a%26b&q=c&e="), "POST", "hello");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.body, R"({"a":1})");
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.path, "/api/x y");
  EXPECT_EQ(seen.query("q"), "a&b");
  EXPECT_EQ(seen.query("e"), "");
  EXPECT_EQ(seen.query("none"), std::nullopt);
  EXPECT_EQ(seen.body, "hello");
  EXPECT_TRUE(seen.header("hOST").has_value());
}

TEST(HttpServer, AnswersAreNotCompressed) {
  const std::string text(100'000, 'a');
  const Serving serving([&](const ServedRequest&) { return ServedReply{.body = text}; });
  const std::string answer = serving.raw(
      "GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\nConnection: "
      "close\r\n\r\n");
  EXPECT_EQ(answer.find("Content-Encoding"), std::string::npos);
  EXPECT_NE(answer.find(text), std::string::npos);
}

TEST(HttpServer, WhatAHandlerThrowsIsAnswered) {
  const Serving serving(
      [](const ServedRequest&) -> ServedReply { throw std::runtime_error("secret detail"); });
  const HttpAnswer answer = send(serving.url("/"));
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body, R"({"error":"internal error"})");
}

TEST(HttpServer, LargeBodiesAreRefused) {
  std::atomic<int> calls = 0;
  const Serving serving(
      [&](const ServedRequest&) {
        ++calls;
        return ServedReply{};
      },
      {.max_body_bytes = 1000, .keep_alive_timeout = std::chrono::seconds(1)});
  EXPECT_EQ(send(serving.url("/"), "POST", std::string(1000, 'x')).status, 200);
  const std::string answer =
      serving.raw("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n" + std::string(1001, 'x'));
  EXPECT_NE(answer.find("413"), std::string::npos);
  EXPECT_NE(answer.find(R"({"error":"the body is too large"})"), std::string::npos);
  EXPECT_EQ(calls, 1);
}

TEST(HttpServer, InvalidHttpIsRefused) {
  const Serving serving([](const ServedRequest&) { return ServedReply{}; },
                        {.keep_alive_timeout = std::chrono::seconds(1)});
  EXPECT_NE(serving.raw("nonsense\r\n\r\n").find(" 400 "), std::string::npos);
}

TEST(HttpServer, APostWithoutABodyIsOne) {
  const Serving serving(
      [](const ServedRequest& request) {
        return ServedReply{.body = request.method + request.path + request.body};
      },
      {.keep_alive_timeout = std::chrono::seconds(1)});
  EXPECT_NE(serving.raw("POST /reset HTTP/1.1\r\nHost: localhost\r\n\r\n").find("POST/reset"),
            std::string::npos);
}

TEST(HttpServer, StreamsUntilTheHandlerIsDone) {
  const Serving serving([](const ServedRequest&) {
    return ServedReply{.content_type = "text/event-stream",
                       .stream = [n = 0](const StreamSink& sink) mutable {
                         sink("data: " + std::to_string(n) + "\n\n");
                         return ++n < 3;
                       }};
  });
  EXPECT_EQ(send(serving.url("/")).body, "data: 0\n\ndata: 1\n\ndata: 2\n\n");
}

TEST(HttpServer, AStreamNoticesThatItsClientHasGone) {
  std::promise<void> has_begun, has_gone;
  const Serving serving([&](const ServedRequest&) {
    return ServedReply{.content_type = "text/event-stream",
                       .stream = [&, is_new = true](const StreamSink& sink) mutable {
                         if (std::exchange(is_new, false)) {
                           EXPECT_TRUE(sink({}));
                           EXPECT_TRUE(sink("data: a\n\n"));
                           has_begun.set_value();
                         }
                         std::this_thread::sleep_for(std::chrono::milliseconds(5));
                         if (sink({})) return true;
                         has_gone.set_value();
                         return false;
                       }};
  });
  const int fd = serving.connect();
  const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
  has_begun.get_future().wait();
  ::close(fd);
  EXPECT_EQ(has_gone.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
}

TEST(HttpServer, ConnectionsBeyondTheThreadsWait) {
  std::atomic<int> now = 0, most = 0;
  const Serving serving(
      [&](const ServedRequest&) {
        const int count = ++now;
        for (int seen = most; seen < count && !most.compare_exchange_weak(seen, count);) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        --now;
        return ServedReply{.headers = {{"Connection", "close"}}};
      },
      {.threads = 3, .keep_alive_timeout = std::chrono::seconds(1)});
  std::vector<std::jthread> clients;
  for (int i = 0; i < 9; ++i) {
    clients.emplace_back([&] { EXPECT_EQ(send(serving.url("/")).status, 200); });
  }
  clients.clear();
  EXPECT_LE(most, 3);
}

TEST(HttpServer, APortIsServedByOne) {
  const Serving serving([](const ServedRequest&) { return ServedReply{}; });
  HttpServer second([](const ServedRequest&) { return ServedReply{}; });
  const auto port = second.listen(serving.port());
  ASSERT_FALSE(port.ok());
  EXPECT_EQ(port.error().code(), ErrorCode::kBusy);
}

TEST(HttpServer, ManyConnectionsAtOnceAreAllAnswered) {
  std::atomic<int> calls = 0;
  const Serving serving([&](const ServedRequest&) {
    ++calls;
    return ServedReply{};
  });
  std::vector<std::jthread> clients;
  for (int i = 0; i < 40; ++i) {
    clients.emplace_back([&] {
      for (int j = 0; j < 5; ++j) EXPECT_EQ(send(serving.url("/")).status, 200);
    });
  }
  clients.clear();
  EXPECT_EQ(calls, 200);
}

TEST(HttpServer, StoppingDoesNotWaitForSilentClients) {
  std::vector<int> clients;
  const auto begun = [] { return std::chrono::steady_clock::now(); };
  auto stopped_at = begun();
  {
    const Serving serving([](const ServedRequest&) { return ServedReply{.body = "{}"}; },
                          {.request_timeout = std::chrono::seconds(30),
                           .keep_alive_timeout = std::chrono::seconds(30)});
    for (const char* text : {"", "POST / HTTP/1.1\r\nContent-Le",
                             "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
                             "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"}) {
      clients.push_back(serving.connect());
      ::send(clients.back(), text, std::string_view(text).size(), MSG_NOSIGNAL);
    }
    char some[64];
    EXPECT_GT(::recv(clients.back(), some, sizeof some, 0),
              0);  // the one that asked has its answer
    stopped_at = begun();
  }
  EXPECT_LT(begun() - stopped_at, std::chrono::seconds(10));
  for (const int client : clients) ::close(client);
}

TEST(HttpServer, RunningRequestsAreAnsweredWhenItStops) {
  std::promise<void> has_begun;
  std::promise<void> may_end;
  const auto end = may_end.get_future().share();
  auto serving = std::make_unique<Serving>([&](const ServedRequest&) {
    has_begun.set_value();
    end.wait();
    return ServedReply{.body = std::string(1 << 20, 'x')};
  });
  auto answer =
      std::async(std::launch::async, [url = serving->url("/")] { return send(url).body; });
  has_begun.get_future().wait();
  std::jthread stopping([&] { serving.reset(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  may_end.set_value();
  EXPECT_EQ(answer.get().size(), std::size_t{1} << 20);
}

TEST(HttpServer, StopsBeforeItServes) {
  HttpServer server([](const ServedRequest&) { return ServedReply{}; });
  ASSERT_TRUE(server.listen(0).ok());
  server.stop();
  server.serve();
}

// What the server says to bytes that come after each other without a pause.
int count_answers(const std::string& received) {
  int count = 0;
  for (std::size_t at = 0; (at = received.find("HTTP/1.1 ", at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

const std::string kHead = "Host: localhost\r\nContent-Type: application/json\r\n";

TEST(HttpServer, ARefusedRequestIsNotReadOn) {
  std::atomic<int> calls = 0;
  HttpServerOptions options;
  options.refuse = [](const ServedRequest& head) -> std::optional<ServedReply> {
    EXPECT_TRUE(head.body.empty());
    if (head.header("Host") == "localhost") return std::nullopt;
    return ServedReply{.status = 403, .body = "{}"};
  };
  const Serving serving(
      [&](const ServedRequest&) {
        ++calls;
        return ServedReply{};
      },
      options);
  const std::string inner = "GET /inner HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  // A page of another site chooses the body. Neither that nor an end of it is waited for.
  for (const std::string rest : {"Content-Length: 1000000\r\n\r\n", "Content-Length: 66\r\n\r\n",
                                 "\r\n", "Transfer-Encoding: chunked\r\n\r\n",
                                 "Expect: 100-continue\r\nContent-Length: 9\r\n\r\n"}) {
    const std::string answer =
        serving.raw("POST /outer HTTP/1.1\r\nHost: evil.example\r\n" + rest + inner);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 ")) << answer;
    EXPECT_NE(answer.find("Connection: close"), std::string::npos) << answer;
    EXPECT_EQ(count_answers(answer), 1) << answer;
  }
  EXPECT_EQ(calls, 0);
}

TEST(HttpServer, OneRequestIsReadInOneWay) {
  std::atomic<int> calls = 0;
  const Serving serving(
      [&](const ServedRequest&) {
        ++calls;
        return ServedReply{};
      },
      {.max_body_bytes = 1000});
  const struct {
    const char *name, *head;
    int status;
  } cases[] = {
      {"Host", "POST / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n", 400},
      {"same Host", "POST / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400},
      {"Origin", "GET / HTTP/1.1\r\nOrigin: http://localhost\r\nORIGIN: http://x\r\n\r\n", 400},
      {"Sec-Fetch-Site",
       "GET / HTTP/1.1\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n\r\n", 400},
      {"token", "GET / HTTP/1.1\r\nX-Codexmem-Token: a\r\nX-Codexmem-Token: b\r\n\r\n", 400},
      {"space", "GET / HTTP/1.1\r\nHost: localhost\r\nHost : evil.example\r\n\r\n", 400},
      {"folded", "GET / HTTP/1.1\r\nHost: localhost\r\n Origin: x\r\n\r\n", 400},
      {"lengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12", 400},
      {"length and chunks",
       "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"two codings", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
      {"signed length", "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n1", 400},
      {"length and more", "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n1", 400},
      {"huge length", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413},
      {"GET with a body", "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 400},
      {"OPTIONS in chunks", "OPTIONS / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       400},
      {"DELETE in chunks", "DELETE / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"gzip", "POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", 415},
      {"deflate", "POST / HTTP/1.1\r\nContent-Encoding: deflate\r\nContent-Length: 3\r\n\r\nab",
       415},
      {"brotli", "POST / HTTP/1.1\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc", 415},
      {"two", "POST / HTTP/1.1\r\nContent-Encoding: identity, gzip\r\nContent-Length: 3\r\n\r\nabc",
       415},
  };
  for (const auto& each : cases) {
    // Whatever is left of it is no request.
    const std::string answer =
        serving.raw(std::string(each.head) + "GET /next HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + std::to_string(each.status)))
        << each.name << ": " << answer;
    EXPECT_EQ(count_answers(answer), 1) << each.name << ": " << answer;
  }
  EXPECT_EQ(calls, 0);
  for (const char* head : {"Content-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc",
                           "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"}) {
    const std::string answer =
        serving.raw("POST / HTTP/1.1\r\n" + kHead + "Connection: close\r\n" + head);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ")) << answer;
  }
  EXPECT_EQ(calls, 2);
}

TEST(HttpServer, NothingIsReadWithoutALimit) {
  std::atomic<int> calls = 0;
  const Serving serving(
      [&](const ServedRequest&) {
        ++calls;
        return ServedReply{};
      },
      {.max_body_bytes = 1000});
  std::string headers, chunks;
  for (int i = 0; i < 5'000; ++i) headers += "X-" + std::to_string(i) + ": some value\r\n";
  for (int i = 0; i < 200; ++i) chunks += "400\r\n" + std::string(1024, 'x') + "\r\n";
  const std::pair<std::string, const char*> cases[] = {
      {"GET / HTTP/1.1\r\n" + headers + "\r\n", "HTTP/1.1 431 "},
      {"GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "HTTP/1.1 413 "},
  };
  for (const auto& [request, want] : cases) {
    const std::string answer = serving.raw(request);
    EXPECT_TRUE(answer.starts_with(want)) << answer;
  }
  EXPECT_EQ(calls, 0);
}

TEST(HttpServer, AWholeRequestHasItsTime) {
  const Serving serving([](const ServedRequest&) { return ServedReply{}; },
                        {.request_timeout = std::chrono::seconds(1)});
  for (const std::string begin :
       {"GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"}) {
    const int fd = serving.connect();
    const auto begun = std::chrono::steady_clock::now();
    ::send(fd, begin.data(), begin.size(), MSG_NOSIGNAL);
    char some[4096];
    ssize_t count = -1;
    // A byte each 50 ms: each read is in time, the request is not.
    for (int i = 0; i < 200 && count < 0; ++i) {
      ::send(fd, "x", 1, MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      count = ::recv(fd, some, sizeof some, MSG_DONTWAIT);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(8));
    ASSERT_GT(count, 0);
    EXPECT_TRUE(
        std::string_view(some, static_cast<std::size_t>(count)).starts_with("HTTP/1.1 408 "))
        << some;
    ::close(fd);
  }
}

TEST(HttpServer, WhoeverSendsSlowlyGivesWay) {
  const Serving serving([](const ServedRequest&) { return ServedReply{}; },
                        {.threads = 4,
                         .request_timeout = std::chrono::seconds(60),
                         .keep_alive_timeout = std::chrono::seconds(60)});
  std::vector<int> slow;
  for (int i = 0; i < 40; ++i) {
    slow.push_back(serving.connect());
    ::send(slow.back(), "POST / HT", 9, MSG_NOSIGNAL);
    if (i % 10 == 9) {
      const auto begun = std::chrono::steady_clock::now();
      EXPECT_EQ(send(serving.url("/")).status, 200);
      EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
    }
  }
  for (const int each : slow) ::close(each);
}

TEST(HttpServer, WhoeverTakesNothingGivesWay) {
  const Serving serving(
      [](const ServedRequest& request) {
        return ServedReply{.body = request.path == "/large" ? std::string(20 << 20, 'x') : "{}"};
      },
      {.threads = 2, .write_timeout = std::chrono::seconds(60)});
  std::vector<int> lazy;
  const std::string request = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (int i = 0; i < 6; ++i) {
    lazy.push_back(serving.connect());
    ::send(lazy.back(), request.data(), request.size(), MSG_NOSIGNAL);
  }
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(send(serving.url("/")).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
  for (const int each : lazy) ::close(each);
}

TEST(HttpServer, WhoServesAnyoneKnowsWhereTheyAskFrom) {
  for (const char* address : {"127.0.0.1", "0.0.0.0", "::"}) {
    std::string from;
    const Serving serving(
        [&](const ServedRequest& request) {
          from = request.peer_address;
          return ServedReply{};
        },
        {.address = address, .serves_anyone = true});
    if (serving.port() == 0) continue;  // a machine without IPv6
    EXPECT_EQ(send(serving.url("/")).status, 200);
    EXPECT_EQ(from, "127.0.0.1") << address;
  }
  HttpServer nowhere([](const ServedRequest&) { return ServedReply{}; }, {.address = "localhost"});
  EXPECT_EQ(nowhere.listen(0).error().code(), ErrorCode::kInvalidArgument);
}

TEST(HttpServer, RequestsThatTheHandlerNeverSawAreReported) {
  std::mutex mutex;
  std::vector<int> statuses;
  const Serving serving([](const ServedRequest&) { return ServedReply{}; },
                        {.max_body_bytes = 100,
                         .request_timeout = std::chrono::seconds(1),
                         .refuse = [](const ServedRequest& head) -> std::optional<ServedReply> {
                           if (head.path != "/no") return std::nullopt;
                           return ServedReply{.status = 403};
                         },
                         .note_unread =
                             [&](const ServedRequest&, int status) {
                               const std::lock_guard lock(mutex);
                               statuses.push_back(status);
                             }});
  const std::string head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  EXPECT_NE(serving.raw(head + "Content-Length: 101\r\n\r\n").find(" 413 "), std::string::npos);
  EXPECT_NE(serving.raw(head + "Content-Length: 10\r\n\r\n{").find(" 408 "), std::string::npos);
  EXPECT_NE(serving.raw(head + "Host: b\r\n\r\n").find(" 400 "), std::string::npos);
  EXPECT_NE(serving.raw("GET /no HTTP/1.1\r\nHost: localhost\r\n\r\n").find(" 403 "),
            std::string::npos);
  EXPECT_EQ(send(serving.url("/")).status, 200);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(statuses, (std::vector<int>{413, 408, 400}));
}

TEST(HttpServer, RequestsMayComeTogether) {
  const Serving serving([](const ServedRequest& request) {
    return ServedReply{.body = request.path + request.body};
  });
  const std::string answer = serving.raw(
      "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"
      "GET /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(count_answers(answer), 2);
  EXPECT_LT(answer.find("/aabc"), answer.find("/b"));
  EXPECT_NE(answer.find("/b"), std::string::npos);
}

}  // namespace
}  // namespace codexmem::net
