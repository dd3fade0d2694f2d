// mcp/session.h - one peer's conversation: messages in, answers and notifications out.
//
// handle() answers what is quick at once and queues tool calls; each answer goes to the sink that
// came with its message, in the order in which calls end. For stdio a session is the process; for
// HTTP it is one of the handshake era's sessions, or made for a single stateless request. Safe to
// use from many threads. Design: docs/mcp.md.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/jsonrpc.h"
#include "mcp/protocol.h"
#include "mcp/server.h"
#include "mcp/tool_table.h"
#include "mcp/transport.h"
#include "mcp/worker_pool.h"

namespace codexmem::mcp {

/// What all sessions of a server share. Outlives them.
struct ServerCore {
  Offer offer;
  Services* services;
  ServerOptions options;
  WorkerPool* workers;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Sink = std::shared_ptr<MessageSink>;

  explicit Session(const ServerCore& core) : core_(core) {}

  /// Takes one message. Waits only while the queue of calls is full.
  void handle(std::string_view line, const Sink& sink);

  /// Answers a message that the transport had to skip.
  void refuse_oversized(std::size_t size_bytes, MessageSink& sink);

  /// Asks all calls in flight to stop; they are answered with what they come to.
  void cancel_all();

  /// Waits until no call is in flight; false when `time` was over before.
  bool wait_idle(std::chrono::milliseconds time);

 private:
  /// Takes the answer to one message, once; nothing for a message that gets none.
  using Reply = std::function<void(std::optional<std::string>)>;
  /// A result as the text of a JSON object, or the error.
  using Outcome = std::variant<std::string, RpcError>;

  struct Call {
    std::stop_source stop;
    bool cancelled = false;  // by the peer: it gets no answer. Guarded by Session::mutex_.
  };

  // Progress notifications of one call, which must be sent before its answer.
  class Progress;

  struct Method {
    std::string_view name;
    bool handshake;  // exists in the handshake era
    bool stateless;  // exists in the stateless era
    bool before_initialize;
    Outcome (Session::*run)(const Message&, const RequestContext&);  // null for tools/call
  };
  static const Method kMethods[];

  void dispatch(const Message& message, bool in_batch, std::size_t size_bytes, const Sink& sink,
                Reply reply);
  void on_request(const Message& message, bool in_batch, std::size_t size_bytes, const Sink& sink,
                  Reply reply);
  void on_notification(const Message& message);
  void call_tool(const Message& message, RequestContext context, std::size_t size_bytes,
                 const Sink& sink, const Reply& reply);

  Outcome initialize(const Message& message, const RequestContext& context);
  Outcome ping(const Message& message, const RequestContext& context);
  Outcome discover(const Message& message, const RequestContext& context);
  Outcome list_tools(const Message& message, const RequestContext& context);
  Outcome set_log_level(const Message& message, const RequestContext& context);

  SessionState state() const;

  const ServerCore& core_;
  mutable std::mutex mutex_;  // guards the three below
  SessionState state_;
  std::map<std::string, std::shared_ptr<Call>> calls_;  // in flight, by the id's text
  std::size_t unanswered_ = 0;  // calls that were queued and whose answer is not out
  std::condition_variable idle_;
};

}  // namespace codexmem::mcp
