// Tested by text/json_text_test.cpp.
#include "text/json_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "text/json.h"
#include "base/text.h"

namespace codexmem {
namespace {

// The code unit of an escape such as \ud83d at json[at]; 0 if it is not one.
unsigned code_unit(std::string_view json, std::size_t at) {
  unsigned unit = 0;
  if (at + 6 > json.size() || json[at] != '\\' || json[at + 1] != 'u') return 0;
  const char* const end = json.data() + at + 6;
  const auto [last, error] = std::from_chars(json.data() + at + 2, end, unit, 16);
  return error == std::errc() && last == end ? unit : 0;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

// The place of the first bracket outside of strings for which `is_it(place, opens)` is true; the
// text's size if not found.
template <typename Visit>
std::size_t find_bracket(std::string_view json, Visit is_it) {
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (is_it(at, true)) return at;
    } else if (c == '}' || c == ']') {
      if (is_it(at, false)) return at;
    }
  }
  return json.size();
}

// The name among `names` that equals the string literal `literal`.
std::optional<std::string_view> find_name(std::string_view literal,
                                          std::span<const std::string_view> names) {
  const bool is_plain = literal.find('\\') == std::string_view::npos;
  const std::string decoded = is_plain ? std::string(literal.substr(1, literal.size() - 2))
                                       : Json::parse(literal).get<std::string>();
  const auto found = std::find(names.begin(), names.end(), decoded);
  return found == names.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

bool is_too_deep(std::string_view json, int max_depth) {
  int depth = 0;
  return find_bracket(json, [&](std::size_t, bool opens) {
           depth += opens ? 1 : -1;
           return depth > max_depth;
         }) < json.size();
}

std::string flatten_json(std::string_view json, int max_depth) {
  std::string out;
  int depth = 0;
  std::size_t kept_to = 0, begin = 0;  // end of the copied part; begin of a value that is too deep
  find_bracket(json, [&](std::size_t at, bool opens) {
    if (opens && ++depth == max_depth + 1) begin = at;
    if (!opens && depth-- == max_depth + 1) {
      out += json.substr(kept_to, begin - kept_to);
      out += dump_json(Json(json.substr(begin, at + 1 - begin)));
      kept_to = at + 1;
    }
    return false;
  });
  if (depth > max_depth) {  // it is not closed, so this is not JSON
    out += json.substr(kept_to, begin - kept_to);
    return out + dump_json(Json(json.substr(begin)));
  }
  out += json.substr(kept_to);
  return out;
}

std::optional<std::map<std::string_view, std::string_view>> find_json_members(
    std::string_view json, std::span<const std::string_view> names) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t open = json.find_first_not_of(kSpace);
  // The library takes a zero byte after a value for the end of the text.
  if (open == std::string_view::npos || json[open] != '{' ||
      json.find('\0') != std::string_view::npos || !Json::accept(json)) {
    return std::nullopt;
  }
  std::map<std::string_view, std::string_view> members;
  std::string_view name;
  std::size_t begin = open + 1;  // of the name or value being read
  const auto take = [&](std::size_t end) {
    const std::string_view text = trim(json.substr(begin, end - begin));
    begin = end + 1;
    return text;
  };
  int depth = 0;
  for (std::size_t at = open; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') {
      for (++at; json[at] != '"'; ++at) at += json[at] == '\\' ? 1 : 0;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == ':' && depth == 1) {
      name = take(at);
    } else if (c == '}' || c == ']' || (c == ',' && depth == 1)) {
      const bool ends = depth == 1;
      if (c != ',') --depth;
      if (!ends || name.empty()) continue;
      const std::string_view value = take(at);
      if (const auto wanted = find_name(std::exchange(name, {}), names)) members[*wanted] = value;
    }
  }
  return members;
}

std::string repair_json(std::string_view json) {
  std::string repaired = repair_utf8(json);
  constexpr std::string_view kReplacement = "\\ufffd";
  for (std::size_t at = repaired.find('\\'); at != std::string::npos;
       at = repaired.find('\\', at)) {
    const unsigned unit = code_unit(repaired, at);
    if (is_high(unit) && is_low(code_unit(repaired, at + 6))) {
      at += 12;
    } else if (is_high(unit) || is_low(unit)) {
      repaired.replace(at, kReplacement.size(), kReplacement);
      at += kReplacement.size();
    } else {
      at += 2;  // any other escape, including a backslash's
    }
  }
  return repaired;
}

}  // namespace codexmem
