// lsp/positions.h - places in texts as the language server protocol counts them.
//
// Lines are counted from 0, and characters of a line in the units that client and server have
// agreed on. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "text/json_object.h"
#include "text/json_value.h"
#include "text/line_index.h"
#include "text/ranges.h"

namespace codexmem::lsp {

/// What characters of a line are counted in.
enum class Encoding : std::uint8_t { kUtf8, kUtf16, kUtf32 };

/// "utf-8", "utf-16", "utf-32".
std::string_view encoding_name(Encoding encoding);
std::optional<Encoding> parse_encoding(std::string_view name);

struct Place {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
};

/// The units of `text`.
std::uint32_t units_of(std::string_view text, Encoding encoding);

/// The place of byte `offset` of `text`, of which `lines` are.
Place place_of(std::string_view text, const LineIndex& lines, std::uint32_t offset,
               Encoding encoding);

/// The byte offset of `place`. Behind the end of a line is its end, behind the last line the end of
/// the text, and inside a character its begin.
std::uint32_t offset_of(std::string_view text, const LineIndex& lines, Place place,
                        Encoding encoding);

/// A position of the protocol; nothing for any other `value`.
std::optional<Place> read_place(const JsonValue& value);

JsonText place_json(Place place);
JsonText range_json(Place begin, Place end);

}  // namespace codexmem::lsp
