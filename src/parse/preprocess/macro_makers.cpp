// Tested by golden_test (rust/macros).
#include "parse/preprocess/macro_makers.h"

#include <algorithm>

#include "base/ascii.h"
#include "parse/preprocess/item_macros.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kMaking[] = {"fn", "struct", "enum", "trait", "const", "static", "type"};

std::string_view plain_word(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(at, end - at);
}

// The place of the bracket that closes the one at `open`; the end of the text if missing.
std::size_t closed_at(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (const std::size_t next = behind_opaque(text, i); next != i) {
      i = next - 1;
      continue;
    }
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i;
  }
  return text.size();
}

// The first $name:ident of a pattern.
std::string_view first_name(std::string_view pattern) {
  for (std::size_t at = pattern.find('$'); at != std::string_view::npos;
       at = pattern.find('$', at + 1)) {
    const std::string_view name = plain_word(pattern, at + 1);
    const std::size_t sign = skip_space(pattern, at + 1 + name.size());
    if (name.empty() || sign >= pattern.size() || pattern[sign] != ':') continue;
    if (plain_word(pattern, skip_space(pattern, sign + 1)) == "ident") return name;
  }
  return {};
}

}  // namespace

MacroMakers::MacroMakers(std::string_view text) {
  constexpr std::string_view kRules = "macro_rules!";
  for (std::size_t at = text.find(kRules); at != std::string_view::npos;
       at = text.find(kRules, at + 1)) {
    const std::size_t begin = skip_space(text, at + kRules.size());
    const std::string_view name = plain_word(text, begin);
    const std::size_t open = skip_space(text, begin + name.size());
    if (name.empty() || open >= text.size() || (text[open] != '{' && text[open] != '(')) continue;
    const std::size_t end = closed_at(text, open);
    read_rules(text, name, open + 1, end);
    if (end == text.size()) break;
  }
}

void MacroMakers::read_rules(std::string_view text, std::string_view name, std::size_t at,
                             std::size_t end) {
  for (;;) {
    for (at = skip_space(text, at); at < end;) {
      const std::size_t next = behind_opaque(text, at);
      if (next == at && text[at] != ';') break;
      at = skip_space(text, next == at ? at + 1 : next);
    }
    if (at >= end || (text[at] != '(' && text[at] != '[' && text[at] != '{')) return;
    const std::size_t pattern_end = closed_at(text, at);
    const std::string_view made = first_name(text.substr(at, pattern_end - at));
    const std::size_t arrow = skip_space(text, std::min(pattern_end + 1, text.size()));
    if (!text.substr(arrow).starts_with("=>")) return;
    const std::size_t body = skip_space(text, arrow + 2);
    if (body >= end) return;
    const std::size_t body_end = std::min(closed_at(text, body), end);
    const std::string_view given = text.substr(body, body_end - body);
    for (std::size_t sign = given.find('$'); !made.empty() && sign != std::string_view::npos;
         sign = given.find('$', sign + 1)) {
      if (plain_word(given, sign + 1) != made) continue;
      std::size_t word_end = sign;
      while (word_end > 0 && is_space(given[word_end - 1])) --word_end;
      std::size_t word_begin = word_end;
      while (word_begin > 0 && is_word_char(given[word_begin - 1])) --word_begin;
      const std::string_view word = given.substr(word_begin, word_end - word_begin);
      if (std::ranges::find(kMaking, word) == std::end(kMaking)) continue;
      makes_.emplace_back(name, word);
    }
    at = body_end + 1;
  }
}

bool MacroMakers::makes(std::string_view name, std::span<const std::string> words) const {
  return std::ranges::any_of(makes_, [&](const auto& entry) {
    return entry.first == name && std::ranges::find(words, entry.second) != words.end();
  });
}

}  // namespace codexmem::parse
