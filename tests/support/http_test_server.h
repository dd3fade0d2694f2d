// support/http_test_server.h - an HTTP server on this machine that answers as a test wants, badly
// too: with bytes that are no HTTP, with half an answer, or never.
//
// One thread a connection, one request a connection.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace codexmem::testing {

struct TestRequest {
  std::string head;  // request line and headers, as sent
  std::string body;
};

struct TestReply {
  std::string bytes;       // all that is sent
  bool then_hang = false;  // and the connection stays open, until the client goes
};

/// A whole answer.
inline TestReply reply(int status, const std::string& body, const std::string& headers = "") {
  return {"HTTP/1.1 " + std::to_string(status) + " Status\r\nContent-Length: " +
          std::to_string(body.size()) + "\r\nConnection: close\r\n" + headers + "\r\n" + body};
}

class HttpTestServer {
 public:
  using Handler = std::function<TestReply(const TestRequest&)>;

  explicit HttpTestServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 64), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::jthread([this] { accept_all(); });
  }
  ~HttpTestServer() {
    over_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (std::jthread& thread : connections_) thread.join();
    ::close(listener_);
  }
  HttpTestServer(const HttpTestServer&) = delete;
  HttpTestServer& operator=(const HttpTestServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int requests() const { return requests_; }

 private:
  void accept_all() {
    for (;;) {
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return;
      connections_.emplace_back([this, connection] { serve(connection); });
    }
  }

  void serve(int connection) {
    TestRequest request;
    std::string bytes;
    std::size_t end = std::string::npos, length = 0;
    while (wait_for(connection)) {
      char some[65536];
      const ssize_t count = ::recv(connection, some, sizeof some, 0);
      if (count <= 0) break;
      bytes.append(some, static_cast<std::size_t>(count));
      if (end == std::string::npos && (end = bytes.find("\r\n\r\n")) != std::string::npos) {
        const auto at = bytes.find("Content-Length: ");
        length = at < end ? std::strtoul(bytes.c_str() + at + 16, nullptr, 10) : 0;
      }
      if (end != std::string::npos && bytes.size() >= end + 4 + length) {
        request = {bytes.substr(0, end), bytes.substr(end + 4)};
        ++requests_;
        const TestReply answer = handler_(request);
        ::send(connection, answer.bytes.data(), answer.bytes.size(), MSG_NOSIGNAL);
        if (answer.then_hang && wait_for(connection)) ::recv(connection, some, sizeof some, 0);
        break;
      }
    }
    ::close(connection);
  }

  // Until there is something to read; false when the server ends first.
  bool wait_for(int connection) const {
    while (!over_) {
      pollfd one{connection, POLLIN, 0};
      if (::poll(&one, 1, 20) > 0) return true;
    }
    return false;
  }

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> over_ = false;
  std::atomic<int> requests_ = 0;
  std::vector<std::jthread> connections_;  // of the acceptor, until it has ended
  std::jthread acceptor_;
};

}  // namespace codexmem::testing
