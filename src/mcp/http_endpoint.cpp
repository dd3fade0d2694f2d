// A POST passes its message to a session together with a new stream (mcp/event_stream.h) and waits
// for the first message. If it is the answer, it becomes the body. If it is another message, or
// nothing comes for a while, the response becomes a stream of events, served by a thread of the
// server. In the handshake era the stream is kept, so that a client that lost the connection reads
// on from Last-Event-ID; in the stateless era a lost connection cancels its request.
//
// A client that goes away is noticed by its stream (mcp/event_reply.h). Nothing else here wakes up
// by itself: idle sessions end when the next request comes.
//
// Tested by mcp/http_endpoint_test.cpp and, with real clients, by tests/clients and
// tests/conformance.
#include "mcp/http_endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/text.h"
#include "mcp/event_reply.h"
#include "mcp/event_stream.h"
#include "mcp/http_headers.h"
#include "mcp/jsonrpc.h"
#include "mcp/protocol.h"
#include "mcp/request_id.h"
#include "mcp/session.h"

namespace codexmem::mcp {
namespace {

using Clock = std::chrono::steady_clock;
using net::ServedReply;
using net::ServedRequest;

// As on standard input: a longer message is refused.
constexpr std::size_t kMaxMessageBytes = std::size_t{16} << 20;
// A call that takes longer is answered by a stream, so that a client that has gone is noticed.
constexpr std::chrono::milliseconds kStreamAfter{500};
// The first revision whose clients know an event without data.
constexpr std::string_view kPrimedRevision = "2025-11-25";
// Ended streams of a session that can still be read again.
constexpr std::size_t kKeptStreams = 16;
constexpr std::string_view kAllowed = "GET, POST, DELETE, OPTIONS";
constexpr auto kUnlimited = std::chrono::hours(24 * 365);

// Of a session's id: 128 bits.
constexpr std::size_t kIdDigits = 32;

ServedReply json_reply(int status, std::string body) {
  return {.status = status,
          .body = std::move(body),
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}}};
}

ServedReply refuse(int status, const RpcError& error, const RequestId& id = {}) {
  return json_reply(status, make_error(id, error));
}

ServedReply refuse(int status, std::string message, const RequestId& id = {}) {
  return refuse(status, RpcError{RpcCode::kInvalidRequest, std::move(message), ""}, id);
}

// Of a header's entry, without its parameters.
std::string media_type(std::string_view entry) {
  return to_lower_ascii(trim(entry.substr(0, entry.find(';'))));
}

// Whether a header that lists media types takes `type`.
bool accepts(const ServedRequest& request, std::string_view type) {
  const auto accept = request.header("Accept");
  if (!accept) return true;
  const std::string family = std::string(type.substr(0, type.find('/'))) + "/*";
  for (const std::string_view entry : split(*accept, ',')) {
    const std::string range = media_type(entry);
    if (range == type || range == "*/*" || range == family) return true;
  }
  return false;
}

bool is_handshake_revision(std::string_view revision) {
  return std::find(kHandshakeRevisions.begin(), kHandshakeRevisions.end(), revision) !=
         kHandshakeRevisions.end();
}

// The HTTP status that the stateless era requires for an answer.
int status_of(std::string_view answer) {
  constexpr std::string_view kError = R"("error":{"code":)";
  const std::size_t error = answer.find(kError);
  if (error == std::string_view::npos || answer.find(R"("result":)") < error) return 200;
  int code = 0;
  answer.remove_prefix(error + kError.size());
  std::from_chars(answer.data(), answer.data() + answer.size(), code);
  switch (static_cast<RpcCode>(code)) {
    case RpcCode::kMethodNotFound:
      return 404;
    case RpcCode::kInternalError:
      return 500;
    default:
      return 400;
  }
}

// Counts what stays open for as long as it does.
class Seat {
 public:
  explicit Seat(std::atomic<std::size_t>& taken) : taken_(taken), before_(taken.fetch_add(1)) {}
  ~Seat() { --taken_; }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  bool is_one_too_many(std::size_t most) const { return before_ >= most; }

 private:
  std::atomic<std::size_t>& taken_;
  const std::size_t before_;
};

// A session of the handshake era and what may be read again of it.
class Peer {
 public:
  Peer(std::string id, std::shared_ptr<Session> session, EventStream::Limits limits)
      : id_(std::move(id)),
        session_(std::move(session)),
        limits_(limits),
        own_(std::make_shared<EventStream>(0, true, limits)) {
    session_->set_peer(own_->open_lasting_sink());
  }
  ~Peer() { end(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const std::string& id() const { return id_; }
  Session& session() { return *session_; }

  /// A stream for the answer to one message. keep() has it found by find() later.
  std::shared_ptr<EventStream> open_stream() {
    const std::lock_guard lock(mutex_);
    return std::make_shared<EventStream>(++streams_, true, limits_);
  }
  void keep(const std::shared_ptr<EventStream>& stream) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(stream);
    if (kept_.size() > kKeptStreams) kept_.erase(kept_.begin());
  }
  /// The stream of that number, else the session's own.
  std::shared_ptr<EventStream> find(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    for (const auto& stream : kept_) {
      if (stream->number() == number) return stream;
    }
    return own_;
  }

  void end() {
    session_->set_peer(nullptr);
    session_->cancel_all();
    const std::lock_guard lock(mutex_);
    own_->end();
    for (const auto& stream : kept_) stream->end();
  }

  /// Requests and streams of it that are open, and when one last ended: guarded by the endpoint.
  std::size_t uses = 0;
  Clock::time_point last_use = Clock::now();

 private:
  const std::string id_;
  const std::shared_ptr<Session> session_;
  const EventStream::Limits limits_;
  const std::shared_ptr<EventStream> own_;
  std::mutex mutex_;  // guards the two below
  std::uint64_t streams_ = 0;
  std::vector<std::shared_ptr<EventStream>> kept_;
};

}  // namespace

struct HttpEndpoint::Impl {
  Impl(Server& given, HttpEndpointOptions chosen)
      : server(given),
        options(std::move(chosen)),
        limits{.messages = options.replayed_messages},
        mirrored(find_mirrored_arguments(server.offer().tools)) {}

  Server& server;
  const HttpEndpointOptions options;
  const EventStream::Limits limits;
  const MirroredArguments mirrored;
  std::atomic<std::size_t> lasting = 0;  // streams that stay open

  std::mutex mutex;  // guards all below
  std::condition_variable left;
  std::map<std::string, std::shared_ptr<Peer>, std::less<>> peers;
  std::vector<std::weak_ptr<EventStream>>
      waiting;  // streams that a thread waits for, stateless ones
  std::map<const Session*, std::weak_ptr<Session>> single;  // of stateless requests
  bool is_closed = false;
  std::deque<std::string> ended;  // names that are not taken up again, the newest last

  // Ends sessions that were idle for long, and one more when there are too many.
  void tidy(std::vector<std::shared_ptr<Peer>>& gone, bool one_comes) {
    const auto now = Clock::now();
    for (auto each = peers.begin(); each != peers.end();) {
      const bool is_idle =
          each->second->uses == 0 && now - each->second->last_use > options.session_idle;
      if (is_idle) gone.push_back(each->second);
      each = is_idle ? peers.erase(each) : std::next(each);
    }
    if (!one_comes || peers.size() < options.max_sessions) return;
    const auto longest =
        std::min_element(peers.begin(), peers.end(), [](const auto& one, const auto& other) {
          return std::pair(one.second->uses > 0, one.second->last_use) <
                 std::pair(other.second->uses > 0, other.second->last_use);
        });
    gone.push_back(longest->second);
    peers.erase(longest);
  }

  // Says that a peer is in use until it is let go.
  std::shared_ptr<void> use(const std::shared_ptr<Peer>& peer) {
    return {nullptr, [this, peer](void*) {
              const std::lock_guard lock(mutex);
              --peer->uses;
              peer->last_use = Clock::now();
            }};
  }

  // The peer that the request names, in use; or the refusal.
  std::shared_ptr<Peer> find_peer(const ServedRequest& request, std::shared_ptr<void>& in_use,
                                  ServedReply& refusal) {
    const auto id = request.header("Mcp-Session-Id");
    if (!id) {
      refusal = refuse(400, "Invalid request: Mcp-Session-Id is missing; begin with initialize");
      return nullptr;
    }
    const auto version = request.header("MCP-Protocol-Version");
    if (version && !is_handshake_revision(*version)) {
      refusal =
          refuse(400, fmt::format("Invalid request: MCP-Protocol-Version {} is not supported "
                                  "in a session; it may be {}",
                                  utf8_prefix(*version, 40), fmt::join(kHandshakeRevisions, ", ")));
      return nullptr;
    }
    std::vector<std::shared_ptr<Peer>> gone;  // ended without the lock
    std::shared_ptr<Peer> peer;
    {
      const std::lock_guard lock(mutex);
      tidy(gone, false);
      const auto found = peers.find(*id);
      if (found != peers.end()) {
        peer = found->second;
        ++peer->uses;
      }
    }
    for (const auto& each : gone) each->end();
    if (peer == nullptr) peer = take_up(request, std::string(*id), refusal);
    if (refusal.status != 200) return nullptr;
    if (peer == nullptr) {
      refusal =
          refuse(404, "Invalid request: there is no such session (any more); initialize anew");
      return nullptr;
    }
    in_use = use(peer);
    return peer;
  }

  // A session that another process has opened, marked as in use; null if `id` is unknown.
  std::shared_ptr<Peer> take_up(const ServedRequest& request, const std::string& id,
                                ServedReply& refusal) {
    const std::string revision = options.revision_of ? options.revision_of(id) : std::string();
    if (revision.empty()) return nullptr;
    const auto session = server.open_session();
    if (auto refused = choose_services(request, *session)) {
      refusal = *std::move(refused);
      return nullptr;
    }
    session->take_up(revision);
    std::vector<std::shared_ptr<Peer>> gone;
    auto peer = std::make_shared<Peer>(id, session, limits);
    {
      const std::lock_guard lock(mutex);
      if (is_closed || std::ranges::find(ended, id) != ended.end()) return nullptr;
      const auto found = peers.find(id);  // another thread may have been faster
      if (found != peers.end()) {
        peer = found->second;
      } else {
        tidy(gone, true);
        peers.emplace(id, peer);
      }
      ++peer->uses;
    }
    for (const auto& each : gone) each->end();
    return peer;
  }

  ServedReply post(const ServedRequest& request) {
    if (media_type(request.header("Content-Type").value_or("")) != "application/json") {
      return refuse(415, "Invalid request: Content-Type must be application/json");
    }
    if (!accepts(request, "application/json") && !accepts(request, "text/event-stream")) {
      return refuse(406, "Invalid request: Accept must have application/json or text/event-stream");
    }
    if (request.body.size() > kMaxMessageBytes) {
      return refuse(
          413,
          fmt::format("Invalid request: a message of {} bytes is too long", request.body.size()),
          find_request_id(request.body));
    }
    const ParsedLine parsed = parse_line(request.body);
    if (parsed.batch) return post_in_session(request, nullptr);
    const Message& message = parsed.messages.front();
    if (message.kind == MessageKind::kInvalid) return refuse(400, message.error, message.id);
    const bool has_version =
        !message.params.member("_meta").member(kMetaProtocolVersion).is_absent();
    const auto version = request.header("MCP-Protocol-Version");
    // `initialize` negotiates the revision, so the header of its request decides nothing.
    const bool is_handshake =
        message.method == "initialize" || !version || is_handshake_revision(*version);
    if (has_version || !is_handshake) return post_stateless(request, message);
    if (message.kind == MessageKind::kRequest && message.method == "initialize") {
      return initialize(request, message);
    }
    return post_in_session(request, &message);
  }

  ServedReply initialize(const ServedRequest& request, const Message& message) {
    const auto session = server.open_session();
    if (auto refusal = choose_services(request, *session)) return *std::move(refusal);
    auto stream = std::make_shared<EventStream>(0, false, limits);
    session->handle(request.body, stream->open_sink());
    const std::string answer = stream->await_answer();
    if (session->revision().empty()) {
      return answer.empty() ? refuse(400, "Invalid request", message.id) : json_reply(200, answer);
    }
    const auto peer = std::make_shared<Peer>(
        options.name_session ? options.name_session(session->revision()) : random_hex(kIdDigits),
        session, limits);
    std::vector<std::shared_ptr<Peer>> gone;
    {
      const std::lock_guard lock(mutex);
      if (is_closed) return refuse(503, "the server is stopping");
      tidy(gone, true);
      peers[peer->id()] = peer;
    }
    for (const auto& each : gone) each->end();
    ServedReply reply = json_reply(200, answer);
    reply.headers.push_back({"Mcp-Session-Id", peer->id()});
    return reply;
  }

  // The services of the session's calls, if the request chooses them.
  std::optional<ServedReply> choose_services(const ServedRequest& request, Session& session) {
    if (!options.services) return std::nullopt;
    auto source = options.services(request, session);
    if (!source.ok()) return refuse(400, source.error().message());
    session.set_services(*std::move(source));
    return std::nullopt;
  }

  // `message` is null for a batch.
  ServedReply post_in_session(const ServedRequest& request, const Message* message) {
    std::shared_ptr<void> in_use;
    ServedReply refusal;
    const auto peer = find_peer(request, in_use, refusal);
    if (peer == nullptr) return refusal;
    const auto stream = peer->open_stream();
    const bool is_request = message == nullptr || message->kind == MessageKind::kRequest;
    peer->session().handle(request.body, stream->open_sink());
    if (!is_request) return {.status = 202, .body = ""};
    ServedReply reply;
    if (answer_at_once(request, *stream, nullptr, reply)) return reply;
    peer->keep(stream);
    const std::string revision = peer->session().revision();
    reply = stream_reply(stream, {.has_ids = true,
                                  .is_primed = revision >= kPrimedRevision,
                                  .waits_for_call = true,
                                  .held = {in_use}});
    reply.headers.push_back({"Mcp-Session-Id", peer->id()});
    return reply;
  }

  ServedReply post_stateless(const ServedRequest& request, const Message& message) {
    if (message.kind == MessageKind::kNotification) return {.status = 202, .body = ""};
    if (message.kind == MessageKind::kResponse) {
      return refuse(400, "Invalid request: this revision has no requests to answer");
    }
    if (message.params.member("_meta").member(kMetaProtocolVersion).is_absent()) {
      return refuse(
          400,
          {RpcCode::kInvalidParams,
           fmt::format("Invalid params: _meta[\"{}\"] is missing", kMetaProtocolVersion), ""},
          message.id);
    }
    if (const auto wrong = find_header_mismatch(request, message, mirrored)) {
      return refuse(400, {RpcCode::kHeaderMismatch, "Header mismatch: " + *wrong, ""}, message.id);
    }
    const auto session = server.open_session();
    if (auto refusal = choose_services(request, *session)) return *std::move(refusal);
    const auto stream = std::make_shared<EventStream>(0, false, limits);
    std::vector<std::shared_ptr<void>> held;
    const bool listens = message.method == "subscriptions/listen";
    if (listens) {
      const auto seat = std::make_shared<Seat>(lasting);
      if (seat->is_one_too_many(options.max_streams)) return too_many();
      held.push_back(seat);
    }
    {
      const std::lock_guard lock(mutex);
      if (is_closed) return refuse(503, "the server is stopping");
      single[session.get()] = session;
    }
    held.push_back({nullptr, [this, session](void*) {
                      const std::lock_guard lock(mutex);
                      single.erase(session.get());
                      left.notify_all();
                    }});
    session->handle(request.body, stream->open_sink());
    ServedReply reply;
    if (answer_at_once(request, *stream, session.get(), reply)) return reply;
    return stream_reply(stream, {.waits_for_call = !listens,
                                 .on_gone = [session] { session->cancel_all(); },
                                 .held = std::move(held)});
  }

  static ServedReply too_many() {
    ServedReply reply = refuse(503, "too many streams are open already");
    reply.headers.push_back({"Retry-After", "5"});
    return reply;
  }

  // True when `reply` is the whole answer; false when a stream has to be. `single` is the session
  // of a stateless request, whose errors have statuses of their own.
  bool answer_at_once(const ServedRequest& request, EventStream& stream, const Session* alone,
                      ServedReply& reply) {
    const bool takes_json = accepts(request, "application/json");
    const bool takes_stream = accepts(request, "text/event-stream");
    const auto first = stream.await_first(kStreamAfter);
    const bool is_cancelled = first == EventStream::First::kEnd;  // then there is no answer
    if (takes_stream && first != EventStream::First::kAnswer && !is_cancelled) return false;
    // A client that accepts no stream does not get the messages before the answer.
    std::string answer = stream.await_answer();
    const int status = alone != nullptr ? status_of(answer) : 200;
    if (answer.empty()) {
      reply = {.status = 202, .body = ""};
    } else if (!takes_json && status == 200) {
      reply = {.content_type = "text/event-stream",
               .body = "event: message\ndata: " + answer + "\n\n",
               .headers = {{"Cache-Control", "no-store"}}};
    } else {
      reply = json_reply(status, std::move(answer));
    }
    return true;
  }

  ServedReply get(const ServedRequest& request) {
    if (!accepts(request, "text/event-stream")) {
      return refuse(406, "Invalid request: Accept must have text/event-stream");
    }
    std::shared_ptr<void> in_use;
    ServedReply refusal;
    const auto peer = find_peer(request, in_use, refusal);
    if (peer == nullptr) return refusal;
    const auto seat = std::make_shared<Seat>(lasting);
    if (seat->is_one_too_many(options.max_streams)) return too_many();
    const auto seen = read_event_id(request.header("Last-Event-ID").value_or(""));
    const auto stream = peer->find(seen ? seen->first : 0);
    const bool goes_on = seen && stream->number() == seen->first;
    ServedReply reply = stream_reply(
        stream, {.after = goes_on ? seen->second : stream->last_read(),
                 .has_ids = true,
                 .is_primed = !goes_on && peer->session().revision() >= kPrimedRevision,
                 .held = {in_use, seat}});
    reply.headers.push_back({"Mcp-Session-Id", peer->id()});
    return reply;
  }

  ServedReply end_session(const ServedRequest& request) {
    std::shared_ptr<void> in_use;
    ServedReply refusal;
    const auto peer = find_peer(request, in_use, refusal);
    if (peer == nullptr) return refusal;
    {
      const std::lock_guard lock(mutex);
      peers.erase(peer->id());
      if (options.revision_of) ended.push_back(peer->id());
      if (ended.size() > options.max_sessions) ended.pop_front();
    }
    peer->end();
    return {.status = 204, .body = ""};
  }

  void close() {
    std::vector<std::shared_ptr<Peer>> all;
    std::vector<std::shared_ptr<Session>> sessions;
    {
      const std::lock_guard lock(mutex);
      is_closed = true;
      for (const auto& [id, peer] : peers) all.push_back(peer);
      for (const auto& [key, session] : single) {
        if (auto there = session.lock()) sessions.push_back(std::move(there));
      }
      peers.clear();
    }
    for (const auto& peer : all) peer->end();
    for (const auto& session : sessions) session->cancel_all();
    for (const auto& peer : all) peer->session().wait_idle(kUnlimited);
    for (const auto& session : sessions) session->wait_idle(kUnlimited);
  }
};

HttpEndpoint::HttpEndpoint(Server& server, HttpEndpointOptions options)
    : impl_(std::make_unique<Impl>(server, std::move(options))) {}

HttpEndpoint::~HttpEndpoint() { close(); }

net::ServedReply HttpEndpoint::handle(const net::ServedRequest& request) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->is_closed) return refuse(503, "the server is stopping");
  }
  if (request.method == "POST") return impl_->post(request);
  if (request.method == "GET") return impl_->get(request);
  if (request.method == "DELETE") return impl_->end_session(request);
  const bool is_question = request.method == "OPTIONS";
  ServedReply reply = is_question ? ServedReply{.status = 204, .body = ""}
                                  : refuse(405, fmt::format("this address takes {}", kAllowed));
  reply.headers.push_back({"Allow", std::string(kAllowed)});
  return reply;
}

void HttpEndpoint::close() { impl_->close(); }

}  // namespace codexmem::mcp
