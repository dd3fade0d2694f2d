// net/connections.h - the open connections of a server: their threads, and who gives way to whom.
//
// Each connection is served by a thread of its own, and there is an end to threads. So when a new
// connection finds none free, one that waits for its client is cut: first those that wait for the
// next request, then whichever has waited longest. Thread-safe. Design: docs/design/net.md,
// "Connections".
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "net/peer.h"

namespace codexmem::net {

using Clock = std::chrono::steady_clock;

class Connections;

/// A client's connection. Belongs to the thread that serves it.
class Connection {
 public:
  /// Takes `socket` over.
  Connection(int socket, Peer peer, Connections& all);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Peer peer() const { return peer_; }

  /// The address at the other end, in numbers; empty when it has gone. An IPv4 address that came
  /// over IPv6 is written as IPv4.
  std::string address() const;

  /// Waits for the first byte of another request, at most until `end`; false without one, and when
  /// others wait for this thread.
  bool await_request(Clock::time_point end);

  /// The next bytes of a request that began at `since`, at most `size`. 0 when the client sends no
  /// more, -1 when there is nothing by `end` or the connection was cut.
  ssize_t read(char* into, std::size_t size, Clock::time_point since, Clock::time_point end);

  /// False when the client has not taken all by `end`, has gone, or the connection was cut.
  bool write(std::string_view bytes, Clock::time_point end);

  /// False when the client has closed its end.
  bool is_there() const;

  /// Says that nothing more is sent, and drops what the client still sends until it closes, or
  /// `end`. Without that it would be answered with a reset, which can overtake the answer.
  void say_goodbye(Clock::time_point end);

 private:
  friend class Connections;
  // What the client is waited for: a request, the rest of one, or that it takes an answer.
  enum class Wait { kNothing, kNextRequest, kRest, kRoom };

  bool wait(short events, Wait what, Clock::time_point since, Clock::time_point end);

  const int socket_;
  const Peer peer_;
  Connections& all_;
  std::array<char, 16'384> buffer_;
  std::size_t buffered_from_ = 0, buffered_to_ = 0;

  // Guarded by the mutex of all_.
  Wait waits_for_ = Wait::kNothing;
  Clock::time_point waits_since_ = {};
  bool is_cut_ = false;
};

class Connections {
 public:
  /// `serve` is called on a thread for each connection and closes it by returning. At most
  /// `threads` are served at once; more of them wait.
  Connections(std::size_t threads, std::function<void(Connection&)> serve);
  ~Connections();  // stops
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// Takes `socket` over; false, and it is the caller's still, when there are too many of them.
  bool add(int socket, Peer peer);

  /// Cuts the one that gives way first, for want of something else than threads.
  void cut_one();

  /// True while connections wait for a thread.
  bool are_waiting() const;

  /// Cuts all that wait for their client; await_request() is false from now on.
  void stop();

  /// Waits until those under way have ended, after stop().
  void join();

 private:
  friend class Connection;

  // With mutex_ held.
  bool lacks_threads() const;
  void make_room();
  void cut(Connection& connection);
  Connection* first_to_give_way(std::optional<Peer> of = {}) const;
  bool has_room_for(Peer peer);
  void begin_thread();

  void work(std::list<std::jthread>::iterator place);

  const std::size_t most_threads_, most_;
  const std::function<void(Connection&)> serve_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_, emptied_;
  std::list<std::unique_ptr<Connection>> waiting_;  // for a thread
  std::set<Connection*> served_;
  std::list<std::jthread> threads_, ended_;
  std::size_t ending_ = 0;  // of served_, those that were cut
  bool is_over_ = false;
};

}  // namespace codexmem::net
