// Tested by net/http_server_test.cpp.
#include "net/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include "base/log.h"
#include "base/text.h"

namespace codexmem::net {
namespace {

// Connections that wait to be accepted. The library asks for 5: a sixth that comes at once is
// dropped, and tries again a second later.
constexpr int kBacklog = 512;

// Threads that are made when there is more to do, up to a number, and stay a while: most of the
// time a server needs few, and one that listens for long takes one away. What does not find one
// waits.
class ThreadPool : public httplib::TaskQueue {
 public:
  explicit ThreadPool(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> task) override {
    std::list<std::jthread> ended;  // joined without the lock
    const std::lock_guard lock(mutex_);
    ended.swap(ended_);
    tasks_.push_back(std::move(task));
    if (tasks_.size() > idle_ && threads_.size() < most_) {
      begin_thread();
    } else {
      changed_.notify_one();
    }
  }

  void shutdown() override {
    std::unique_lock lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
    emptied_.wait(lock, [this] { return threads_.empty(); });
    std::list<std::jthread> ended;
    ended.swap(ended_);
    lock.unlock();
  }

 private:
  static constexpr std::chrono::seconds kStay{10};

  // With mutex_ held.
  void begin_thread() {
    const auto place = threads_.emplace(threads_.end());
    try {
      *place = std::jthread([this, place] { work(place); });
    } catch (const std::system_error& error) {  // the system gives none: the others have to do
      threads_.erase(place);
      log_error("http: no more than {} threads: {}", threads_.size(), error.what());
      changed_.notify_one();
    }
  }

  void work(std::list<std::jthread>::iterator place) {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      changed_.wait_for(lock, kStay, [this] { return is_over_ || !tasks_.empty(); });
      --idle_;
      if (tasks_.empty()) break;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
    ended_.splice(ended_.end(), threads_, place);
    emptied_.notify_all();
  }

  const std::size_t most_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_, emptied_;
  std::list<std::function<void()>> tasks_;
  std::list<std::jthread> threads_, ended_;
  std::size_t idle_ = 0;
  bool is_over_ = false;
};

class Listener : public httplib::Server {
 public:
  void lengthen_backlog() { ::listen(svr_sock_, kBacklog); }
  // stop() does nothing before the server has begun; after this it ends as it begins.
  void accept_no_more() { ::shutdown(svr_sock_, SHUT_RDWR); }
};

// The library's own would have several servers share a port.
void set_socket_options(int socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

ServedRequest read_request(const httplib::Request& request) {
  ServedRequest served;
  served.method = request.method;
  served.path = request.path;
  served.body = request.body;
  for (const auto& [name, value] : request.params) served.queries.emplace_back(name, value);
  for (const auto& [name, value] : request.headers) served.headers.push_back({name, value});
  return served;
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
        bool is_there = true;
        const bool goes_on = stream([&](std::string_view bytes) {
          // A chunk without bytes would end the stream.
          is_there = is_there &&
                     (bytes.empty() ? sink.is_writable() : sink.write(bytes.data(), bytes.size()));
          return is_there;
        });
        if (is_there && !goes_on) sink.done();
        return is_there;
      });
}

// A port of a socket of IPv4, by getsockname or getpeername.
std::optional<int> port_of(int socket, int (*ask)(int, sockaddr*, socklen_t*)) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (ask(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return std::nullopt;
  if (address.sin_family != AF_INET) return std::nullopt;
  return ntohs(address.sin_port);
}

std::string_view refusal(int status) {
  switch (status) {
    case 400:
      return "this is no HTTP request";
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
  Handler handler;
  Listener server;
  std::atomic<bool> is_stopped = false;
  int port = 0;
  std::mutex mutex;           // guards under_way
  std::set<int> under_way{};  // clients' ports whose requests are being answered

  void answer(const httplib::Request& request, httplib::Response& response) {
    {
      const std::lock_guard lock(mutex);
      under_way.insert(request.remote_port);
    }
    write_reply(handler(read_request(request)), response);
  }

  void note_answered(const httplib::Request& request) {
    const std::lock_guard lock(mutex);
    under_way.erase(request.remote_port);
  }

  // Ends connections that only wait for a request, or for the rest of one. The library does not say
  // which sockets are its own: they are those of this port that have a client.
  void end_waiting() {
    const std::lock_guard lock(mutex);
    std::error_code failed;
    for (std::filesystem::directory_iterator each("/proc/self/fd", failed), end;
         !failed && each != end; each.increment(failed)) {
      const int socket = std::atoi(each->path().filename().c_str());
      const auto ours = port_of(socket, ::getsockname), theirs = port_of(socket, ::getpeername);
      if (ours == port && theirs && !under_way.contains(*theirs)) ::shutdown(socket, SHUT_RD);
    }
  }
};

HttpServer::HttpServer(Handler handler, HttpServerOptions options)
    : impl_(std::make_unique<Impl>()) {
  impl_->handler = std::move(handler);
  Listener& server = impl_->server;
  server.new_task_queue = [threads = options.threads] { return new ThreadPool(threads); };
  server.set_socket_options(set_socket_options);
  server.set_tcp_nodelay(true);
  server.set_payload_max_length(options.max_body_bytes);
  server.set_read_timeout(options.read_timeout.count());
  server.set_write_timeout(options.write_timeout.count());
  server.set_keep_alive_timeout(options.keep_alive_timeout.count());
  server.set_keep_alive_max_count(100'000);
  const auto answer = [impl = impl_.get()](const httplib::Request& request,
                                           httplib::Response& response) {
    impl->answer(request, response);
  };
  server.Get(".*", answer).Post(".*", answer).Put(".*", answer);
  server.Patch(".*", answer).Delete(".*", answer).Options(".*", answer);
  server.set_logger(
      [impl = impl_.get()](const httplib::Request& request, const httplib::Response&) {
        impl->note_answered(request);
      });
  // A POST that tells of no body has none (RFC 9112, 6.3); the library would wait for one.
  server.set_pre_routing_handler(
      [answer](const httplib::Request& request, httplib::Response& response) {
        const bool has_body =
            request.has_header("Content-Length") || request.has_header("Transfer-Encoding");
        if (has_body || request.method == "GET" || request.method == "HEAD") {
          return httplib::Server::HandlerResponse::Unhandled;
        }
        answer(request, response);
        return httplib::Server::HandlerResponse::Handled;
      });
  server.set_exception_handler([](const httplib::Request& request, httplib::Response& response,
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
  server.set_error_handler(
      httplib::Server::Handler([](const httplib::Request&, httplib::Response& response) {
        if (!response.body.empty()) return;
        response.set_content(fmt::format(R"({{"error":"{}"}})", refusal(response.status)),
                             "application/json");
      }));
}

HttpServer::~HttpServer() = default;

Result<int> HttpServer::listen(int port) {
  errno = 0;
  const bool is_bound = port == 0 ? (port = impl_->server.bind_to_any_port("127.0.0.1")) > 0
                                  : impl_->server.bind_to_port("127.0.0.1", port);
  if (!is_bound) {
    const bool is_taken = errno == EADDRINUSE;
    return Error{is_taken ? ErrorCode::kBusy : ErrorCode::kIo,
                 fmt::format("port {}: {}", port, std::strerror(errno))};
  }
  impl_->server.lengthen_backlog();
  impl_->port = port;
  return port;
}

void HttpServer::serve() {
  if (!impl_->is_stopped) impl_->server.listen_after_bind();
}

void HttpServer::stop() {
  impl_->is_stopped = true;
  impl_->server.accept_no_more();
  impl_->server.stop();
  impl_->end_waiting();
}

}  // namespace codexmem::net
