// Tested by net/http_server_test.cpp and tests/worker/slow_clients_test.py.
#include "net/connections.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace codexmem::net {
namespace {

// How long an idle thread is kept.
constexpr std::chrono::seconds kStay{10};

// Connections that wait for a thread. Each takes a descriptor; half of these are kept for other
// uses.
constexpr std::size_t kMaxWaiting = 256;

// Maximum simultaneous connections from other users, which are only refused, and from unknown
// users.
constexpr std::ptrdiff_t kMaxOfOthers = 32;

// A connection that has waited for less is not cut: a client that has just connected is about to
// send its request.
constexpr std::chrono::milliseconds kGrace{100};

bool poll_until(int socket, short events, Clock::time_point end) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waited{socket, events, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

std::size_t most_connections(std::size_t threads) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = 1'024;
  return std::min<std::size_t>(threads + kMaxWaiting, files.rlim_cur / 2);
}

}  // namespace

Connection::Connection(int socket, Peer peer, Connections& all)
    : socket_(socket), peer_(peer), all_(all) {}

Connection::~Connection() { ::close(socket_); }

std::string Connection::address() const {
  sockaddr_storage there{};
  socklen_t size = sizeof there;
  if (::getpeername(socket_, reinterpret_cast<sockaddr*>(&there), &size) != 0) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* number = &reinterpret_cast<const sockaddr_in*>(&there)->sin_addr;
  if (there.ss_family == AF_INET6) number = &reinterpret_cast<sockaddr_in6*>(&there)->sin6_addr;
  if (::inet_ntop(there.ss_family, number, text.data(), text.size()) == nullptr) return {};
  const std::string_view written(text.data());
  constexpr std::string_view kMapped = "::ffff:";
  const bool is_mapped = written.starts_with(kMapped) && written.find('.') != written.npos;
  return std::string(written.substr(is_mapped ? kMapped.size() : 0));
}

bool Connection::wait(short events, Wait what, Clock::time_point since, Clock::time_point end) {
  {
    const std::lock_guard lock(all_.mutex_);
    if (is_cut_ || (all_.is_over_ && what != Wait::kRoom)) return false;
    waits_for_ = what;
    waits_since_ = since;
    all_.make_room();
  }
  bool is_ready = poll_until(socket_, events, std::min(end, since + kGrace));
  if (!is_ready && Clock::now() < end) {
    {
      const std::lock_guard lock(all_.mutex_);
      all_.make_room();  // it could not be cut before
    }
    is_ready = poll_until(socket_, events, end);
  }
  const std::lock_guard lock(all_.mutex_);
  waits_for_ = Wait::kNothing;
  return is_ready && !is_cut_;
}

bool Connection::await_request(Clock::time_point end) {
  if (buffered_from_ < buffered_to_) return true;
  pollfd waited{socket_, POLLIN, 0};
  if (::poll(&waited, 1, 0) > 0) return true;
  return !all_.are_waiting() && wait(POLLIN, Wait::kNextRequest, Clock::now(), end);
}

ssize_t Connection::read(char* into, std::size_t size, Clock::time_point since,
                         Clock::time_point end) {
  if (buffered_from_ == buffered_to_) {
    ssize_t count = -1;
    while (Clock::now() < end) {
      count = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (count >= 0) break;
      if (errno == EINTR) continue;
      const bool is_to_wait = errno == EAGAIN || errno == EWOULDBLOCK;
      if (!is_to_wait || !wait(POLLIN, Wait::kRest, since, end)) break;
    }
    if (count <= 0) return count;
    buffered_from_ = 0;
    buffered_to_ = static_cast<std::size_t>(count);
  }
  const std::size_t count = std::min(size, buffered_to_ - buffered_from_);
  std::copy_n(buffer_.data() + buffered_from_, count, into);
  buffered_from_ += count;
  return static_cast<ssize_t>(count);
}

bool Connection::write(std::string_view bytes, Clock::time_point end) {
  const auto since = Clock::now();
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
      return false;
    } else if (Clock::now() >= end || !wait(POLLOUT, Wait::kRoom, since, end)) {
      return false;
    }
  }
  return true;
}

bool Connection::is_connected() const {
  pollfd waited{socket_, POLLRDHUP, 0};
  return ::poll(&waited, 1, 0) == 0;
}

void Connection::say_goodbye(Clock::time_point end) {
  ::shutdown(socket_, SHUT_WR);
  const auto since = Clock::now();
  constexpr std::size_t kMuch = std::size_t{1} << 20;
  while (wait(POLLIN, Wait::kNextRequest, since, end)) {
    // The buffer is null, so the kernel discards the bytes.
    if (::recv(socket_, nullptr, kMuch, MSG_TRUNC | MSG_DONTWAIT) <= 0) return;
  }
}

Connections::Connections(std::size_t threads, std::function<void(Connection&)> serve)
    : most_threads_(threads), most_(most_connections(threads)), serve_(std::move(serve)) {}

Connections::~Connections() {
  stop();
  join();
}

bool Connections::add(int socket, Peer peer) {
  std::list<std::jthread> ended;  // joined without the lock
  const std::lock_guard lock(mutex_);
  ended.swap(ended_);
  if (is_over_ || !has_room_for(peer)) return false;
  waiting_.push_back(std::make_unique<Connection>(socket, peer, *this));
  if (lacks_threads() && threads_.size() < most_threads_) begin_thread();
  make_room();
  changed_.notify_one();
  return true;
}

void Connections::cut_one() {
  const std::lock_guard lock(mutex_);
  if (Connection* const one = first_to_give_way()) cut(*one);
}

bool Connections::are_waiting() const {
  const std::lock_guard lock(mutex_);
  return lacks_threads();
}

void Connections::stop() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  waiting_.clear();
  for (Connection* const each : served_) {
    const bool has_asked = each->waits_for_ == Connection::Wait::kNothing ||
                           each->waits_for_ == Connection::Wait::kRoom;
    if (!has_asked) cut(*each);
  }
  changed_.notify_all();
}

void Connections::join() {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [this] { return threads_.empty(); });
  std::list<std::jthread> ended;
  ended.swap(ended_);
  lock.unlock();
}

// Each idle thread already has, or will soon have, a waiting connection to serve.
bool Connections::lacks_threads() const {
  return waiting_.size() > threads_.size() - served_.size() + ending_;
}

void Connections::make_room() {
  while (lacks_threads()) {
    Connection* const one = first_to_give_way();
    if (one == nullptr) return;
    cut(*one);
  }
}

void Connections::cut(Connection& connection) {
  if (std::exchange(connection.is_cut_, true)) return;
  ++ending_;
  ::shutdown(connection.socket_, SHUT_RDWR);
}

Connection* Connections::first_to_give_way(std::optional<Peer> of) const {
  Connection* first = nullptr;
  const auto latest = Clock::now() - kGrace;
  const auto order = [](const Connection& each) {
    return std::pair(each.waits_for_ != Connection::Wait::kNextRequest, each.waits_since_);
  };
  for (Connection* const each : served_) {
    if (each->is_cut_ || each->waits_for_ == Connection::Wait::kNothing) continue;
    if (each->waits_since_ > latest) continue;
    if (of && each->peer() != *of) continue;
    if (first == nullptr || order(*each) < order(*first)) first = each;
  }
  return first;
}

// A connection that was cut ends at once and no longer counts.
bool Connections::has_room_for(Peer peer) {
  const bool is_own = peer == Peer::kOwnUser;
  const auto is_one = [peer](const auto& each) { return each->peer() == peer && !each->is_cut_; };
  const auto count =
      std::ranges::count_if(waiting_, is_one) + std::ranges::count_if(served_, is_one);
  const bool is_full = waiting_.size() + served_.size() - ending_ >= most_;
  if (!is_full && (is_own || count < kMaxOfOthers)) return true;
  Connection* const one = first_to_give_way(is_full ? std::nullopt : std::optional(peer));
  if (one != nullptr) cut(*one);
  return one != nullptr;
}

void Connections::begin_thread() {
  const auto place = threads_.emplace(threads_.end());
  try {
    *place = std::jthread([this, place] { work(place); });
  } catch (const std::system_error& error) {  // the system cannot start more: the existing threads
                                              // have to do
    threads_.erase(place);
    log_error("http: no more than {} threads: {}", threads_.size(), error.what());
    changed_.notify_one();
  }
}

void Connections::work(std::list<std::jthread>::iterator place) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait_for(lock, kStay, [this] { return is_over_ || !waiting_.empty(); });
    if (waiting_.empty()) break;
    std::unique_ptr<Connection> connection = std::move(waiting_.front());
    waiting_.pop_front();
    served_.insert(connection.get());
    lock.unlock();
    try {
      serve_(*connection);
    } catch (const std::exception& error) {
      log_error("http: a connection was given up: {}", error.what());
    }
    lock.lock();
    served_.erase(connection.get());
    if (connection->is_cut_) --ending_;
    connection.reset();
  }
  ended_.splice(ended_.end(), threads_, place);
  emptied_.notify_all();
}

}  // namespace codexmem::net
