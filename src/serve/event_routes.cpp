// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html
#include <array>
#include <charconv>
#include <chrono>
#include <memory>

#include "serve/routes.h"

namespace codexmem::serve {
namespace {

// Each listener holds a thread of the server.
constexpr int kMaxListeners = 24;
// A comment is sent after this time, so that a lost connection is noticed.
constexpr std::chrono::seconds kPing{15};

// Counts a listener while it is connected.
class Listening {
 public:
  explicit Listening(std::atomic<int>& count) : count_(count), before_(count.fetch_add(1)) {}
  ~Listening() { --count_; }
  bool is_one_too_many() const { return before_ >= kMaxListeners; }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  std::atomic<int>& count_;
  const int before_;
};

std::optional<std::uint64_t> last_seen(const net::ServedRequest& request) {
  auto text = request.header("Last-Event-ID");
  if (!text) text = request.query("lastEventId");
  std::uint64_t id = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), id).ec != std::errc()) {
    return std::nullopt;
  }
  return id;
}

net::ServedReply events(const RouteCall& call) {
  observe::EventHub& hub = call.worker.events();
  const auto listening = std::make_shared<const Listening>(call.worker.listeners());
  if (listening->is_one_too_many()) {
    return error_reply(503, "too many listen to the events already");
  }
  auto seen = last_seen(call.request);
  // From a run whose clock was ahead: waiting for newer events would be useless.
  if (seen && *seen > hub.newest_id()) seen.reset();
  // A new listener gets the current state, and then new events.
  std::uint64_t at = seen.value_or(hub.newest_id());
  std::string first = "retry: 1000\n\n";
  if (const auto depth = hub.newest("queue.depth"); depth && !seen) first += depth->text();
  return {.content_type = "text/event-stream",
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}},
          .stream = [&hub, listening, at, first](const net::StreamSink& sink) mutable {
            if (!first.empty()) {
              if (!sink(first)) return false;
              first.clear();
            }
            const auto news = hub.await_after(at, kPing);
            if (hub.is_closed()) return false;
            std::string text;
            for (const observe::Event& event : news) text += event.text();
            if (!news.empty()) at = news.back().id;
            return sink(text.empty() ? std::string_view(": ping\n\n") : std::string_view(text));
          }};
}

}  // namespace

std::span<const Route> event_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/events", events},
      Route{"GET", "/stream", events},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
