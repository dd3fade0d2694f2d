// Tested by lsp/positions_test.cpp.
#include "lsp/positions.h"

#include <algorithm>
#include <array>

namespace codexmem::lsp {
namespace {

constexpr std::array<std::string_view, 3> kEncodingNames = {"utf-8", "utf-16", "utf-32"};

// The bytes of the character that begins with `first`; 1 for a byte that begins none.
std::size_t bytes_of(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

std::uint32_t units_of_character(std::size_t bytes, Encoding encoding) {
  if (encoding == Encoding::kUtf8) return static_cast<std::uint32_t>(bytes);
  return encoding == Encoding::kUtf16 && bytes == 4 ? 2 : 1;
}

bool ends_with_break(std::string_view text) { return text.ends_with('\n') || text.ends_with('\r'); }

}  // namespace

std::string_view encoding_name(Encoding encoding) {
  return kEncodingNames.at(static_cast<std::size_t>(encoding));
}

std::optional<Encoding> parse_encoding(std::string_view name) {
  const auto* const found = std::ranges::find(kEncodingNames, name);
  if (found == kEncodingNames.end()) return std::nullopt;
  return static_cast<Encoding>(found - kEncodingNames.begin());
}

std::uint32_t units_of(std::string_view text, Encoding encoding) {
  std::uint32_t units = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = std::min(bytes_of(text[at]), text.size() - at);
    units += units_of_character(bytes, encoding);
    at += bytes;
  }
  return units;
}

Place place_of(std::string_view text, const LineIndex& lines, std::uint32_t offset,
               Encoding encoding) {
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  if (offset == text.size() && ends_with_break(text)) return {lines.line_count(), 0};
  const std::uint32_t line = lines.line_of(offset);
  const std::uint32_t begin = lines.line_begin(line);
  return {line - 1, units_of(text.substr(begin, offset - begin), encoding)};
}

std::uint32_t offset_of(std::string_view text, const LineIndex& lines, Place place,
                        Encoding encoding) {
  if (place.line >= lines.line_count()) return static_cast<std::uint32_t>(text.size());
  const std::string_view line = lines.line_text(place.line + 1);
  std::size_t at = 0;
  std::uint32_t units = 0;
  while (at < line.size()) {
    const std::size_t bytes = std::min(bytes_of(line[at]), line.size() - at);
    units += units_of_character(bytes, encoding);
    if (units > place.character) break;
    at += bytes;
  }
  return lines.line_begin(place.line + 1) + static_cast<std::uint32_t>(at);
}

std::optional<Place> read_place(const JsonValue& value) {
  const auto line = value.member("line").integer();
  const auto character = value.member("character").integer();
  if (!line || !character || *line < 0 || *character < 0) return std::nullopt;
  constexpr std::int64_t kMost = UINT32_MAX - 1;
  return Place{static_cast<std::uint32_t>(std::min(*line, kMost)),
               static_cast<std::uint32_t>(std::min(*character, kMost))};
}

JsonText place_json(Place place) {
  return json_object("line", place.line, "character", place.character);
}

JsonText range_json(Place begin, Place end) {
  return json_object("start", place_json(begin), "end", place_json(end));
}

}  // namespace codexmem::lsp
