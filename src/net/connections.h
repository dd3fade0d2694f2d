// net/connections.h - a server's open connections, their threads, and which one is cut when all are
// busy.
//
// Each connection has its own thread, and the number of threads is limited. So when a new
// connection finds no free thread, one that waits for its client is cut: first those that wait for
// the next request, then the one that has waited longest. Thread-safe. Design:
// docs/how-it-works.md, "Network".
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
  /// Takes ownership of `socket`.
  Connection(int socket, Peer peer, Connections& all);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Peer peer() const { return peer_; }

  /// The address at the other end, in numbers; empty if the client has gone. An IPv4 address that
  /// arrived over IPv6 is written as IPv4.
  std::string address() const;

  /// Waits until `end` for the first byte of another request; false if none arrives, or if other
  /// connections wait for this thread.
  bool await_request(Clock::time_point end);

  /// Reads the next bytes, at most `size`, of a request that began at `since`. Returns 0 when the
  /// client sends no more, -1 when nothing arrives by `end` or the connection was cut.
  ssize_t read(char* into, std::size_t size, Clock::time_point since, Clock::time_point end);

  /// False if the client has not taken all bytes by `end`, has gone, or the connection was cut.
  bool write(std::string_view bytes, Clock::time_point end);

  /// False when the client has closed its end.
  bool is_connected() const;

  /// Announces the end of the answer, and discards what the client still sends until it closes, or
  /// until `end`. Otherwise the client would get a reset, which can overtake the answer.
  void say_goodbye(Clock::time_point end);

 private:
  friend class Connections;
  // What the client must do next: send a request, send the rest of one, or take an answer.
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
  /// `serve` is called on a thread for each connection, and closes the connection by returning. At
  /// most `threads` are served at once; the others wait.
  Connections(std::size_t threads, std::function<void(Connection&)> serve);
  ~Connections();  // stops
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// Takes ownership of `socket`; returns false, and the caller keeps it, when there are too many
  /// connections.
  bool add(int socket, Peer peer);

  /// Cuts the first connection in that order, to free something other than a thread.
  void cut_one();

  /// True while connections wait for a thread.
  bool are_waiting() const;

  /// Cuts all connections that wait for their client; from then on await_request() returns false.
  void stop();

  /// After stop(): waits until the running ones have ended.
  void join();

 private:
  friend class Connection;

  // Call with mutex_ held.
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
  std::size_t ending_ = 0;  // how many of served_ were cut
  bool is_over_ = false;
};

}  // namespace codexmem::net
