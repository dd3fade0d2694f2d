// Tested by base/json_text_test.cpp.
#include "base/json_text.h"

#include <charconv>
#include <cstddef>

#include "base/json.h"
#include "base/text.h"

namespace codexmem {
namespace {

// The code unit of an escape such as \ud83d at json[at]; 0 when there is none.
unsigned code_unit(std::string_view json, std::size_t at) {
  unsigned unit = 0;
  if (at + 6 > json.size() || json[at] != '\\' || json[at + 1] != 'u') return 0;
  const char* const end = json.data() + at + 6;
  const auto [last, error] = std::from_chars(json.data() + at + 2, end, unit, 16);
  return error == std::errc() && last == end ? unit : 0;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Where the first bracket outside of strings stands that `is_it(place, opens)` is true for; the
// text's size when there is none.
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
  std::size_t kept_to = 0, begin = 0;  // what is written; where a value that is too deep begins
  find_bracket(json, [&](std::size_t at, bool opens) {
    if (opens && ++depth == max_depth + 1) begin = at;
    if (!opens && depth-- == max_depth + 1) {
      out += json.substr(kept_to, begin - kept_to);
      out += dump_json(Json(json.substr(begin, at + 1 - begin)));
      kept_to = at + 1;
    }
    return false;
  });
  if (depth > max_depth) {  // it does not end, so this is no JSON
    out += json.substr(kept_to, begin - kept_to);
    return out + dump_json(Json(json.substr(begin)));
  }
  out += json.substr(kept_to);
  return out;
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
      at += 2;  // any other escape, that of a backslash too
    }
  }
  return repaired;
}

}  // namespace codexmem
