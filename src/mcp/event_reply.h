// mcp/event_reply.h - an HTTP answer that is a stream of events.
//
// Reads an EventStream for one connection and writes its messages as server-sent events. Design:
// docs/how-it-works.md, "MCP".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/event_stream.h"
#include "net/http_server.h"

namespace codexmem::mcp {

struct EventReplyOptions {
  std::uint64_t after = 0;                       // messages that the client has
  bool has_ids = false;                          // it may come back
  bool is_primed = false;                        // the first event has an id and no data
  bool waits_for_call = false;                   // and does not only listen
  std::function<void()> on_gone = {};            // when the client has gone before the end
  std::vector<std::shared_ptr<void>> held = {};  // for as long as it lasts
};

/// A reply that sends the messages of `stream`.
net::ServedReply stream_reply(std::shared_ptr<EventStream> stream, EventReplyOptions options);

/// The stream and the message that an event's id names, "STREAM.MESSAGE"; nothing for another text.
std::optional<std::pair<std::uint64_t, std::uint64_t>> read_event_id(std::string_view text);

}  // namespace codexmem::mcp
