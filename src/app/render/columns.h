// app/render/columns.h - how wide texts are on a terminal, and texts cut and wrapped by that.
//
// Han, kana, hangul, fullwidth forms and emoji take two columns, combining marks none, whatever
// the locale. Pure; thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::app {

/// The columns that a line of UTF-8 takes; each invalid byte takes one.
std::size_t column_count(std::string_view text);

/// `text` on one line of at most `width` columns. Longer text is cut and ends with "…". A path of
/// headings ("a > b > c") is cut in the middle, because its end distinguishes it from its
/// neighbours.
std::string cut(std::string_view text, std::size_t width);

/// `line`, a line of code that begins in column `start`, cut at `width` columns of the screen; a
/// cut line ends with "…". Its blanks stay; tabs become spaces where it is cut.
std::string cut_code(std::string_view line, std::size_t start, std::size_t width);

/// cut(), filled with spaces to `width` columns.
std::string padded(std::string_view text, std::size_t width);

/// `text` in lines of at most `width` columns, each after `indent` spaces; line breaks are kept.
/// Lines break at spaces and between wide characters, but not before closing marks; a longer word
/// stays whole.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace codexmem::app
