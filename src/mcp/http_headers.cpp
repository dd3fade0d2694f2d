// Tested by mcp/http_endpoint_test.cpp.
#include "mcp/http_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/base64.h"
#include "text/json.h"
#include "base/text.h"
#include "mcp/protocol.h"

namespace codexmem::mcp {
namespace {

constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";

void find_mirrored(const Json& schema, std::vector<std::string>& path,
                   std::vector<MirroredArgument>& found) {
  const auto properties = schema.find("properties");
  if (properties == schema.end() || !properties->is_object()) return;
  for (const auto& [name, property] : properties->items()) {
    if (!property.is_object()) continue;
    path.push_back(name);
    const auto header = property.find("x-mcp-header");
    if (header != property.end() && header->is_string()) {
      found.push_back({"Mcp-Param-" + header->get<std::string>(), path});
    }
    find_mirrored(property, path, found);
    path.pop_back();
  }
}

// Whether the decoded header says the same as the body.
bool is_same(const std::string& header, const JsonValue& body) {
  if (const auto text = body.string()) return header == *text;
  if (const auto flag = body.boolean()) return header == (*flag ? "true" : "false");
  const auto number = body.number();
  if (!number) return false;
  double decoded = 0;
  const char* const end = header.data() + header.size();
  const auto [read_to, error] = std::from_chars(header.data(), end, decoded);
  return error == std::errc() && read_to == end && decoded == *number;
}

std::string shown(std::string_view text) { return std::string(utf8_prefix(text, 100)); }

std::optional<std::string> compare(const net::ServedRequest& request, const std::string& name,
                                   const JsonValue& body) {
  const auto header = request.header(name);
  const bool in_body = !body.is_absent() && !body.is_null();
  if (!header) {
    if (!in_body) return std::nullopt;
    return fmt::format("the header {} is missing", name);
  }
  const auto decoded = decode_header(*header);
  if (!decoded) return fmt::format("the header {} has characters that it may not have", name);
  if (!in_body) return fmt::format("the header {} has no counterpart in the body", name);
  if (is_same(*decoded, body)) return std::nullopt;
  return fmt::format("{} is '{}', the body has '{}'", name, shown(*decoded),
                     shown(body.string().value_or(body.dump())));
}

// The member of the params that Mcp-Name repeats; empty if the method has no name.
std::string_view named_member(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  return method == "resources/read" ? "uri" : "";
}

}  // namespace

MirroredArguments find_mirrored_arguments(const ToolTable& tools) {
  MirroredArguments mirrored;
  for (const std::string& name : tools.names()) {
    const Json schema = Json::parse(tools.find(name)->input_schema, nullptr, false);
    if (!schema.is_object()) continue;
    std::vector<std::string> path;
    std::vector<MirroredArgument> found;
    find_mirrored(schema, path, found);
    if (!found.empty()) mirrored[name] = std::move(found);
  }
  return mirrored;
}

std::optional<std::string> decode_header(std::string_view value) {
  const bool is_plain = std::all_of(value.begin(), value.end(),
                                    [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
  if (!is_plain) return std::nullopt;
  if (value.size() < kEncodedBegin.size() + kEncodedEnd.size() ||
      !value.starts_with(kEncodedBegin) || !value.ends_with(kEncodedEnd)) {
    return std::string(value);
  }
  value.remove_prefix(kEncodedBegin.size());
  value.remove_suffix(kEncodedEnd.size());
  return decode_base64(value, Base64::kStrict);
}

std::optional<std::string> find_header_mismatch(const net::ServedRequest& request,
                                                const Message& message,
                                                const MirroredArguments& mirrored) {
  const JsonValue version = message.params.member("_meta").member(kMetaProtocolVersion);
  if (auto wrong = compare(request, "MCP-Protocol-Version", version)) return wrong;
  const auto method = request.header("Mcp-Method");
  if (!method) return "the header Mcp-Method is missing";
  if (*method != message.method) {
    return fmt::format("Mcp-Method is '{}', the body has '{}'", shown(*method),
                       shown(message.method));
  }
  const std::string_view named = named_member(message.method);
  if (named.empty()) return std::nullopt;
  const JsonValue name = message.params.member(named);
  if (!name.is_string()) return std::nullopt;  // refused for that
  if (auto wrong = compare(request, "Mcp-Name", name)) return wrong;
  if (message.method != "tools/call") return std::nullopt;
  const auto tool = mirrored.find(*name.string());
  if (tool == mirrored.end()) return std::nullopt;
  for (const MirroredArgument& argument : tool->second) {
    JsonValue value = message.params.member("arguments");
    for (const std::string& member : argument.path) value = value.member(member);
    if (auto wrong = compare(request, argument.header, value)) return wrong;
  }
  return std::nullopt;
}

}  // namespace codexmem::mcp
