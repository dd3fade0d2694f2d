// Tested by observe/events_test.cpp.
#include "observe/events.h"

#include <fmt/core.h>

#include <algorithm>

#include "text/json.h"

namespace codexmem::observe {

std::string Event::text() const {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, type, data);
}

// A run begins where no earlier one can have come to: a microsecond for each event.
EventHub::EventHub(memory::Clock clock)
    : clock_(std::move(clock)), next_id_(static_cast<std::uint64_t>(clock_()) * 1'000 + 1) {}

void EventHub::publish(std::string_view type, std::string_view members) {
  Json data = Json::parse(members, nullptr, false);
  if (!data.is_object()) data = Json::object();
  data["type"] = type;
  data["at"] = clock_();
  Event event{.type = std::string(type), .data = dump_json(data)};
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  event.id = next_id_++;
  const auto same = std::ranges::find(newest_, event.type, &Event::type);
  if (same == newest_.end()) {
    newest_.push_back(event);
  } else {
    *same = event;
  }
  events_.push_back(std::move(event));
  if (events_.size() > kKeptEvents) events_.pop_front();
  changed_.notify_all();
}

std::optional<Event> EventHub::newest(std::string_view type) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(newest_, type, &Event::type);
  if (found == newest_.end()) return std::nullopt;
  return *found;
}

std::uint64_t EventHub::newest_id() const {
  const std::lock_guard lock(mutex_);
  return events_.empty() ? 0 : events_.back().id;
}

std::vector<Event> EventHub::await_after(std::uint64_t id,
                                         std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience,
                    [&] { return is_closed_ || (!events_.empty() && events_.back().id > id); });
  if (is_closed_) return {};
  const auto first = std::ranges::upper_bound(events_, id, {}, &Event::id);
  return {first, events_.end()};
}

void EventHub::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

bool EventHub::is_closed() const {
  const std::lock_guard lock(mutex_);
  return is_closed_;
}

}  // namespace codexmem::observe
