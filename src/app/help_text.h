// app/help_text.h - help in lines of at most 80 columns, whatever the terminal. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace codexmem::app {

inline constexpr std::size_t kHelpWidth = 80;

struct HelpRow {
  std::string name;
  std::string text;
};

/// `rows` in two columns, each row after two spaces; a name that is too long for its column has a
/// line of its own.
std::string two_columns(std::span<const HelpRow> rows);

/// Paragraphs of `text` anew in lines that fit. A line that begins with a space stays as it is: an
/// example, and what is said of it after two spaces or more. Where that is too long it goes below.
std::string fitted(std::string_view text, std::size_t width = kHelpWidth);

}  // namespace codexmem::app
