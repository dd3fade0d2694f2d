// Tested by hook/worker_call_test.cpp.
#include "hook/worker_call.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "base/text.h"

namespace codexmem::hook {
namespace {

constexpr std::size_t kMaxAnswer = std::size_t{1} << 20;

class Connection {
 public:
  explicit Connection(std::chrono::milliseconds limit)
      : end_(Clock::now() + limit),
        socket_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    if (socket_ >= 0) ::close(socket_);
  }

  bool connect(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0) return false;
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      return true;
    }
    if (errno != EINPROGRESS || !wait(POLLOUT)) return false;
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(count));
      } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
        return false;
      } else if (!wait(POLLOUT)) {
        return false;
      }
    }
    return true;
  }

  // Appends the received bytes; 0 at the end of the stream, negative when time is up or on an
  // error.
  ssize_t receive(std::string& into) {
    std::array<char, 16384> buffer;
    while (wait(POLLIN)) {
      const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
      return count;
    }
    return -1;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool wait(short events) {
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
      if (left <= 0) return false;
      pollfd waited{socket_, events, 0};
      const int ready = ::poll(&waited, 1, static_cast<int>(left));
      if (ready > 0) return true;
      if (ready == 0 || errno != EINTR) return false;
    }
  }

  Clock::time_point end_;
  int socket_;
};

// The status of "HTTP/1.1 200 OK"; 0 for another line.
int read_status(std::string_view head) {
  if (!head.starts_with("HTTP/1.") || head.size() < 12) return 0;
  int status = 0;
  std::from_chars(head.data() + 9, head.data() + 12, status);
  return status;
}

std::optional<std::size_t> content_length(std::string_view head) {
  for (const std::string_view line : split(head, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (to_lower_ascii(line.substr(0, colon)) != "content-length") continue;
    const std::string_view value = trim(line.substr(colon + 1));
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (error == std::errc() && end == value.data() + value.size()) return length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<WorkerAnswer> call_worker(int port, const WorkerCall& call,
                                        std::chrono::milliseconds limit) {
  Connection connection(limit);
  if (!connection.connect(port)) return std::nullopt;
  const std::string head = fmt::format(
      "{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\nConnection: close\r\n{}\r\n",
      call.method, call.target, port, call.body.size(),
      call.token.empty() ? "" : fmt::format("X-Codexmem-Token: {}\r\n", call.token));
  if (!connection.send(head) || !connection.send(call.body)) return std::nullopt;

  std::string received;
  std::size_t body = std::string::npos;
  std::optional<std::size_t> length;
  WorkerAnswer answer;
  while (true) {
    const ssize_t count = connection.receive(received);
    if (count < 0 || received.size() > kMaxAnswer) return std::nullopt;
    if (body == std::string::npos) {
      if (const std::size_t end = received.find("\r\n\r\n"); end != std::string::npos) {
        body = end + 4;
        const std::string_view whole_head = std::string_view(received).substr(0, end);
        answer.status = read_status(whole_head);
        length = content_length(whole_head);
        if (answer.status == 0) return std::nullopt;
        // A refusal says why.
        const bool is_refusal = answer.status >= 400 && answer.status < 500;
        if (!call.wants_body && !is_refusal) return answer;
      }
    }
    const bool is_whole =
        body != std::string::npos && (length ? received.size() - body >= *length : count == 0);
    if (is_whole) {
      answer.body = received.substr(body, length.value_or(std::string::npos));
      return answer;
    }
    if (count == 0) return std::nullopt;
  }
}

}  // namespace codexmem::hook
