// mcp/client_requests.h - requests of the server to a peer of the handshake era, and its answers.
//
// Ids are ours alone ("server-1"), so an answer finds its question whatever ids the peer uses.
// Thread-safe. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/jsonrpc.h"
#include "mcp/transport.h"

namespace codexmem::mcp {

/// The capability that a client has to declare to be asked `method`; empty: none.
std::string_view capability_of_request(std::string_view method);

/// What `method` with `params` needs of a client and its `capabilities` do not have, as the object
/// that says so ({"elicitation":{"url":{}}}); empty: nothing is missing.
std::string missing_capability(std::string_view method, const JsonValue& params,
                               const JsonValue& capabilities);

class ClientRequests {
 public:
  /// Takes the result, on the thread that brings it.
  using Take = std::function<void(Result<JsonValue>)>;

  /// Sends a request to `sink` and waits for its result.
  ///
  /// Errors: kIo with the client's error, or when `time` is over; kCancelled after `stop`. In
  /// the last two cases the client is notified that the request is cancelled.
  Result<JsonValue> ask(std::string_view method, std::string_view params, MessageSink& sink,
                        std::stop_token stop, std::chrono::milliseconds time);

  /// The id of a request that the caller sends; its answer goes to `take`, which is not called when
  /// the peer never answers.
  RequestId expect(Take take);

  /// Drops the request `id`; its answer is ignored.
  void forget(const RequestId& id);

  /// Passes an answer of the peer to its request; an answer without a request is ignored.
  void answer(const Message& response);

 private:
  RequestId add(Take take);  // under mutex_

  std::mutex mutex_;  // guards all below
  std::condition_variable_any answered_;
  std::map<RequestId, Take> waiting_;
  std::uint64_t last_id_ = 0;
};

}  // namespace codexmem::mcp
