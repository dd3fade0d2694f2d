// Tested by graph/spellings_test.cpp.
#include "graph/core/spellings.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

// The same except for the case of the first letter.
bool is_alike(std::string_view a, std::string_view b) {
  return !a.empty() && a.size() == b.size() && lower(a.front()) == lower(b.front()) &&
         a.substr(1) == b.substr(1);
}

// `text` with its first letter as the first of `like`, which `was` was made like.
std::string cased(std::string_view text, std::string_view like, std::string_view was) {
  std::string made(text);
  if (like.front() == was.front() || made.empty()) return made;
  made.front() = is_upper(like.front()) ? upper(made.front()) : lower(made.front());
  return made;
}

// How many letters the first word has, when another follows it: 3 of getSize.
std::size_t first_word_bytes(std::string_view name) {
  const auto next = std::ranges::find_if(name, is_upper);
  return next == name.end() ? 0 : static_cast<std::size_t>(next - name.begin());
}

// The words of a name with `sign` between them; without one only their letters.
std::string joined(std::string_view name, std::string_view sign) {
  std::string words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_sign = name[i] == '-' || name[i] == '_';
    const bool begins = is_sign || (is_upper(name[i]) && i > 0 && !is_upper(name[i - 1]));
    if (begins && !words.empty() && !words.ends_with(sign)) words += sign;
    if (!is_sign) words += lower(name[i]);
  }
  return words;
}

}  // namespace

std::optional<std::string> derived_spelling(std::string_view spelled, std::string_view name,
                                            std::string_view new_name) {
  if (spelled.empty() || name.empty() || new_name.empty()) return std::nullopt;
  if (spelled.size() > name.size()) {
    const std::size_t more = spelled.size() - name.size();
    const std::string_view last = spelled.substr(more);
    if (is_alike(last, name)) {
      return std::string(spelled.substr(0, more)) + cased(new_name, last, name);
    }
    const std::string_view first = spelled.substr(0, name.size());
    if (is_alike(first, name)) {
      return cased(new_name, first, name) + std::string(spelled.substr(name.size()));
    }
  }
  if (name.size() > spelled.size()) {
    const std::size_t more = name.size() - spelled.size();
    const std::string_view last = name.substr(more);
    if (is_alike(last, spelled)) {
      const std::string_view prefix = name.substr(0, more);
      if (!new_name.starts_with(prefix) || new_name.size() == more) return std::nullopt;
      return cased(new_name.substr(more), spelled, last);
    }
    const std::string_view first = name.substr(0, spelled.size());
    if (is_alike(first, spelled)) {
      const std::string_view suffix = name.substr(spelled.size());
      if (!new_name.ends_with(suffix) || new_name.size() == suffix.size()) return std::nullopt;
      return cased(new_name.substr(0, new_name.size() - suffix.size()), spelled, first);
    }
  }
  const std::size_t own = first_word_bytes(name);
  const std::size_t other = first_word_bytes(spelled);
  if (own > 0 && other > 0 && name.substr(own) == spelled.substr(other)) {
    const bool has_word =
        new_name.starts_with(name.substr(0, own)) && first_word_bytes(new_name) == own;
    if (!has_word) return std::nullopt;
    return std::string(spelled.substr(0, other)) + std::string(new_name.substr(own));
  }
  if (joined(spelled, "") != joined(name, "")) return std::nullopt;
  if (spelled.find('-') != std::string_view::npos) return joined(new_name, "-");
  if (spelled.find('_') != std::string_view::npos) return joined(new_name, "_");
  return cased(new_name, spelled, name);
}

}  // namespace codexmem::graph
