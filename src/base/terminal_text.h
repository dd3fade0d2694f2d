// base/terminal_text.h - makes text from others safe to show on a terminal. Pure and thread-safe.
//
// Characters that control a terminal, change the display order or are invisible are replaced:
// control characters (U+0000-U+001F except tabs, U+007F-U+009F); marks, embeddings, overrides and
// isolates of direction; separators of lines and paragraphs; invisible operators and spaces; tags;
// and bytes that are not UTF-8. Joiners (U+200C, U+200D), which scripts and emoji need, stay.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// `text` with U+FFFD for each such character. Line breaks stay; "\r
/// " counts as one.
std::string terminal_text(std::string_view text);

/// The same, with U+FFFD for line breaks as well.
std::string terminal_line(std::string_view text);

/// `json` with an escape (\u009b) for each such character. These occur only in strings, so the
/// value is the same. Line breaks stay.
std::string terminal_json(std::string_view json);

}  // namespace codexmem
