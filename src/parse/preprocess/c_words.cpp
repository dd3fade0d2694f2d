// Tested by graph/c_test.cpp.
#include "parse/preprocess/c_words.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

// The word before `at`, if only characters of `between` separate them.
std::string_view word_before(std::string_view text, std::size_t at, std::string_view between) {
  while (at > 0 && between.find(text[at - 1]) != std::string_view::npos) --at;
  std::size_t begin = at;
  while (begin > 0 && is_identifier_char(text[begin - 1])) --begin;
  return text.substr(begin, at - begin);
}

}  // namespace

bool is_tag_keyword(std::string_view word) {
  return word == "struct" || word == "union" || word == "enum";
}

bool is_behind_tag_keyword(std::string_view text, std::size_t at) {
  return is_tag_keyword(word_before(text, at, " \t\r\n\v\f"));
}

bool is_behind_type(std::string_view text, std::size_t at) {
  constexpr std::string_view kNoTypes[] = {"return", "else", "goto", "case", "do", "sizeof"};
  const std::string_view word = word_before(text, at, " \t*\\\r\n");
  return !word.empty() && std::ranges::find(kNoTypes, word) == std::end(kNoTypes);
}

}  // namespace codexmem::parse
