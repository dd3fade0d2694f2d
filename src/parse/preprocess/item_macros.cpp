#include "parse/preprocess/item_macros.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kItemWords[] = {"pub",    "fn",     "struct", "enum",  "impl",
                                           "mod",    "use",    "trait",  "type",  "const",
                                           "static", "unsafe", "extern", "async", "union"};

constexpr int kMaxLeading = 4096;  // comments and attributes before an item
constexpr int kMaxNested = 16;     // nested macros before an item

// Limit for looking ahead: bytes read per byte of text.
constexpr std::size_t kMaxLooks = 16;

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_identifier_char(text[end])) ++end;
  return text.substr(at, end - at);
}

// The place of the bracket that closes the "{" or "(" at `open`; nothing if it is not closed, or
// contains parts to be filled in: #name, $name.
std::optional<std::size_t> closing(std::string_view text, std::size_t open, std::size_t* left) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size() && *left > 0; ++i, --*left) {
    if (const std::size_t next = behind_opaque(text, i); next != i) {
      i = next - 1;
      continue;
    }
    const char c = text[i];
    if (c == '{' || c == '(') ++depth;
    if ((c == '}' || c == ')') && --depth == 0) return i;
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (c == '$') return std::nullopt;
    if (c == '#' && next != '[' && next != '!') return std::nullopt;
    if (is_identifier_char(c)) i += word_at(text, i).size() - 1;
  }
  return std::nullopt;
}

// The place after the last "}" or ";" between the braces at `open` and `end`.
std::size_t behind_items(std::string_view text, std::size_t open, std::size_t end) {
  std::size_t last = open + 1;
  std::size_t depth = 0;
  for (std::size_t i = open + 1; i < end; ++i) {
    if (const std::size_t next = behind_opaque(text, i); next != i) {
      i = next - 1;
      continue;
    }
    if (text[i] == '{') ++depth;
    const bool closes = text[i] == '}' && --depth == 0;
    if (closes || (text[i] == ';' && depth == 0)) last = i + 1;
    if (is_identifier_char(text[i])) i += word_at(text, i).size() - 1;
  }
  return last;
}

// True if an item begins after the "{" at `open`.
bool holds_items(std::string_view text, std::size_t open, std::size_t* left, int nested = 0) {
  std::size_t at = open + 1;
  for (int steps = 0; steps < kMaxLeading; ++steps) {
    at = skip_space(text, at);
    if (at >= text.size()) return false;
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      at = behind_opaque(text, at);
    } else if (rest.starts_with("#[") || rest.starts_with("#![")) {
      int depth = 0;
      for (; at < text.size() && *left > 0; ++at, --*left) {
        if (const std::size_t next = behind_opaque(text, at); next != at) {
          at = next - 1;
          continue;
        }
        if (text[at] == '[') ++depth;
        if (text[at] == ']' && --depth == 0) break;
      }
      at = std::min(at + 1, text.size());
    } else {
      const std::string_view word = word_at(text, at);
      if (word.empty()) return false;
      if (std::ranges::find(kItemWords, word) == std::end(kItemWords)) {
        // A nested macro of this kind.
        const std::size_t sign = skip_space(text, at + word.size());
        if (sign >= text.size() || text[sign] != '!') return false;
        const std::size_t brace = skip_space(text, sign + 1);
        return brace < text.size() && text[brace] == '{' && nested < kMaxNested &&
               holds_items(text, brace, left, nested + 1);
      }
      if (word == "unsafe" || word == "async" || word == "const") {
        // A block or closure is not an item.
        const std::size_t next = skip_space(text, at + word.size());
        return next < text.size() && is_identifier_char(text[next]);
      }
      if (word == "static") {
        return word_at(text, skip_space(text, at + word.size())) != "ref";
      }
      // struct Flags: u32
      const std::string_view head = text.substr(at, std::min(text.find('{', at), text.size()) - at);
      const std::size_t kind = head.find("struct ");
      if (kind != std::string_view::npos) {
        const std::size_t name = skip_space(head, kind + 7);
        const std::size_t sign = skip_space(head, name + word_at(head, name).size());
        if (sign < head.size() && head[sign] == ':') return false;
      }
      return true;
    }
  }
  return false;
}

}  // namespace

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

std::size_t behind_opaque(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    std::size_t depth = 1;
    std::size_t i = at + 2;
    for (; i + 1 < text.size() && depth > 0; ++i) {
      if (text[i] == '/' && text[i + 1] == '*') {
        ++depth;
        ++i;
      } else if (text[i] == '*' && text[i + 1] == '/') {
        --depth;
        ++i;
      }
    }
    return depth > 0 ? text.size() : i;
  }
  if (rest.front() == '"') {
    std::size_t i = at + 1;
    for (; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\') ++i;
    }
    return std::min(i + 1, text.size());
  }
  if (rest.front() == 'r' && rest.size() > 1 && (rest[1] == '"' || rest[1] == '#')) {
    const std::size_t open = rest.find_first_not_of('#', 1);
    if (open == std::string_view::npos || rest[open] != '"') return at;
    const std::string end = "\"" + std::string(open - 1, '#');
    const std::size_t close = text.find(end, at + open + 1);
    return close == std::string_view::npos ? text.size() : close + end.size();
  }
  if (rest.front() == '\'' && rest.size() > 2) {
    if (rest[1] == '\\') return std::min(text.find('\'', at + 3), text.size() - 1) + 1;
    if (rest[2] == '\'') return at + 3;
  }
  return at;
}

std::optional<std::string> open_item_macros(std::string_view text) {
  std::optional<std::string> opened;
  const auto blank = [&](std::size_t begin, std::size_t end) {
    if (!opened) opened = std::string(text);
    for (std::size_t i = begin; i < end; ++i) {
      if ((*opened)[i] != '\n' && (*opened)[i] != '\r') (*opened)[i] = ' ';
    }
  };
  std::size_t left = kMaxLooks * text.size();
  char before = ';';  // the last byte of code
  for (std::size_t i = 0; i < text.size() && left > 0;) {
    if (const std::size_t next = behind_opaque(text, i); next != i) {
      if (text[i] != '/') before = '"';
      i = next;
      continue;
    }
    const char c = text[i];
    if (!is_identifier_char(c)) {
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') before = c;
      ++i;
      continue;
    }
    const std::size_t begin = i;
    const std::string_view word = word_at(text, i);
    i += word.size();
    const bool may_begin = before == ';' || before == '}' || before == '{' || before == ']';
    before = 'a';
    const std::size_t sign = skip_space(text, i);
    if (!may_begin || sign >= text.size() || text[sign] != '!') continue;
    std::size_t brace = skip_space(text, sign + 1);
    if (word == "macro_rules") {
      brace = skip_space(text, brace + word_at(text, brace).size());
      int depth = 0;
      for (i = brace; i < text.size(); ++i) {
        if (const std::size_t next = behind_opaque(text, i); next != i) {
          i = next - 1;
          continue;
        }
        if (text[i] == '{' || text[i] == '(') ++depth;
        if ((text[i] == '}' || text[i] == ')') && --depth == 0) break;
      }
      before = ';';
      i = std::min(i + 1, text.size());
      continue;
    }
    const bool has_braces = brace < text.size() && text[brace] == '{';
    const bool has_parentheses = brace < text.size() && text[brace] == '(';
    if ((!has_braces && !has_parentheses) || !holds_items(text, brace, &left)) continue;
    const auto end = closing(text, brace, &left);
    if (!end) continue;
    // name!( item ); - the ";" may belong to the item.
    if (has_parentheses && (*end + 1 >= text.size() || text[*end + 1] != ';')) continue;
    const bool has_room = brace - i >= 2 && text.substr(i, 3).find('\n') == std::string_view::npos;
    if (has_braces && has_room) {
      // Leave name!{}, so that the name counts as a use of the macro.
      blank(i, brace + 1);
      const std::string_view left = "!{}";
      std::copy(left.begin(), left.end(), opened->begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      blank(begin, brace + 1);
    }
    blank(*end, *end + 1);
    // Text after the last item that begins with a sign is an expression: ffi_fn! { fn f() { } ?= 0
    // }
    if (has_braces) {
      const std::size_t tail = behind_items(text, brace, *end);
      const std::size_t sign = skip_space(text, tail);
      if (text[sign] == '?' || text[sign] == '=') {
        const std::size_t rest = text.find_first_not_of("?=>", sign);
        blank(sign, rest);
        (*opened)[*end] = ';';
      }
    }
    before = ';';
    i = brace + 1;
  }
  return opened;
}

}  // namespace codexmem::parse
