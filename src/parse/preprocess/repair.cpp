#include "parse/preprocess/repair.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

bool is_word_char(char c) {
  return c == '_' || c == '$' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The first byte from `i` on that is not blank.
std::size_t skip_blanks(std::string_view text, std::size_t i) {
  while (i < text.size() && is_blank(text[i])) ++i;
  return i;
}

// True if `rest`, after the word `using`, continues as a declaration: a name, and then `=`, `of` or
// a type.
bool declares_name(std::string_view rest) {
  std::size_t i = skip_blanks(rest, 0);
  if (i == 0 || i == rest.size() || !is_word_char(rest[i])) return false;
  if (std::isdigit(static_cast<unsigned char>(rest[i])) != 0) return false;
  while (i < rest.size() && is_word_char(rest[i])) ++i;
  const std::string_view after = rest.substr(skip_blanks(rest, i));
  if (after.starts_with("=")) return !after.starts_with("==") && !after.starts_with("=>");
  return after.starts_with(":") ||
         (after.starts_with("of") && after.size() > 2 && !is_word_char(after[2]));
}

bool ends_type(char c) {
  return c == '>' || c == ')' || c == ']' || c == '}' || c == '_' || c == '$' || c == '\'' ||
         c == '"' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

constexpr std::string_view kWords[] = {"actual",   "expect",    "private",
                                       "internal", "protected", "public"};
constexpr std::size_t kMaxHeader = 400;  // bytes before a constructor that are read
constexpr std::size_t kMaxClassHeader = 4000;
constexpr std::size_t kMaxGuard = 1000;

// Words of Kotlin that are names unless a word that they modify follows.
constexpr std::string_view kSoftWords[] = {
    "abstract", "actual",   "annotation", "const",    "crossinline", "data",    "enum",
    "expect",   "external", "final",      "infix",    "inline",      "inner",   "internal",
    "lateinit", "noinline", "open",       "operator", "override",    "private", "protected",
    "public",   "sealed",   "suspend",    "tailrec",  "value",       "vararg",  "where"};
constexpr std::string_view kBehindNames = "=.?!),]+-*/%&|";

// The end of the string or comment that begins at `at`; otherwise `at`.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (rest.starts_with("//")) return behind("\n", at) - (text.find('\n', at) < text.size() ? 1 : 0);
  if (rest.starts_with("/*")) return behind("*/", at + 2);
  if (rest.starts_with("\"\"\"")) return behind("\"\"\"", at + 3);
  if (rest.front() != '"' && rest.front() != '\'') return at;
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[at]) {
      return i + 1;
    }
  }
  return at + 1;  // not a string, or one with a line break in a computed part
}

// True for a keyword that is a name here, judged by the text after it.
bool is_name(std::string_view word, std::string_view rest) {
  const std::size_t next = skip_blanks(rest, 0);
  if (next == rest.size()) return false;
  if (word == "get" || word == "set") {
    return next > 0 && (is_identifier_char(rest[next]) || rest[next] == '"');
  }
  return kBehindNames.find(rest[next]) != std::string_view::npos &&
         std::ranges::find(kSoftWords, word) != std::end(kSoftWords);
}

// True for the `!` in `!name`, not in `!is`, `a!!` or `a!`.
bool negates_name(std::string_view text, std::size_t at) {
  const char before = at == 0 ? '\n' : text[at - 1];
  if (before == '!' || is_identifier_char(before) || before == ')' || before == ']') return false;
  const std::string_view rest = text.substr(at + 1);
  std::size_t size = 0;
  while (size < rest.size() && is_identifier_char(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  return !word.empty() && word != "is" && word != "in";
}

// The offsets of `by` and of the body's `{` in the header of a class or object with delegation;
// `from` is after the word `class` or `object`.
std::optional<std::pair<std::size_t, std::size_t>> delegation_before_body(std::string_view text,
                                                                          std::size_t from) {
  int depth = 0;
  bool has_bases = false;
  std::optional<std::size_t> by;
  const std::size_t limit = std::min(text.size(), from + kMaxClassHeader);
  for (std::size_t i = from; i < limit; ++i) {
    if (const std::size_t end = end_of_quoted(text, i); end > i) {
      i = end - 1;
      continue;
    }
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth < 0 || c == ';' || c == '}') return std::nullopt;
    if (depth > 0) continue;
    if (c == ':') has_bases = true;
    if (c == ',') by.reset();
    if (c == '{') {
      if (!by) return std::nullopt;
      return std::pair(*by, i);
    }
    if (!is_identifier_char(c)) continue;
    std::size_t end = i;
    while (end < limit && is_identifier_char(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    // (The delegate of a property does not delegate a class.)
    for (const std::string_view other : {"class", "fun", "object", "val", "var"}) {
      if (word == other) return std::nullopt;
    }
    if (has_bases && word == "by") by = i;
    i = end - 1;
  }
  return std::nullopt;
}

// The end of `context(a: A)`, the required context of a declaration, if `word` at `begin` is its
// first word; otherwise `begin`.
std::size_t end_of_context(std::string_view text, std::size_t begin, std::string_view word) {
  if (word != "context" || !text.substr(begin).starts_with("context(")) return begin;
  const std::size_t line = text.find_last_not_of(" \t", begin == 0 ? 0 : begin - 1);
  if (begin > 0 && line != std::string_view::npos && text[line] != '\n') return begin;
  const std::size_t end = text.find(')', begin);
  const std::size_t next =
      end == std::string_view::npos ? end : text.find_first_not_of(" \t\n", end + 1);
  const bool declares = next != std::string_view::npos && is_identifier_char(text[next]) &&
                        text.substr(begin, end - begin).find(':') != std::string_view::npos;
  return declares ? end + 1 : begin;
}

// True for the `if` at `begin` in `is A if b ->`, an entry of a `when`.
bool is_guard(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t line = text.rfind('\n', begin) + 1;  // (0 in the first line)
  std::string_view before = text.substr(line, begin - line);
  before.remove_prefix(std::min(before.find_first_not_of(" \t"), before.size()));
  const bool begins = before.starts_with("is ") || before.starts_with("!is ") ||
                      before.starts_with("in ") || before.starts_with("!in ");
  if (!begins || before.find("->") != std::string_view::npos) return false;
  std::string_view rest = text.substr(end, std::min(text.find('\n', end), text.size()) - end);
  if (rest.find("->") != std::string_view::npos) return true;
  // In parentheses over several lines.
  rest = text.substr(end, kMaxGuard);
  return rest.substr(0, rest.find('{')).find(") ->") != std::string_view::npos;
}

// True for `class Name` or `class Name<T>` at the end of `before`.
bool ends_with_class(std::string_view before) {
  before.remove_prefix(before.size() - std::min(before.size(), kMaxHeader));
  const auto cut = [&] {
    while (!before.empty() && is_space(before.back())) before.remove_suffix(1);
  };
  cut();
  if (before.ends_with('>')) {
    int depth = 0;
    while (!before.empty()) {
      if (before.back() == '>') ++depth;
      if (before.back() == '<' && --depth == 0) break;
      before.remove_suffix(1);
    }
    if (!before.empty()) before.remove_suffix(1);
    cut();
  }
  const std::size_t size = before.size();
  while (!before.empty() && is_identifier_char(before.back())) before.remove_suffix(1);
  if (before.size() == size) return false;
  cut();
  return before.ends_with("class");
}

}  // namespace

std::optional<std::string> end_members(std::string_view text) {
  std::optional<std::string> repaired;
  std::size_t after_code = 0;  // just after the last byte that is neither space nor comment
  bool has_newline = true;     // since then
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      has_newline = has_newline || c == '\n';
      continue;
    }
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      const bool is_line = rest[1] == '/';
      const std::size_t end = is_line ? text.find('\n', i) : text.find("*/", i + 2);
      if (end == std::string_view::npos) break;
      has_newline = has_newline || is_line;
      i = is_line ? end : end + 1;
      continue;
    }
    if (c == '<' && has_newline && after_code > 0 && ends_type(text[after_code - 1]) &&
        after_code < i && std::isspace(static_cast<unsigned char>(text[after_code])) != 0) {
      if (!repaired) repaired = std::string(text);
      (*repaired)[after_code] = ';';
    }
    if (c == '"' || c == '\'' || c == '`') {
      for (++i; i < text.size() && text[i] != c; ++i) {
        if (text[i] == '\\') ++i;
        if (c != '`' && i < text.size() && text[i] == '\n') break;  // not a string
      }
    }
    after_code = i + 1;
    has_newline = false;
  }
  return repaired;
}

std::optional<std::string> declare_used(std::string_view text) {
  constexpr std::string_view kUsing = "using", kConst = "const", kAwait = "await";
  std::optional<std::string> repaired;
  for (std::size_t at = text.find(kUsing); at != std::string_view::npos;
       at = text.find(kUsing, at + kUsing.size())) {
    if (at > 0 && (is_word_char(text[at - 1]) || text[at - 1] == '.')) continue;
    if (!declares_name(text.substr(at + kUsing.size()))) continue;
    if (!repaired) repaired = std::string(text);
    repaired->replace(at, kUsing.size(), kConst);
    std::size_t before = at;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
    if (before < at && text.substr(0, before).ends_with(kAwait) &&
        (before == kAwait.size() || !is_word_char(text[before - kAwait.size() - 1]))) {
      repaired->replace(before - kAwait.size(), kAwait.size(), kAwait.size(), ' ');
    }
  }
  return repaired;
}

std::optional<std::string> regroup(std::string_view text) {
  std::optional<std::string> repaired;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t end = end_of_quoted(text, i); end > i) {
      i = end;
      continue;
    }
    std::size_t end = i + 1;
    if (is_identifier_char(text[i])) {
      while (end < text.size() && is_identifier_char(text[end])) ++end;
      const std::string_view word = text.substr(i, end - i);
      const bool begins = word == "class" || word == "object";
      const auto at = begins ? delegation_before_body(text, end) : std::nullopt;
      if (at && is_blank(text[at->first - 1]) && is_blank(text[at->second - 1]) &&
          at->second - at->first > 3) {
        if (!repaired) repaired = std::string(text);
        repaired->replace(at->first - 1, 3, "(  ");
        (*repaired)[at->second - 1] = ')';
      }
    } else if (text[i] == '!' && negates_name(text, i)) {
      if (!repaired) repaired = std::string(text);
      (*repaired)[i] = ' ';
    }
    i = end;
  }
  return repaired;
}

std::optional<std::string> close_members(std::string_view text) {
  std::optional<std::string> repaired;
  const auto put = [&](std::size_t at, std::size_t size, std::string_view with) {
    if (!repaired) repaired = std::string(text);
    repaired->replace(at, size, std::string(with) + std::string(size - with.size(), ' '));
  };
  // A string that begins with dollars: its computed parts need as many.
  const auto with_dollars = [&](std::size_t begin) {
    const std::size_t quote = text.find_first_not_of('$', begin);
    if (quote == std::string_view::npos || text[quote] != '"' || quote < begin + 2) return quote;
    const std::size_t end = end_of_quoted(text, quote);
    put(begin, quote - begin, "");
    for (std::size_t i = quote; i < end;) {
      const std::size_t dollar = text.find('$', i);
      if (dollar >= end) break;
      i = std::min(text.find_first_not_of('$', dollar), end);
      const std::size_t count = i - dollar;
      const bool computes = count >= quote - begin;
      put(dollar, count, std::string(count - (computes ? 1 : 0), '_') + (computes ? "$" : ""));
    }
    return end;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t end = end_of_quoted(text, i); end > i) {
      i = end;
      continue;
    }
    if (text[i] == '$') {
      i = std::min(with_dollars(i), text.size());
      continue;
    }
    if (text[i] == '}' && i > 1 && text[i - 1] == ' ') {
      const std::size_t last = text.find_last_not_of(" \t", i - 1);
      const char before = last == std::string_view::npos ? '\n' : text[last];
      if (before != '\n' && before != '{' && before != ';' && before != ',' && before != '>') {
        put(i - 1, 1, ";");
      }
    }
    if (std::isalpha(static_cast<unsigned char>(text[i])) == 0) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_identifier_char(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (word == "dynamic" || is_name(word, text.substr(end))) {
      put(end - 1, 1, "_");  // a name elsewhere
    }
    if (const std::size_t behind = end_of_context(text, i, word); behind > i) {
      for (; i < behind; ++i) {
        if (!is_space(text[i])) put(i, 1, "");
      }
      continue;
    }
    if (word == "if" && is_guard(text, i, end)) put(i, word.size(), ",");
    if (std::ranges::find(kWords, word) != std::end(kWords)) {
      const std::size_t next = text.find_first_not_of(" \t", end);
      const std::size_t line = text.find_last_not_of(" \t", i == 0 ? 0 : i - 1);
      if (next != std::string_view::npos && text.substr(next).starts_with("constructor") &&
          line != std::string_view::npos && text[line] == '\n' &&
          ends_with_class(text.substr(0, line))) {
        put(i, word.size(), "@A");
      }
    }
    i = end;
  }
  return repaired;
}

}  // namespace codexmem::parse
