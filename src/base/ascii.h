// base/ascii.h - the classes of ASCII characters, for any locale. Other bytes belong to none.
//
// Unlike <cctype>, these take any char and never look at the locale. Pure and thread-safe.
#pragma once

namespace codexmem {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_alnum(char c) { return is_letter(c) || is_digit(c); }

/// A letter, a digit or '_': the characters of identifiers in most languages.
constexpr bool is_word_char(char c) { return is_alnum(c) || c == '_'; }

/// is_word_char(), '$', or a byte of a character beyond ASCII: names of JavaScript, Java, PHP.
constexpr bool is_identifier_char(char c) {
  return is_word_char(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A quote of JavaScript: double, single or backquote.
constexpr bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

/// Space and tab.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Space, tab, line breaks, vertical tab and form feed.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// `c` with an upper-case letter made lower case.
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace codexmem
