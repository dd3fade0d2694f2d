// Tested by golden_test.cpp.
#include "parse/components/template_tags.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace codexmem::parse {
namespace {

struct TagMarks {
  std::string_view open;
  std::string_view close;
};

constexpr std::array<TagMarks, 4> kTemplateTags = {
    {{"<%", "%>"}, {"{{", "}}"}, {"{%", "%}"}, {"<?", "?>"}}};

// The character that replaces a tag: for a value, one that keeps the surrounding text from becoming
// a name (class="row-{{ kind }}"); for a condition, one that separates names.
char filling_of(std::string_view open, char next) {
  if (open == "{%") return ' ';
  if (open == "<%") return next == '=' || next == '-' ? '*' : ' ';
  if (open == "{{")
    return std::string_view("#/^!>").find(next) != std::string_view::npos ? ' ' : '*';
  return '*';
}

}  // namespace

std::optional<BlankedText> blank_template_tags(std::string_view text) {
  std::optional<BlankedText> made;
  // If one is not closed, no later one is.
  std::array<bool, kTemplateTags.size()> is_open = {};
  for (std::size_t at = text.find_first_of("<{"); at != std::string_view::npos;
       at = text.find_first_of("<{", at + 1)) {
    for (std::size_t i = 0; i < kTemplateTags.size(); ++i) {
      if (is_open[i] || !text.substr(at).starts_with(kTemplateTags[i].open)) continue;
      const std::size_t close =
          text.find(kTemplateTags[i].close, at + kTemplateTags[i].open.size());
      is_open[i] = close == std::string_view::npos;
      if (is_open[i]) continue;
      if (!made) made = BlankedText{std::string(text), {}};
      const std::size_t end = close + kTemplateTags[i].close.size();
      const char filling =
          filling_of(kTemplateTags[i].open, text[at + kTemplateTags[i].open.size()]);
      const auto begin = made->text.begin();
      std::replace_if(
          begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end),
          [](char c) { return c != '\n' && c != '\r'; }, filling);
      at = end - 1;
      break;
    }
  }
  return made;
}

}  // namespace codexmem::parse
