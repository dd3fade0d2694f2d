// mcp/subscriptions.h - what one peer wants to be told of, and the way to it when nothing was
// asked.
//
// In the handshake era a peer is told of changed lists, and of the resources that it subscribed to,
// on its own stream. In the stateless era each subscriptions/listen names what it wants and is told
// on the stream of that request. Source: the resources page of MCP 2025-11-25, the subscriptions
// page of 2026-07-28. Design: docs/design/mcp.md, "Resources".
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
/// close_all() has returned, nothing is on its way to what they took away.
class Subscriptions {
 public:
  using Sink = std::shared_ptr<MessageSink>;

  static constexpr std::size_t kMaxUris = 1000;  // of a peer, and of one subscriptions/listen
  static constexpr std::size_t kMaxUriBytes = 4096;
  static constexpr std::size_t kMaxListens = 64;

  /// Where messages go that answer nothing; null: nowhere.
  void set_peer(Sink peer);

  /// Sends to the peer; false when there is none.
  bool send_to_peer(std::string_view message);

  /// Whether the peer wants to be told of changed lists: after its handshake.
  void tell_lists(bool told);

  /// False when the peer has kMaxUris already.
  bool subscribe(std::string uri);
  void unsubscribe(const std::string& uri);

  /// All that the peer wants to be told of, in either era.
  std::set<std::string> uris() const;

  /// Acknowledges a subscriptions/listen and tells `sink` from then on. False when there are
  /// kMaxListens already, or one with this id.
  bool listen(const RequestId& id, ListenFilter filter, Sink sink);

  /// Ends one without an answer: the peer has cancelled it. False when there is none.
  bool close(const RequestId& id);

  /// Ends all with `answer(id)`, the graceful end.
  template <typename Answer>
  void close_all(const Answer& answer) {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, each] : listens_) each.sink->send(answer(id));
    listens_.clear();
  }

  void tell(const Change& change);

 private:
  struct Listen {
    ListenFilter filter;
    Sink sink;
  };

  mutable std::mutex mutex_;  // guards all below
  Sink peer_;
  bool tells_lists_ = false;
  std::set<std::string> uris_;
  std::map<RequestId, Listen> listens_;
};

}  // namespace codexmem::mcp
