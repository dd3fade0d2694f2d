// Tested by privacy/private_text_test.cpp and privacy/policy_test.cpp.
#include "privacy/json_strings.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "text/json.h"

namespace codexmem::privacy {
namespace {

// The code unit of an escape such as \ud83d that `text` begins with; nothing when it does not.
std::optional<unsigned> code_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  unsigned unit = 0;
  const char* const end = text.data() + 6;
  const auto [last, error] = std::from_chars(text.data() + 2, end, unit, 16);
  return error == std::errc() && last == end ? std::optional(unit) : std::nullopt;
}

// Appends the characters of the escape that `text` begins with, and returns its length.
std::size_t append_escape(std::string_view text, std::string* value) {
  constexpr unsigned kReplacement = 0xFFFD;
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  if (const auto unit = code_unit(text)) {
    if (*unit < 0xD800 || *unit > 0xDFFF) {
      append_utf8(*unit, value);
      return 6;
    }
    const auto low = *unit < 0xDC00 ? code_unit(text.substr(6)) : std::nullopt;
    if (!low || *low < 0xDC00 || *low > 0xDFFF) {
      append_utf8(kReplacement, value);
      return 6;
    }
    append_utf8(0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00), value);
    return 12;
  }
  const std::size_t name = text.size() < 2 ? std::string_view::npos : kNames.find(text[1]);
  if (name == std::string_view::npos) {
    append_utf8(kReplacement, value);
    return 1;
  }
  *value += kMeant[name];
  return 2;
}

}  // namespace

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
  if (literal.starts_with('"')) literal.remove_prefix(1);
  if (literal.ends_with('"')) literal.remove_suffix(1);
  std::string value;
  value.reserve(literal.size());
  for (std::size_t at = 0; at < literal.size();) {
    const std::size_t slash = std::min(literal.find('\\', at), literal.size());
    value += literal.substr(at, slash - at);
    at = slash;
    if (at < literal.size()) at += append_escape(literal.substr(at), &value);
  }
  return value;
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
