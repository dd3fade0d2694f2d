// app/help/help_text.h - help in lines of at most 80 columns, whatever the terminal. Pure.
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

/// Rewraps the paragraphs of `text`. A line that begins with a space is kept: it is an example,
/// followed after two or more spaces by its explanation. If the line is too long, the explanation
/// is moved to the next line.
std::string fitted(std::string_view text, std::size_t width = kHelpWidth);

}  // namespace codexmem::app
