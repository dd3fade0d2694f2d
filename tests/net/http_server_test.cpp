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

TEST(HttpServer, WhatIsNoHttpIsRefused) {
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

TEST(HttpServer, AStreamCanTellThatItsClientHasGone) {
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

TEST(HttpServer, StoppingWaitsForNobodyWhoSendsNothing) {
  std::vector<int> clients;
  const auto begun = [] { return std::chrono::steady_clock::now(); };
  auto stopped_at = begun();
  {
    const Serving serving(
        [](const ServedRequest&) { return ServedReply{.body = "{}"}; },
        {.read_timeout = std::chrono::seconds(30), .keep_alive_timeout = std::chrono::seconds(30)});
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

TEST(HttpServer, WhatIsUnderWayIsAnsweredThoughItStops) {
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

}  // namespace
}  // namespace codexmem::net
