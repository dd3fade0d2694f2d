// base/terminal_text.h - text that others have written, for a terminal. Pure and thread-safe.
//
// What steers a terminal, changes the order of what it shows or cannot be seen is replaced: control
// characters (U+0000-U+001F but tabs, U+007F-U+009F), marks, embeddings, overrides and isolates of
// direction, separators of lines and paragraphs, invisible operators and spaces, tags, and bytes
// that are not UTF-8. Joiners (U+200C, U+200D), which scripts and emoji need, stay.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// `text` with U+FFFD for each such character; line breaks stay, "\r\n" is one.
std::string terminal_text(std::string_view text);

/// The same on one line: U+FFFD for line breaks too.
std::string terminal_line(std::string_view text);

/// `json`, where only strings have such characters, with an escape (\u009b) for each: the same
/// value. Line breaks stay.
std::string terminal_json(std::string_view json);

}  // namespace codexmem
