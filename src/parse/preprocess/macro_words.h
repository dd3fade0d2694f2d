// parse/preprocess/macro_words.h - classifies words of C and C++ near macros.
//
// Internal to parse.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::parse {

// A macro name, or a type name that could also be a macro.
inline bool is_capitals(std::string_view word) {
  return word.size() > 1 && std::isupper(static_cast<unsigned char>(word.front())) != 0 &&
         std::ranges::all_of(word, [](char c) {
           return c == '_' || std::isupper(static_cast<unsigned char>(c)) != 0 ||
                  std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

// Name::Name, which has no type before it.
inline bool is_constructor(std::string_view word) {
  const std::size_t colon = word.rfind("::");
  if (colon == std::string_view::npos) return false;
  const std::string_view of = word.substr(0, colon);
  const std::string_view name = word.substr(colon + 2);
  return of == name || of.ends_with("::" + std::string(name));
}

// Words that are neither a type nor a name.
inline constexpr std::string_view kQualifiers[] = {
    "static",   "extern",  "const",  "volatile", "inline", "virtual", "constexpr", "explicit",
    "friend",   "typedef", "return", "else",     "case",   "goto",    "new",       "delete",
    "register", "mutable", "throw",  "do",       "using",  "typename"};
// Words that are types by themselves or together.
inline constexpr std::string_view kTypeWords[] = {"unsigned", "signed", "int",    "long", "short",
                                                  "char",     "float",  "double", "bool", "void"};
// No declaration has these.
inline constexpr std::string_view kStatementWords[] = {
    "return", "else", "case", "goto", "new",       "delete",   "throw",   "do",
    "and",    "or",   "not",  "xor",  "co_return", "co_await", "co_yield"};
// Words that may come between a function's parameters and its body.
inline constexpr std::string_view kBehindParameters[] = {"const",    "volatile", "noexcept",
                                                         "override", "final",    "mutable"};
// Words that only begin declarations.
inline constexpr std::string_view kOpeners[] = {
    "template", "namespace", "using", "typedef", "extern", "class", "struct", "union", "enum"};
inline constexpr std::string_view kAccess[] = {"public", "protected", "private"};
inline constexpr std::string_view kTags[] = {"class", "struct", "union", "enum"};

/// Skips white space and comments from `at` on; returns the offset after them.
inline std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

}  // namespace codexmem::parse
