// Tested by privacy/private_text_test.cpp and privacy/policy_test.cpp.
#include "privacy/json_strings.h"

#include "base/json.h"

namespace codexmem::privacy {

std::optional<std::vector<JsonString>> find_json_strings(std::string_view json) {
  if (!Json::accept(json)) return std::nullopt;
  std::vector<JsonString> strings;
  // It is JSON, so a quote outside of a string opens one.
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '"') continue;
    const std::size_t begin = i++;
    while (i < json.size() && json[i] != '"') i += json[i] == '\\' ? 2 : 1;
    strings.push_back({begin, i + 1});
  }
  return strings;
}

std::string json_string_value(std::string_view literal) {
  const Json value = Json::parse(literal, nullptr, false);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string json_string_literal(std::string_view value) { return dump_json(Json(value)); }

std::optional<std::string> map_json_strings(
    std::string_view json, const std::function<std::string(std::string_view)>& change) {
  const auto strings = find_json_strings(json);
  if (!strings) return std::nullopt;
  std::string out;
  out.reserve(json.size());
  std::size_t at = 0;
  for (const JsonString& string : *strings) {
    const std::string_view literal = json.substr(string.begin, string.end - string.begin);
    const std::string value = json_string_value(literal);
    const std::string changed = change(value);
    if (changed == value) continue;
    out += json.substr(at, string.begin - at);
    out += json_string_literal(changed);
    at = string.end;
  }
  out += json.substr(at);
  return out;
}

}  // namespace codexmem::privacy
