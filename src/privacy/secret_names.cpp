// Tested by privacy/policy_test.cpp.
#include "privacy/secret_names.h"

#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/text.h"
#include "privacy/secret_words.h"

namespace codexmem::privacy {
namespace {

// The words of an identifier in small letters: snake_case, kebab-case, camelCase, dotted.
std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_alnum(c)) {
      end_word();
      continue;
    }
    const bool is_hump = is_upper(c) && i > 0 &&
                         (is_lower(name[i - 1]) || is_digit(name[i - 1]) ||
                          (i + 1 < name.size() && is_lower(name[i + 1]) && is_upper(name[i - 1])));
    if (is_hump) end_word();
    word += to_lower(c);
  }
  end_word();
  return words;
}

}  // namespace

Allowed judge_name(std::string_view name, std::size_t keyword_begin, std::size_t keyword_end) {
  // The keyword is the middle of a longer word: tokenize, secretary, passwordless.
  const std::string_view rest = name.substr(keyword_end);
  if (!rest.empty() && is_letter(rest[0])) {
    const bool continues = is_lower(rest[0]) || !is_lower(name[keyword_end - 1]);
    const bool is_plural = rest == "s" || rest.starts_with("s_");
    if (continues && !is_plural) {
      const std::string lower = to_lower_ascii(rest);
      if (!secret_words().keyword_tails.has_beginning_of(lower)) return Allowed::kName;
    }
  }
  for (const std::string& word : words_of_name(rest)) {
    if (secret_words().after_keyword.has(word)) return Allowed::kName;
  }
  const auto before = words_of_name(name.substr(0, keyword_begin));
  for (const std::string& word : before) {
    if (secret_words().before_keyword.has(word)) return Allowed::kName;
  }
  return Allowed::kNone;
}

}  // namespace codexmem::privacy
