#include "mcp/jsonrpc.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/text.h"
#include "mcp/request_id.h"

namespace codexmem::mcp {

namespace {

Message invalid(RequestId id, RpcCode code, std::string message) {
  Message result;
  result.kind = MessageKind::kInvalid;
  result.id = std::move(id);
  result.error = {code, std::move(message), ""};
  return result;
}

Message parse_message(const JsonValue& value) {
  if (!value.is_object()) {
    return invalid({}, RpcCode::kInvalidRequest,
                   fmt::format("Invalid request: expected an object, got {}", value.type_name()));
  }
  const JsonValue id = value.member("id");
  RequestId request_id;
  if (id.is_string() || id.is_number()) request_id.json = id.dump_id();

  if (value.member("jsonrpc").string() != "2.0") {
    return invalid(request_id, RpcCode::kInvalidRequest,
                   "Invalid request: \"jsonrpc\" must be \"2.0\"");
  }
  const JsonValue method = value.member("method");
  if (method.is_absent() &&
      (!value.member("result").is_absent() || !value.member("error").is_absent())) {
    Message message;
    message.kind = MessageKind::kResponse;
    message.id = std::move(request_id);
    message.result = value.member("result");
    message.failure = value.member("error");
    return message;
  }
  if (!method.is_string()) {
    return invalid(
        request_id, RpcCode::kInvalidRequest,
        fmt::format("Invalid request: \"method\" must be a string, got {}", method.type_name()));
  }
  if (!id.is_absent() && request_id.is_null()) {
    return invalid({}, RpcCode::kInvalidRequest,
                   fmt::format("Invalid request: \"id\" must be a string or a number, got {}",
                               id.type_name()));
  }
  // Some clients write null for none.
  JsonValue params = value.member("params");
  if (params.is_null()) params = JsonValue();
  if (!params.is_absent() && !params.is_object() && !params.is_array()) {
    return invalid(request_id, RpcCode::kInvalidParams,
                   fmt::format("Invalid params: expected an object, got {}", params.type_name()));
  }
  Message message;
  message.kind = id.is_absent() ? MessageKind::kNotification : MessageKind::kRequest;
  message.id = std::move(request_id);
  message.method = *method.string();
  message.params = params;
  return message;
}

std::string params_member(std::string_view params) {
  return params.empty() ? "" : fmt::format(",\"params\":{}", params);
}

}  // namespace

RpcError internal_error(std::string_view message) {
  return {RpcCode::kInternalError, fmt::format("Internal error: {}", message), ""};
}

RpcError invalid_params(std::string message) {
  return {RpcCode::kInvalidParams, "Invalid params: " + std::move(message), ""};
}

RpcError invalid_request(std::string message) {
  return {RpcCode::kInvalidRequest, "Invalid request: " + std::move(message), ""};
}

RpcError method_not_found(std::string_view method) {
  return {RpcCode::kMethodNotFound, fmt::format("Method not found: {}", utf8_prefix(method, 100)),
          ""};
}

ParsedLine parse_line(std::string_view line, const JsonLimits& limits) {
  std::optional<std::string> duplicate;
  const Result<JsonValue> value = JsonValue::parse(line, limits, duplicate);
  ParsedLine parsed;
  if (!value.ok()) {
    parsed.messages.push_back(invalid(find_request_id(line), RpcCode::kParseError,
                                      "Parse error: " + value.error().message()));
    return parsed;
  }
  if (duplicate) {
    parsed.messages.push_back(
        invalid(find_request_id(line), RpcCode::kInvalidRequest,
                fmt::format("Invalid request: member \"{}\" is given twice", *duplicate)));
    return parsed;
  }
  if (!value->is_array()) {
    parsed.messages.push_back(parse_message(*value));
    return parsed;
  }
  if (value->size() == 0 || value->size() > kMaxBatch) {
    parsed.messages.push_back(invalid({}, RpcCode::kInvalidRequest,
                                      fmt::format("Invalid request: a batch holds 1 to {} "
                                                  "messages, got {}",
                                                  kMaxBatch, value->size())));
    return parsed;
  }
  parsed.batch = true;
  for (std::size_t i = 0; i < value->size(); ++i) {
    parsed.messages.push_back(parse_message(value->element(i)));
  }
  return parsed;
}

std::string make_result(const RequestId& id, std::string_view result) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id.json, result);
}

std::string make_error(const RequestId& id, const RpcError& error) {
  const std::string data = error.data.empty() ? "" : ",\"data\":" + error.data;
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{}{}}}}})", id.json,
                     static_cast<int>(error.code), json_quote(error.message), data);
}

std::string make_notification(std::string_view method, std::string_view params) {
  return fmt::format(R"({{"jsonrpc":"2.0","method":{}{}}})", json_quote(method),
                     params_member(params));
}

std::string make_request(const RequestId& id, std::string_view method, std::string_view params) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":{}{}}})", id.json, json_quote(method),
                     params_member(params));
}

}  // namespace codexmem::mcp
