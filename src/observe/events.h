// observe/events.h - what happens in the worker, sent to all listeners as server-sent events.
//
// The last kKeptEvents are kept, so that a listener who was away gets what it missed. Ids rise,
// also from one run of the worker to the next. Thread-safe. Design: docs/reference/routes.md.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/clock.h"

namespace codexmem::observe {

inline constexpr std::size_t kKeptEvents = 1'000;

struct Event {
  std::uint64_t id = 0;
  std::string type;  // "queue.depth", "session.status", "queue.failed", "model.result", ...
  std::string data;  // a JSON object on one line; its member "type" is the type once more

  /// As the stream carries it: id, event and data lines, and an empty one.
  std::string text() const;
};

class EventHub {
 public:
  explicit EventHub(memory::Clock clock);

  /// Sends an event. `members` is the text of a JSON object; type and at (ms) are added to it.
  void publish(std::string_view type, std::string_view members);

  /// The newest event of `type` among all since the start.
  std::optional<Event> newest(std::string_view type) const;

  /// The id of the newest event; 0 before the first.
  std::uint64_t newest_id() const;

  /// Waits for events after `id` and returns them, oldest first; none when `patience` has passed or
  /// close() was called. Events older than the kept ones are lost.
  std::vector<Event> await_after(std::uint64_t id, std::chrono::milliseconds patience) const;

  /// Ends all waiting, now and later.
  void close();
  bool is_closed() const;

 private:
  memory::Clock clock_;
  mutable std::mutex mutex_;  // guards all below
  mutable std::condition_variable changed_;
  std::deque<Event> events_;
  std::vector<Event> newest_;  // one a type
  std::uint64_t next_id_;
  bool is_closed_ = false;
};

}  // namespace codexmem::observe
