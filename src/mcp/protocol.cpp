#include "mcp/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "text/json_object.h"

namespace codexmem::mcp {

namespace {

constexpr std::array<std::string_view, 8> kSeverityNames = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

RpcError unsupported_version(const std::string& requested) {
  return {RpcCode::kUnsupportedProtocolVersion, "Unsupported protocol version",
          json_object("supported", kStatelessRevisions, "requested", requested)};
}

}  // namespace

std::string_view log_severity_name(LogSeverity severity) {
  return kSeverityNames[static_cast<std::size_t>(severity)];
}

std::optional<LogSeverity> parse_log_severity(std::string_view name) {
  const auto found = std::find(kSeverityNames.begin(), kSeverityNames.end(), name);
  if (found == kSeverityNames.end()) return std::nullopt;
  return static_cast<LogSeverity>(found - kSeverityNames.begin());
}

std::string_view negotiate_revision(std::string_view requested) {
  const auto* const found =
      std::find(kHandshakeRevisions.begin(), kHandshakeRevisions.end(), requested);
  return found != kHandshakeRevisions.end() ? *found : kHandshakeRevisions.front();
}

std::variant<RequestContext, RpcError> read_request_context(const JsonValue& params,
                                                            const SessionState& state) {
  if (params.is_array()) return invalid_params("expected an object, got an array");
  const JsonValue meta = params.member("_meta");
  if (!meta.is_absent() && !meta.is_object()) {
    return invalid_params(fmt::format("_meta must be an object, got {}", meta.type_name()));
  }
  RequestContext context;
  const JsonValue token = meta.member("progressToken");
  if (token.is_string() || token.is_number()) {
    context.progress_token = token.dump_id();
  } else if (!token.is_absent()) {
    return invalid_params(
        fmt::format("_meta.progressToken must be a string or a number, got {}", token.type_name()));
  }

  const JsonValue version = meta.member(kMetaProtocolVersion);
  if (version.is_absent()) {
    context.era = Era::kHandshake;
    context.revision = state.revision;
    context.client_capabilities = state.client_capabilities;
    context.roots = state.roots;
    if (!state.revision.empty()) context.log_level = state.log_level;
    return context;
  }

  context.era = Era::kStateless;
  if (!version.is_string()) {
    return invalid_params(fmt::format("_meta[\"{}\"] must be a string, got {}",
                                      kMetaProtocolVersion, version.type_name()));
  }
  context.revision = *version.string();
  if (std::find(kStatelessRevisions.begin(), kStatelessRevisions.end(), context.revision) ==
      kStatelessRevisions.end()) {
    return unsupported_version(context.revision);
  }
  context.client_capabilities = meta.member(kMetaClientCapabilities);
  if (!context.client_capabilities.is_object()) {
    return invalid_params(fmt::format("_meta[\"{}\"] must be an object, got {}",
                                      kMetaClientCapabilities,
                                      context.client_capabilities.type_name()));
  }
  const JsonValue level = meta.member(kMetaLogLevel);
  if (!level.is_absent()) {
    context.log_level = parse_log_severity(level.string().value_or(""));
    if (!context.log_level) {
      return invalid_params(fmt::format("_meta[\"{}\"] must be one of {}, got {}", kMetaLogLevel,
                                        fmt::join(kSeverityNames, ", "), level.dump()));
    }
  }
  return context;
}

}  // namespace codexmem::mcp
