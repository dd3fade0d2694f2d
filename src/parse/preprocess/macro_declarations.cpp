// Tested by parse/macros_test.cpp.
#include "parse/preprocess/macro_declarations.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "parse/preprocess/macro_words.h"

namespace codexmem::parse {
namespace {

constexpr std::size_t kMaxDeclarationBytes = 200;
constexpr std::size_t kMaxMacroValueBytes = 4'000;
// Words that form no type and name.
constexpr std::array<std::string_view, 2> kOperators = {"sizeof", "alignof"};

// The offset of the `,` after `const std::map<a, b>& name` or `auto [a, b]`; nothing if `at` begins
// something else.
std::optional<std::size_t> end_of_declaration(std::string_view text, std::size_t at) {
  const std::size_t limit = std::min(text.size(), at + kMaxDeclarationBytes);
  std::size_t words = 0;
  bool has_type = false;  // enough for one
  bool is_named = false;  // the last token may be the name
  int angles = 0;
  for (std::size_t i = at; i < limit; ++i) {
    const char c = text[i];
    if (is_space(c)) continue;
    if (is_word_char(c)) {
      const std::size_t begin = i;
      while (i < limit && is_word_char(text[i])) ++i;
      const std::string_view word = text.substr(begin, i-- - begin);
      if (is_digit(word.front()) && angles == 0) return std::nullopt;
      if (is_one_of(word, kStatementWords) || is_one_of(word, kOperators)) return std::nullopt;
      if (angles > 0) continue;
      const bool says_little = is_one_of(word, kQualifiers) || is_one_of(word, kTags);
      has_type = has_type || words > 0;
      is_named = has_type && !says_little && !is_one_of(word, kTypeWords);
      if (!says_little) ++words;
      continue;
    }
    if (c == '<') {
      if (words == 0) return std::nullopt;
      ++angles;
    } else if (c == '>') {
      if (--angles < 0) return std::nullopt;
    } else if (c == ',') {
      if (angles > 0) continue;
      if (is_named) return i;
      return std::nullopt;
    } else if (c == ':') {
      if (text.substr(i, 2) != "::") return std::nullopt;
      ++i;
      if (angles == 0 && words > 0) --words;  // of the same qualified name
    } else if (c == '[' && words > 0 && angles == 0) {
      while (i < limit && text[i] != ']') {
        if (text[i] == '(' || text[i] == '"') return std::nullopt;
        ++i;
      }
      is_named = true;
    } else if (c != '*' && c != '&') {
      return std::nullopt;
    } else {
      const bool is_between = is_space(text[i - 1]) && i + 1 < limit && is_space(text[i + 1]);
      if (is_between) return std::nullopt;  // a * b
      is_named = false;
    }
  }
  return std::nullopt;
}

// The offset after the quoted text that begins at `at`.
std::size_t skip_quoted(std::string_view text, std::size_t at, std::size_t limit) {
  const char quote = text[at];
  for (++at; at < limit && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

std::optional<DeclaringCall> read_declaring_call(std::string_view text, std::size_t open) {
  const auto comma = end_of_declaration(text, open + 1);
  if (!comma) return std::nullopt;
  DeclaringCall call;
  call.comma = *comma;
  const std::size_t limit = std::min(text.size(), open + kMaxMacroValueBytes);
  int depth = 0;
  for (std::size_t i = *comma + 1; i < limit;) {
    const char c = text[i];
    if (c == '"' || (c == '\'' && !is_word_char(text[i - 1]))) {
      i = skip_quoted(text, i, limit);
      continue;
    }
    if (c == '/' && (text.substr(i, 2) == "//" || text.substr(i, 2) == "/*")) {
      i = behind_blanks(text, i);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ',' && depth == 0 && call.end == 0) call.end = i;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) {
      if (c != ')') return std::nullopt;
      call.close = i;
      if (call.end == 0) call.end = i;
      const std::size_t next = behind_blanks(text, i + 1);
      if (next < text.size() && text[next] == ';') return call;
      return std::nullopt;
    }
    if (c == ';' && depth == 0) return std::nullopt;
    ++i;
  }
  return std::nullopt;
}

std::optional<MacroArguments> read_macro_arguments(std::string_view text, std::size_t open) {
  MacroArguments read;
  const std::size_t limit = std::min(text.size(), open + kMaxArgumentBytes);
  int depth = 0;
  for (std::size_t i = open; i < limit; ++i) {
    const char c = text[i];
    if (c == '{' || c == ';') return std::nullopt;
    const bool is_of_value = c == '"' || c == '\'' || c == ',' || is_digit(c);
    if (is_of_value) read.may_be_type = false;
    if (c == '"') {
      for (++i; i < limit && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      read.close = i;
      return read;
    }
  }
  return std::nullopt;
}

bool makes_value(std::string_view text, std::size_t at) {
  const std::size_t limit = std::min(text.size(), at + kMaxArgumentBytes);
  int angles = 0;
  for (; at < limit; ++at) {
    const char c = text[at];
    if (c == '<') ++angles;
    if (c == '>' && --angles < 0) return false;
    if (angles > 0 || c == '>' || c == ':' || is_word_char(c) || is_space(c)) continue;
    return c == '{';
  }
  return false;
}

std::optional<std::size_t> end_of_attribute(std::string_view text, std::size_t open) {
  const auto read = read_macro_arguments(text, open);
  if (!read) return std::nullopt;
  const std::string_view arguments = text.substr(open + 1, read->close - open - 1);
  // Parameters: nothing, a built-in type, `Type name`, `Type&`.
  if (behind_blanks(arguments, 0) == arguments.size()) return std::nullopt;
  bool is_behind_word = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const char c = arguments[i];
    if (is_space(c)) continue;
    if (!is_word_char(c)) {
      const std::size_t next = behind_blanks(arguments, i + 1);
      const bool is_last = next == arguments.size() || arguments[next] == ',';
      if ((c == '*' || c == '&') && is_last) return std::nullopt;
      is_behind_word = false;
      continue;
    }
    const std::size_t begin = i;
    while (i < arguments.size() && is_word_char(arguments[i])) ++i;
    const std::string_view word = arguments.substr(begin, i-- - begin);
    const bool is_type = is_one_of(word, kTypeWords) || is_one_of(word, kQualifiers);
    if (is_behind_word || is_type) return std::nullopt;
    is_behind_word = true;
  }
  const std::size_t next = behind_blanks(text, read->close + 1);
  if (next == text.size()) return std::nullopt;
  constexpr std::string_view kBehind = ";={,:[";
  const bool fits = is_word_char(text[next]) || kBehind.find(text[next]) != std::string_view::npos;
  return fits ? std::optional(read->close) : std::nullopt;
}

}  // namespace codexmem::parse
