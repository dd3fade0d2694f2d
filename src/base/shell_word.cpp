// Tested by base/shell_word_test.cpp.
#include "base/shell_word.h"

#include <algorithm>
#include <cctype>

namespace codexmem {

std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '_' ||
           c == '-' || c == '~' || c == '+' || c == ':' || c == '=' || c == '@' || c == ',';
  });
  if (is_plain) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace codexmem
