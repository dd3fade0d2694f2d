// mcp/jsonrpc.h - JSON-RPC 2.0 messages: parses lines into messages, writes answers as lines.
//
// Pure functions, thread-safe. Input is untrusted: any bytes parse to messages or to errors that
// can be answered. Source: https://www.jsonrpc.org/specification and the base protocol pages of
// MCP. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace codexmem::mcp {

/// The error codes of JSON-RPC, of MCP and of LSP that are sent here.
enum class RpcCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kResourceNotFound = -32002,            // MCP until 2025-11-25; later kInvalidParams
  kHeaderMismatch = -32020,              // MCP 2026-07-28, over HTTP
  kMissingClientCapability = -32021,     // MCP 2026-07-28
  kUnsupportedProtocolVersion = -32022,  // MCP 2026-07-28
  kServerNotInitialized = -32002,        // LSP, as the next two
  kRequestFailed = -32803,
  kRequestCancelled = -32800,
};

/// The id of a request as it is sent back: its JSON text (`7`, `"a"`, `null`). Two ids are equal
/// when their texts are; the string "7" and the number 7 differ. A lone surrogate is kept as it
/// came, so readers of it as JSON need repair_json().
struct RequestId {
  std::string json = "null";

  bool is_null() const { return json == "null"; }
  auto operator<=>(const RequestId&) const = default;
};

struct RpcError {
  RpcCode code = RpcCode::kInternalError;
  std::string message;
  std::string data;  // JSON text, or empty for none
};

/// kInvalidParams, "Invalid params: " and `message`.
RpcError invalid_params(std::string message);
RpcError internal_error(std::string_view message);

/// kInvalidRequest, "Invalid request: " and `message`.
RpcError invalid_request(std::string message);

RpcError method_not_found(std::string_view method);

enum class MessageKind {
  kRequest,       // has id, method and maybe params
  kNotification,  // has method and maybe params; is never answered
  kResponse,      // has id: the answer to a request of ours
  kInvalid,       // has error, and the id if one could be read
};

struct Message {
  MessageKind kind = MessageKind::kInvalid;
  RequestId id;
  std::string method;
  JsonValue params;   // object, array or absent
  JsonValue result;   // of a response; absent in one that is a failure
  JsonValue failure;  // of a response: its `error`
  RpcError error;
};

struct ParsedLine {
  bool batch = false;             // messages stood in an array and are answered in one
  std::vector<Message> messages;  // at least one; exactly one unless batch
};

/// More messages in one batch than this are refused as one invalid request.
inline constexpr std::size_t kMaxBatch = 1000;

/// Parses one line.
///
/// No JSON, or JSON past the limits: one invalid message, kParseError, with the id if it can be
/// read all the same (mcp/request_id.h). An empty array, or an object that is no request,
/// notification or response: kInvalidRequest, with the id where it is a string or a number. A
/// repeated member makes its whole line an invalid request: which of the two counts would be a
/// guess. A request whose params are neither object nor array: kInvalidParams.
ParsedLine parse_line(std::string_view line, const JsonLimits& limits = {});

/// The answer to `id`: `result` is JSON text on one line.
std::string make_result(const RequestId& id, std::string_view result);

std::string make_error(const RequestId& id, const RpcError& error);

/// A notification: `params` is JSON text on one line; empty: none.
std::string make_notification(std::string_view method, std::string_view params);

/// A request from the server, with params like those in a notification.
std::string make_request(const RequestId& id, std::string_view method, std::string_view params);

}  // namespace codexmem::mcp
