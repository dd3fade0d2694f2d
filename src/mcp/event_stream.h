// mcp/event_stream.h - the messages of one HTTP answer, between their senders and the connection.
//
// A stream is written by its sinks and read by one connection at a time. It ends when the last sink
// is let go. A stream that is kept can be read again from any message that it still has, by a
// connection that comes back (Last-Event-ID). Thread-safe. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/transport.h"

namespace codexmem::mcp {

/// Whether `message`, one that this side sends, is an answer: neither notification nor request.
bool is_answer(std::string_view message);

class EventStream : public std::enable_shared_from_this<EventStream> {
 public:
  struct Limits {
    std::size_t messages = 256;                 // kept to be read again
    std::size_t bytes = std::size_t{16} << 20;  // of all that is held
  };

  struct Event {
    std::uint64_t number = 0;  // from 1
    std::string message;
  };

  /// The result of a read.
  enum class Kind {
    kNews,   // messages are there
    kQuiet,  // nothing came in the time given
    kEnd,    // all was read and nothing will come
    kCut,    // another reader has come, or this one is to come back later
  };

  explicit EventStream(std::uint64_t number, bool is_kept, Limits limits)
      : number_(number), is_kept_(is_kept), limits_(limits) {}

  std::uint64_t number() const { return number_; }

  /// A sink for messages; the stream ends when all sinks are gone.
  std::shared_ptr<MessageSink> open_sink();

  /// The same for a stream that does not end with its sinks.
  std::shared_ptr<MessageSink> open_lasting_sink();

  /// The first event within `time`: waits for the end, for a message that is not an answer, or for
  /// an answer.
  enum class First { kNothing, kAnswer, kOthers, kEnd };
  First await_first(std::chrono::milliseconds time);

  /// Waits for the answer and takes it out; empty if the stream ends without one. Other messages
  /// stay in the stream.
  std::string await_answer();

  /// A new reader; the previous one is cut off. Returns its ticket.
  std::uint64_t attach();

  /// Messages after `number` for the reader with `ticket`, appended to `events`; waits for them.
  Kind read(std::uint64_t ticket, std::uint64_t after, std::chrono::milliseconds time,
            std::vector<Event>& events);

  /// The last message that a reader has taken.
  std::uint64_t last_read() const;

  /// Cuts the reader, or the first one that comes; it may come back. Not of a stream that is not
  /// kept.
  void hang_up();

  /// Ends it, even if a sink is still held.
  void end();

 private:
  class Sink;
  void send(std::string_view message);
  void release();

  const std::uint64_t number_;
  const bool is_kept_;
  const Limits limits_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::size_t bytes_ = 0;
  std::uint64_t sent_ = 0, read_ = 0;
  std::uint64_t ticket_ = 0;
  std::size_t sinks_ = 0;
  bool hangs_up_ = false;
  bool has_answer_ = false, has_others_ = false, has_ended_ = false;
};

}  // namespace codexmem::mcp
