// A client that goes away is noticed when its connection is looked at: every second while it waits
// for a call, every five while it listens.
//
// Tested by mcp/http_endpoint_test.cpp.
#include "mcp/event_reply.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <system_error>
#include <utility>

namespace codexmem::mcp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookAtCaller{1'000};
constexpr std::chrono::milliseconds kLookAtListener{5'000};
// A comment is sent after this time of silence, because proxies close silent connections.
constexpr std::chrono::seconds kPing{25};
// When a client shall come back to a stream that broke off.
constexpr int kRetryMs = 1'000;

// One response that is a stream of events; the server's thread requests it part by part.
class EventConnection {
 public:
  EventConnection(std::shared_ptr<EventStream> stream, EventReplyOptions options)
      : stream_(std::move(stream)),
        options_(std::move(options)),
        ticket_(stream_->attach()),
        after_(options_.after) {}
  ~EventConnection() {
    if (!is_over_ && options_.on_gone) options_.on_gone();
  }
  EventConnection(const EventConnection&) = delete;
  EventConnection& operator=(const EventConnection&) = delete;

  bool write(const net::StreamSink& sink) {
    if (std::exchange(is_new_, false)) {
      std::string first;
      if (options_.is_primed) {
        first =
            fmt::format("id: {}.{}\nretry: {}\ndata: \n\n", stream_->number(), after_, kRetryMs);
      } else if (options_.has_ids) {
        first = fmt::format("retry: {}\n\n", kRetryMs);
      } else {
        first = ":\n\n";
      }
      return sink(first);
    }
    std::vector<EventStream::Event> events;
    const auto kind = stream_->read(
        ticket_, after_, options_.waits_for_call ? kLookAtCaller : kLookAtListener, events);
    if (kind == EventStream::Kind::kEnd || kind == EventStream::Kind::kCut) {
      is_over_ = true;
      return false;
    }
    if (kind == EventStream::Kind::kQuiet) {
      if (Clock::now() - last_write_ < kPing) return sink({});
      last_write_ = Clock::now();
      return sink(": ping\n\n");
    }
    std::string text;
    for (const EventStream::Event& event : events) {
      text += "event: message\n";
      if (options_.has_ids) text += fmt::format("id: {}.{}\n", stream_->number(), event.number);
      text += "data: " + event.message + "\n\n";
    }
    after_ = events.back().number;
    last_write_ = Clock::now();
    return sink(text);
  }

 private:
  const std::shared_ptr<EventStream> stream_;
  const EventReplyOptions options_;
  const std::uint64_t ticket_;
  std::uint64_t after_;
  bool is_new_ = true, is_over_ = false;
  Clock::time_point last_write_ = Clock::now();
};

}  // namespace

std::optional<std::pair<std::uint64_t, std::uint64_t>> read_event_id(std::string_view text) {
  std::pair<std::uint64_t, std::uint64_t> id;
  const char* const end = text.data() + text.size();
  const auto [dot, failed] = std::from_chars(text.data(), end, id.first);
  if (failed != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [read_to, wrong] = std::from_chars(dot + 1, end, id.second);
  if (wrong != std::errc() || read_to != end) return std::nullopt;
  return id;
}

net::ServedReply stream_reply(std::shared_ptr<EventStream> stream, EventReplyOptions options) {
  const auto connection = std::make_shared<EventConnection>(std::move(stream), std::move(options));
  return {.content_type = "text/event-stream",
          .headers = {{"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"X-Accel-Buffering", "no"}},
          .stream = [connection](const net::StreamSink& sink) { return connection->write(sink); }};
}

}  // namespace codexmem::mcp
