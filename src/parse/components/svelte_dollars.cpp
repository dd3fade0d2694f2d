// Tested by parse/component_script_test.cpp.
#include "parse/components/svelte_dollars.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "parse/components/component_text.h"

namespace codexmem::parse {
namespace {

// Names that begin with a dollar but are not stores when called or used with a member.
constexpr std::array<std::string_view, 7> kRunes = {"$state",    "$derived", "$effect", "$props",
                                                    "$bindable", "$inspect", "$host"};

// The runes among them that return the value passed to them.
constexpr std::array<std::string_view, 3> kHoldingRunes = {"$state", "$derived", "$bindable"};

}  // namespace

SvelteDollars::SvelteDollars(std::string_view text)
    : text_(text), type_end_(text, ">;\n"), bracket_(text, "(") {}

void SvelteDollars::blank(std::string& out, std::size_t begin, std::size_t end) {
  const std::string_view head = std::string_view(out).substr(0, end);
  for (std::size_t at = head.find('$', begin); at < end; at = head.find('$', at + 1)) {
    // It is part of a longer name, a member, or a path in a string.
    constexpr std::string_view kNone = ".'\"`/";
    const char before = at > 0 ? text_[at - 1] : ' ';
    const bool is_spread = at > 2 && text_.substr(at - 3, 3) == "...";
    if (!is_spread &&
        (is_identifier_char(before) || kNone.find(before) != std::string_view::npos)) {
      continue;
    }
    std::size_t behind = at + 1;
    while (behind < end && is_identifier_char(text_[behind])) ++behind;
    if (behind == at + 1 || !(is_letter(text_[at + 1]) || text_[at + 1] == '_')) continue;
    const char next = behind < end ? text_[behind] : ' ';
    const bool is_asked = next == '(' || next == '.' || next == '<';
    const std::string_view name = text_.substr(at, behind - at);
    if (!is_asked || std::ranges::find(kRunes, name) == kRunes.end()) {
      out[at] = ' ';
    } else if (std::ranges::find(kHoldingRunes, name) != kHoldingRunes.end()) {
      open_rune(out, at, behind);
    }
  }
}

void SvelteDollars::open_rune(std::string& out, std::size_t at, std::size_t behind) {
  constexpr std::string_view kRaw = ".raw";
  if (text_.substr(behind, kRaw.size()) == kRaw) behind += kRaw.size();
  std::size_t open = behind;
  if (at_or_blank(behind) == '<') {
    open = bracket_.from(behind);
    if (type_end_.from(behind) > open) return;
  }
  if (at_or_blank(open) != '(') return;
  const std::size_t first = skip_spaces(text_, open + 1);
  if (first < text_.size() && text_[first] != ')') {
    out.replace(at, behind - at, behind - at, ' ');
  }
}

}  // namespace codexmem::parse
