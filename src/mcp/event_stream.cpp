// Tested by mcp/http_endpoint_test.cpp.
#include "mcp/event_stream.h"

#include <algorithm>
#include <utility>

namespace codexmem::mcp {

bool is_answer(std::string_view message) {
  if (message.starts_with('[')) return true;  // answers to a batch
  // Quotes in strings are escaped, so these stand for members alone.
  const std::size_t outcome = std::min(message.find(R"("result":)"), message.find(R"("error":)"));
  return outcome != std::string_view::npos &&
         message.substr(0, outcome).find(R"("method":)") == std::string_view::npos;
}

class EventStream::Sink : public MessageSink {
 public:
  Sink(std::shared_ptr<EventStream> stream, bool is_counted)
      : stream_(std::move(stream)), is_counted_(is_counted) {}
  ~Sink() override {
    if (is_counted_) stream_->release();
  }
  void send(std::string_view message) override { stream_->send(message); }
  void hang_up() override { stream_->hang_up(); }

 private:
  const std::shared_ptr<EventStream> stream_;
  const bool is_counted_;
};

std::shared_ptr<MessageSink> EventStream::open_sink() {
  const std::lock_guard lock(mutex_);
  ++sinks_;
  return std::make_shared<Sink>(shared_from_this(), true);
}

std::shared_ptr<MessageSink> EventStream::open_lasting_sink() {
  return std::make_shared<Sink>(shared_from_this(), false);
}

void EventStream::release() {
  const std::lock_guard lock(mutex_);
  if (--sinks_ > 0) return;
  has_ended_ = true;
  changed_.notify_all();
}

void EventStream::send(std::string_view message) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  const bool answers = is_answer(message);
  const auto is_too_much = [&] {
    return events_.size() >= limits_.messages || bytes_ + message.size() > limits_.bytes;
  };
  // Messages already read are dropped first, then notifications; an answer is never dropped for
  // them.
  while (!events_.empty() && is_too_much()) {
    auto gone = events_.begin();
    if (gone->number > read_) {
      gone = std::find_if(gone, events_.end(),
                          [](const Event& event) { return !is_answer(event.message); });
    }
    if (gone == events_.end()) break;
    bytes_ -= gone->message.size();
    events_.erase(gone);
  }
  (answers ? has_answer_ : has_others_) = true;
  bytes_ += message.size();
  events_.push_back({++sent_, std::string(message)});
  changed_.notify_all();
}

EventStream::First EventStream::await_first(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return has_answer_ || has_others_ || has_ended_; });
  if (has_others_) return First::kOthers;
  if (has_answer_) return First::kAnswer;
  return has_ended_ ? First::kEnd : First::kNothing;
}

std::string EventStream::await_answer() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_answer_ || has_ended_; });
  for (Event& event : events_) {
    if (is_answer(event.message)) return std::move(event.message);
  }
  return {};
}

std::uint64_t EventStream::attach() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t ticket = ++ticket_;
  if (std::exchange(hangs_up_, false)) ++ticket_;
  changed_.notify_all();
  return ticket;
}

EventStream::Kind EventStream::read(std::uint64_t ticket, std::uint64_t after,
                                    std::chrono::milliseconds time, std::vector<Event>& events) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [&] {
    return ticket != ticket_ || has_ended_ || (!events_.empty() && events_.back().number > after);
  });
  if (ticket != ticket_) return Kind::kCut;
  for (const Event& event : events_) {
    if (event.number > after) events.push_back(event);
  }
  if (events.empty()) return has_ended_ ? Kind::kEnd : Kind::kQuiet;
  read_ = std::max(read_, events.back().number);
  if (!is_kept_) {
    events_.clear();
    bytes_ = 0;
  }
  return Kind::kNews;
}

std::uint64_t EventStream::last_read() const {
  const std::lock_guard lock(mutex_);
  return read_;
}

void EventStream::hang_up() {
  const std::lock_guard lock(mutex_);
  if (!is_kept_ || has_ended_) return;
  has_others_ = true;
  if (ticket_ == 0) {
    hangs_up_ = true;
  } else {
    ++ticket_;
  }
  changed_.notify_all();
}

void EventStream::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  ++ticket_;
  changed_.notify_all();
}

}  // namespace codexmem::mcp
