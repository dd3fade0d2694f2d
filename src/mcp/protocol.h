// mcp/protocol.h - the revisions of MCP, and the protocol data of a request.
//
// There are two eras. In the handshake era (2024-11-05 to 2025-11-25) `initialize` settles revision
// and capabilities for a session. In the stateless era (2026-07-28) every request carries them in
// `_meta` and nothing may be inferred from earlier ones. One process serves both, request by
// request: handlers take a RequestContext and never ask which session they are in. Source: the
// versioning pages of the 2025-11-25 and 2026-07-28 revisions. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/json_value.h"
#include "mcp/jsonrpc.h"

namespace codexmem::mcp {

enum class Era { kHandshake, kStateless };

/// Newest first.
inline constexpr std::array<std::string_view, 4> kHandshakeRevisions = {"2025-11-25", "2025-06-18",
                                                                        "2025-03-26", "2024-11-05"};
inline constexpr std::array<std::string_view, 1> kStatelessRevisions = {"2026-07-28"};

/// The only revision in which messages may come in batches.
inline constexpr std::string_view kBatchRevision = "2025-03-26";

inline constexpr std::string_view kMetaProtocolVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaClientCapabilities =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kMetaServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kMetaSubscriptionId = "io.modelcontextprotocol/subscriptionId";

/// Severities of notifications/message, least first (RFC 5424).
enum class LogSeverity {
  kDebug,
  kInfo,
  kNotice,
  kWarning,
  kError,
  kCritical,
  kAlert,
  kEmergency,
};

std::string_view log_severity_name(LogSeverity severity);
std::optional<LogSeverity> parse_log_severity(std::string_view name);

/// A folder that the client works in.
struct Root {
  std::string uri;   // "file:///home/me/project"
  std::string name;  // for people; may be empty
};

/// What a session knows: nothing before `initialize`.
struct SessionState {
  std::string revision;  // of the handshake era; empty before `initialize`
  JsonValue client_capabilities;
  LogSeverity log_level = LogSeverity::kWarning;   // until logging/setLevel says otherwise
  std::shared_ptr<const std::vector<Root>> roots;  // sent by the client; null: not yet, or never
};

/// The caller's data that a handler may use.
struct RequestContext {
  Era era = Era::kHandshake;
  std::string revision;                            // empty: handshake era before `initialize`
  JsonValue client_capabilities;                   // object or absent
  std::string progress_token;                      // JSON text; empty: no progress is wanted
  std::optional<LogSeverity> log_level;            // least severity to send; none: send nothing
  std::shared_ptr<const std::vector<Root>> roots;  // of the handshake era; may be null
};

/// The revision to answer an `initialize` for `requested` with: itself if known, else our newest.
std::string_view negotiate_revision(std::string_view requested);

/// Reads the context of a request with `params` that came in a session of `state`.
///
/// `_meta` with a protocol version makes a request stateless, and then `state` is not looked at.
/// Errors: kInvalidParams for a malformed `_meta`; kUnsupportedProtocolVersion, with the revisions
/// that are, for an unknown version.
std::variant<RequestContext, RpcError> read_request_context(const JsonValue& params,
                                                            const SessionState& state);

}  // namespace codexmem::mcp
