// Tested by hook/host_input_test.cpp.
#include "hook/host_json.h"

#include <charconv>
#include <cstddef>

#include "base/text.h"

namespace codexmem::hook {
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

}  // namespace

bool is_too_deep(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxJsonDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
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

}  // namespace codexmem::hook
