// Tested by base/terminal_text_test.cpp.
#include "base/terminal_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/text.h"

namespace codexmem {
namespace {

constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";

struct Range {
  char32_t first, last;
};

// Source: the general categories Cc, Zl, Zp and Cf of Unicode 15, except visible characters and
// joiners.
constexpr Range kUnsafe[] = {
    {0x0000, 0x0008}, {0x000B, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x061C, 0x061C},
    {0x180E, 0x180E}, {0x200B, 0x200B}, {0x200E, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE00FF},
};

bool is_unsafe(char32_t point) {
  const Range* const found = std::ranges::lower_bound(kUnsafe, point, {}, &Range::last);
  return found != std::end(kUnsafe) && found->first <= point;
}

// The code point that well-formed `text` begins with, and its bytes.
char32_t first_point(std::string_view text, std::size_t* length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  *length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t point = lead < 0x80 ? lead : lead & (0xFFU >> (*length + 1));
  for (std::size_t i = 1; i < *length; ++i) point = point << 6 | (byte(i) & 0x3FU);
  return point;
}

// `text` with each unsafe character, and line breaks unless `keeps_lines`, replaced with the result
// of `replaced(point)`.
template <typename Replaced>
std::string filtered(std::string_view text, bool keeps_lines, Replaced replaced) {
  const std::string whole = repair_utf8(text);
  std::string out;
  out.reserve(whole.size());
  std::size_t length = 0;
  for (std::size_t at = 0; at < whole.size(); at += length) {
    const std::string_view rest = std::string_view(whole).substr(at);
    const char32_t point = first_point(rest, &length);
    if (rest.starts_with("\r\n") && keeps_lines) continue;  // the break follows
    if (is_unsafe(point) || (point == '\n' && !keeps_lines)) {
      out += replaced(point);
    } else {
      out += rest.substr(0, length);
    }
  }
  return out;
}

}  // namespace

std::string terminal_text(std::string_view text) {
  return filtered(text, true, [](char32_t) { return kReplacementText; });
}

std::string terminal_line(std::string_view text) {
  return filtered(text, false, [](char32_t) { return kReplacementText; });
}

std::string terminal_json(std::string_view json) {
  return filtered(json, true, [](char32_t point) {
    const auto unit = static_cast<unsigned>(point);
    if (unit < 0x10000) return fmt::format("\\u{:04x}", unit);
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (unit >> 10), 0xDC00 + (unit & 0x3FF));
  });
}

}  // namespace codexmem
