#include "graph/core/code_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

bool is_blank_or_break(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

bool is_identifier_byte(char c) {
  return is_word_char(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank_or_break(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_identifier_byte(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view last_word(std::string_view text) {
  while (!text.empty() && is_blank_or_break(text.back())) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && is_identifier_byte(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool is_upper_name(std::string_view name) {
  return !name.empty() && std::ranges::none_of(name, is_lower);
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_identifier_byte(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_identifier_byte(text[end]))) return true;
  }
  return false;
}

Bracketed bracketed(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = text.find(c, i + 1);
      if (end == text.npos) break;
      i = end;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
      return {trim(text.substr(1, i - 1)), without_blanks(text.substr(i + 1))};
    }
  }
  return {text, {}};
}

bool begins_assignment(std::string_view text) {
  return text.starts_with('=') ? !text.starts_with("==")
                               : text.size() > 1 && text[1] == '=' && text[0] != '!' &&
                                     text[0] != '<' && text[0] != '>';
}

std::string_view literal(std::string_view text) {
  const bool is_quoted = text.size() > 2 && (text.front() == '"' || text.front() == '\'') &&
                         text.find(text.front(), 1) == text.size() - 1;
  return is_quoted ? text.substr(1, text.size() - 2) : std::string_view();
}

CallAround call_around(std::string_view before) {
  constexpr std::size_t kFarEnough = 2000;
  int depth = 0;
  CallAround call;
  for (std::size_t i = before.size(); i > 0 && before.size() - i < kFarEnough; --i) {
    const char c = before[i - 1];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if (c == ',' && depth == 0) ++call.arguments;
    if (c != '(' && c != '[' && c != '{') continue;
    if (depth-- > 0) continue;
    call.callee = c == '(' ? last_word(before.substr(0, i - 1)) : std::string_view();
    return call;
  }
  return {};
}

bool is_assigned_from(std::string_view before) {
  while (!before.empty() && (before.back() == ' ' || before.back() == '\t')) {
    before.remove_suffix(1);
  }
  return before.ends_with('=') && !before.ends_with("==");
}

std::pair<std::string_view, std::size_t> line_around(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return {text.substr(begin, text.find('\n', offset) - begin), offset - begin};
}

std::string_view text_at(std::string_view text, const ByteRange& range) {
  if (range.begin > range.end || range.end > text.size()) return {};
  return text.substr(range.begin, range.end - range.begin);
}

}  // namespace codexmem::graph
