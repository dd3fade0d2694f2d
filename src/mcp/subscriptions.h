// mcp/subscriptions.h - the notifications that one peer subscribed to, and the sink for messages
// that answer no request.
//
// In the handshake era a peer is notified of changed lists, and of the resources that it subscribed
// to, on its own stream. In the stateless era each subscriptions/listen names the wanted
// notifications, which go to the stream of that request. Source: the resources page of MCP
// 2025-11-25, the subscriptions page of 2026-07-28. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "mcp/jsonrpc.h"
#include "mcp/transport.h"

namespace codexmem::mcp {

enum class Changed {
  kTools,  // the list of them, and so the next two
  kPrompts,
  kResources,
  kResource,  // the content of one
  kMaybe,     // of any: it has to be looked at
};

struct Change {
  Changed what = Changed::kTools;
  std::string uri = {};  // of kResource

  auto operator<=>(const Change&) const = default;
};

/// What a subscriptions/listen asks for.
struct ListenFilter {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string> uris = {};
};

/// Of one session. Thread-safe: messages are sent under its lock, so once set_peer(), close() or
/// close_all() has returned, nothing is on its way to the removed sinks.
class Subscriptions {
 public:
  using Sink = std::shared_ptr<MessageSink>;

  static constexpr std::size_t kMaxUris = 1000;  // of a peer, and of one subscriptions/listen
  static constexpr std::size_t kMaxUriBytes = 4096;
  static constexpr std::size_t kMaxListens = 64;

  /// Where messages go that answer nothing; null: nowhere.
  void set_peer(Sink peer);

  /// Sends to the peer; false if there is no peer.
  bool send_to_peer(std::string_view message);

  /// Whether to notify the peer of changed lists: after its handshake.
  void notify_of_lists(bool wanted);

  /// False when the peer has kMaxUris already.
  bool subscribe(std::string uri);
  void unsubscribe(const std::string& uri);

  /// All URIs that the peer has subscribed to, in either era.
  std::set<std::string> uris() const;

  /// Acknowledges a subscriptions/listen and sends notifications to `sink` from then on. False when
  /// there are kMaxListens already, or one with this id.
  bool listen(const RequestId& id, ListenFilter filter, Sink sink);

  /// Ends one without an answer: the peer has cancelled it. False if there is no such subscription.
  bool close(const RequestId& id);

  /// Ends all with `answer(id)`, the graceful end.
  template <typename Answer>
  void close_all(const Answer& answer) {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, each] : listens_) each.sink->send(answer(id));
    listens_.clear();
  }

  void notify(const Change& change);

 private:
  struct Listen {
    ListenFilter filter;
    Sink sink;
  };

  mutable std::mutex mutex_;  // guards all below
  Sink peer_;
  bool wants_lists_ = false;
  std::set<std::string> uris_;
  std::map<RequestId, Listen> listens_;
};

}  // namespace codexmem::mcp
