// mcp/session.h - one peer's conversation: messages in, answers and notifications out.
//
// handle() answers quick requests at once and queues the others; each answer goes to the sink that
// came with its message, in the order in which calls end. For stdio a session is the process; for
// HTTP it is a session of the handshake era, or made for a single stateless request. Safe to use
// from many threads. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "mcp/client_requests.h"
#include "mcp/jsonrpc.h"
#include "mcp/protocol.h"
#include "mcp/request_state.h"
#include "mcp/server.h"
#include "mcp/subscriptions.h"
#include "mcp/tool_table.h"
#include "mcp/transport.h"
#include "mcp/worker_pool.h"

namespace codexmem::mcp {

/// How long a stateless client may keep the discovery and the lists: they are fixed for the life of
/// the process, and a restarted one may be of another version.
inline constexpr int kCacheTtlMs = 300'000;

class Session;

/// The resources read in one check of all sessions, so that sessions of one repository read each
/// resource once. For one thread.
struct LookCache {
  std::map<std::pair<const ask::Services*, std::string>, std::string> digests;
  std::vector<std::shared_ptr<ask::Services>> kept;  // so that no other ones get their address
};

/// What all sessions of a server share. Outlives them.
struct ServerCore {
  Offer offer;
  ask::Services* services;
  ServerOptions options;
  WorkerPool* workers;
  StateSeal seal = {};
  std::mutex mutex = {};                                           // guards the two below
  std::map<const Session*, std::weak_ptr<Session>> sessions = {};  // that have not ended
  bool is_closed = false;                                          // and no more may begin
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Sink = std::shared_ptr<MessageSink>;

  explicit Session(ServerCore& core) : core_(core) {}  // by Server::open_session() alone
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Takes one message. Waits only while the queue of calls is full.
  ///
  /// The messages that it causes go to `sink`, which is released after the last of them: so an
  /// HTTP exchange ends with its sink, also when a cancelled call gets no answer.
  void handle(std::string_view line, const Sink& sink);

  /// Answers a message that the transport had to skip.
  void refuse_oversized(const RequestId& id, std::size_t size_bytes, MessageSink& sink);

  /// The sink for messages that answer no message of the peer: notifications of changes, and the
  /// request for its roots. Null: they are dropped. When it returns, nothing is on its way to the
  /// previous sink.
  void set_peer(Sink peer);

  /// The services of calls that begin from now on. Without a source, or if it returns null, the
  /// server's services are used.
  void set_services(ServicesSource source);
  bool has_services() const;

  /// Sends a notification of `change` to the peer, if it has subscribed to it.
  void notify(const Change& change, LookCache& cache);

  /// Requests all calls in flight to stop; they are answered with the results so far. Subscriptions
  /// end, and later requests are refused: the session is over.
  void cancel_all();

  /// Waits until no call is in flight and nothing is read; false when `time` was over before.
  bool wait_idle(std::chrono::milliseconds time);

  /// Goes on with a session that another process has opened with `revision`. What its client can do
  /// is not known, so that it is asked nothing. Before the first message.
  void take_up(std::string revision);

  /// The revision that `initialize` has settled; empty before.
  std::string revision() const { return state().revision; }

  /// The client's roots as it last sent them; null if it has sent none.
  std::shared_ptr<const std::vector<Root>> roots() const { return state().roots; }

 private:
  /// Takes the answer to one message, once; nothing for a message that gets none.
  using Reply = std::function<void(std::optional<std::string>)>;

  /// A result.
  struct Answer {
    std::string json = "{}";         // the text of an object
    std::optional<int> ttl_ms = {};  // how long a stateless client may keep it; none: it may not
    bool needs_input = false;        // stateless era: it asks for something first
    std::optional<ListenFilter> listens = {};  // no answer yet: a stream of notifications
  };
  using Outcome = std::variant<Answer, RpcError>;

  struct Call {
    std::stop_source stop;
    // Guarded by Session::mutex_.
    bool cancelled = false;  // by the peer: it gets no answer
    bool is_stream = false;  // a subscription that is open: it runs no more
  };

  // Progress notifications of one call, which must be sent before its answer.
  class Progress;

  enum class Feature { kNone, kResources, kPrompts, kCompletions };

  struct Method {
    std::string_view name;
    bool handshake;   // exists in the handshake era
    bool stateless;   // exists in the stateless era
    Feature feature;  // that the offer must have
    // One of these: answered at once by the thread that reads, or, as it may wait, by a worker.
    Outcome (Session::*answer)(const Message&, const RequestContext&) = nullptr;
    Outcome (Session::*work)(const Message&, const CallContext&) = nullptr;
    bool before_initialize = false;
  };
  static const Method kMethods[];

  // session.cpp
  void dispatch(const Message& message, bool in_batch, std::size_t size_bytes, const Sink& sink,
                Reply reply);
  void on_request(const Message& message, bool in_batch, std::size_t size_bytes, const Sink& sink,
                  Reply reply);
  void on_notification(const Message& message);
  void ask_for_roots();
  void take_roots(const JsonValue& result);
  void end_roots_wait();
  // Until the client has sent the roots that it was asked for; ServerOptions::roots_time at most.
  void await_roots(const std::stop_token& stop);
  bool has(Feature feature) const;
  std::string make_answer(const RequestId& id, const Outcome& outcome,
                          const RequestContext& context) const;
  void start_call(const Method& method, const Message& message, RequestContext context,
                  std::size_t size_bytes, const Sink& sink, const Reply& reply);
  void finish_call(Call& call, const RequestId& id, const Outcome& outcome,
                   const RequestContext& context, const Sink& sink, const Reply& reply);
  Outcome run_call(const Method& method, const Message& message, CallContext& context);
  Outcome ask_first(const Message& message, const std::string& needed, const CallContext& context);
  SessionState state() const;
  std::shared_ptr<ask::Services> own_services() const;

  // session_subscriptions.cpp
  Outcome listen(const Message& message, const CallContext& context);
  Outcome subscribe(const Message& message, const CallContext& context);
  Outcome unsubscribe(const Message& message, const RequestContext& context);
  // Reads the subscribed resources, and the list if the peer knows it; sends notifications of
  // changes.
  void look(LookCache& cache);
  void look_at(const std::set<std::string>& uris, const CallContext& context, LookCache& cache);
  void look_at_list(const CallContext& context, LookCache& cache);
  void know_list(const CallContext& context);  // look_at_list() the first time
  // Whether what had a digest has another one now; remembers it. Under look_mutex_.
  bool is_another(const std::string& uri, std::string digest);

  // session_lists.cpp
  Outcome list_tools(const Message& message, const RequestContext& context);
  Outcome list_prompts(const Message& message, const RequestContext& context);
  Outcome list_templates(const Message& message, const RequestContext& context);

  // session_calls.cpp
  Outcome initialize(const Message& message, const RequestContext& context);
  Outcome ping(const Message& message, const RequestContext& context);
  Outcome discover(const Message& message, const RequestContext& context);
  Outcome set_log_level(const Message& message, const RequestContext& context);
  Outcome call_tool(const Message& message, const CallContext& context);
  Outcome list_resources(const Message& message, const CallContext& context);
  Outcome read_resource(const Message& message, const CallContext& context);
  Outcome get_prompt(const Message& message, const CallContext& context);
  Outcome complete(const Message& message, const CallContext& context);

  ServerCore& core_;
  Subscriptions subscriptions_;
  ClientRequests client_;
  mutable std::mutex mutex_;  // guards the nine below
  SessionState state_;
  ServicesSource services_;
  bool owes_roots_ = false;   // they are to be asked for as soon as there is a way to the peer
  RequestId roots_question_;  // the last one
  std::optional<std::chrono::steady_clock::time_point> roots_deadline_;  // set: they are awaited
  std::condition_variable_any roots_known_;
  std::map<std::string, std::shared_ptr<Call>> calls_;  // in flight, by the id's text; and streams
  std::size_t unanswered_ = 0;                          // calls whose answer is not out, and looks
  std::condition_variable idle_;
  std::stop_source ending_;

  std::mutex look_mutex_;                    // held while resources are read; guards the next
  std::map<std::string, std::string> seen_;  // URI -> a digest of what it was; "": of the list
};

}  // namespace codexmem::mcp
