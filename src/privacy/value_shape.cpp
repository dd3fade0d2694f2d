// Sequences of characters are judged by how often letters and digits change: in random text about
// 0.4 times a character, in names below 0.2.
//
// Tested by privacy/policy_test.cpp.
#include "privacy/value_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "base/ascii.h"
#include "base/text.h"
#include "privacy/secret_words.h"

namespace codexmem::privacy {
namespace {

// How usual each pair of letters is, 0 to 9, a row for each first letter: the logarithm of how much
// more often words have it than letters drawn by lot. Counted in the words of this program's
// sources and pages, of Python's library and of C headers, each once and a little more for each
// time.
constexpr std::array<std::string_view, 26> kPairs = {
    "37873463725878272889655563", "63436233643733641564632252", "83548328627753842658632141",
    "74468442832544641664633240", "85896764534779575998465752", "61446631701633741655512140",
    "52438345620546540664522124", "72337222602434721545512131", "66777672224779862688361516",
    "41214111302121421231412010", "41237342511413432353313121", "83468432824734841366642272",
    "86448322713454772354551131", "73788683735545752488654243", "56774553535779671877766432",
    "73448335613734762857623251", "11011100110312111221601000", "84669563815566850677654262",
    "63748447825555673479735352", "84659547913655751876635363", "56656551512768461777220322",
    "62218222611233420232224111", "62546235611325531553223201", "42535312501331350236121331",
    "43334321411445460355223222", "41226212401221321232211022"};

// Whether letters are no words, by the mean of kPairs. Drawn by lot they have 3.9; under 0.3% of
// 16 reach 6.2, which 3% of identifiers as long are below, and 0.4% below 5.6. Those have capitals
// within, so that is their limit. Measured on 23 November 2026.
double pair_mean(std::string_view letters) {
  std::size_t sum = 0;
  for (std::size_t i = 1; i < letters.size(); ++i) {
    const auto number = [&](std::size_t at) {
      return static_cast<std::size_t>(letters[at] - (is_upper(letters[at]) ? 'A' : 'a'));
    };
    sum += static_cast<std::size_t>(kPairs[number(i - 1)][number(i)] - '0');
  }
  return static_cast<double>(sum) / static_cast<double>(letters.size() - 1);
}

// Parts of one or two letters that capitals make: in camelCase hardly any, many in what was drawn.
std::size_t count_short_parts(std::string_view letters) {
  std::size_t count = 0, size = 0;
  for (std::size_t i = 0; i <= letters.size(); ++i) {
    const bool begins =
        i == letters.size() ||
        (i > 0 && is_upper(letters[i]) &&
         (is_lower(letters[i - 1]) || (i + 1 < letters.size() && is_lower(letters[i + 1]))));
    if (begins) {
      count += size <= 2 ? 1 : 0;
      size = 0;
    }
    ++size;
  }
  return count;
}

double gibberish_limit(std::string_view letters) {
  const bool has_humps =
      std::ranges::any_of(letters, is_lower) && std::ranges::any_of(letters.substr(1), is_upper);
  if (!has_humps) return 6.2;
  const std::size_t short_parts = count_short_parts(letters);
  return short_parts < 2 ? 5.6 : short_parts == 2 ? 6.2 : 6.8;
}

bool is_gibberish(std::string_view letters) {
  if (letters.size() < 12) return false;
  // Of shorter ones one in ten identifiers would be below the limit.
  return pair_mean(letters) < (letters.size() < 16 ? 5.4 : gibberish_limit(letters));
}

// Digits and letters of a long hexadecimal number, in whatever order: abcdef1234567890abcdef.
bool is_long_hex(std::string_view value) {
  return value.size() >= 16 && std::ranges::all_of(value, is_hex_digit) &&
         std::ranges::any_of(value, is_digit) && std::ranges::any_of(value, is_letter);
}

bool is_uuid(std::string_view value) {
  if (value.size() != 36) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? value[i] != '-' : !is_hex_digit(value[i])) return false;
  }
  return true;
}

// Letters and digits in one, the letters of no words.
bool is_drawn(std::string_view value) {
  return std::ranges::all_of(value, is_alnum) && std::ranges::any_of(value, is_digit) &&
         has_drawn_letters(value);
}

// Different signs among letters, as passwords have them: brackets that are in pairs are code's.
std::size_t count_signs(std::string_view value) {
  std::size_t kinds = 0;
  for (const char sign : std::string_view("!@#$%^&*+=?~|;,:/")) {
    kinds += value.find(sign) != std::string_view::npos ? 1 : 0;
  }
  for (const std::string_view pair : {"()", "[]", "{}"}) {
    const bool is_pair = std::ranges::count(value, pair[0]) == std::ranges::count(value, pair[1]) &&
                         value.find(pair[0]) <= value.find(pair[1]);
    kinds += is_pair ? 0 : 1;
  }
  return kinds;
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && is_word_char(text[0]) && !is_digit(text[0]) &&
         std::ranges::all_of(text, is_word_char);
}

bool is_leet(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (is_digit(text[i]) && is_letter(text[i - 1]) && is_letter(text[i + 1])) return true;
  }
  return false;
}

bool is_words(std::string_view text) {
  bool any_letter = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_letter(c)) {
      if (i > 0 && is_digit(text[i - 1])) return false;
      any_letter = true;
    } else if (!is_digit(c) && c != '-' && c != '_' && c != '.' && c != ' ' && c != '/' &&
               c != ':') {
      return false;
    }
  }
  return any_letter;
}

std::size_t distinct_bytes(std::string_view text) {
  std::array<bool, 256> seen{};
  for (const char c : text) seen[static_cast<unsigned char>(c)] = true;
  return static_cast<std::size_t>(std::ranges::count(seen, true));
}

double mixing(std::string_view value) {
  std::size_t changes = 0;
  std::size_t count = 0;
  char before = '\0';
  for (const char c : value) {
    if (!is_alnum(c)) {
      before = '\0';
      continue;
    }
    ++count;
    if (before != '\0' && (is_digit(c) != is_digit(before) || (is_upper(c) && is_lower(before)))) {
      ++changes;
    }
    before = c;
  }
  return count == 0 ? 0 : static_cast<double>(changes) / static_cast<double>(count);
}

bool has_long_gibberish(std::string_view value) {
  for (std::size_t begin = 0; begin < value.size();) {
    std::size_t end = begin;
    while (end < value.size() && is_letter(value[end])) ++end;
    if (end - begin >= 16 && is_gibberish(value.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

bool has_drawn_letters(std::string_view value) {
  std::string letters;
  std::ranges::copy_if(value, std::back_inserter(letters), is_letter);
  return letters.size() >= 6 && pair_mean(letters) < gibberish_limit(letters);
}

bool is_unspeakable(std::string_view value) {
  std::size_t run = 0, letters = 0;
  for (std::size_t i = 0; i <= value.size(); ++i) {
    const char c = i < value.size() ? value[i] : '\0';
    if (!is_letter(c)) {
      if (is_gibberish(value.substr(i - letters, letters))) return true;
      run = letters = 0;
      continue;
    }
    ++letters;
    run = contains("aeiouyAEIOUY", std::string_view(&c, 1)) ? 0 : run + 1;
    if (run >= 6) return true;
  }
  return false;
}

bool is_random(std::string_view value) {
  return mixing(value) >= 0.2 || is_unspeakable(value) || is_long_hex(value) || is_uuid(value) ||
         is_drawn(value);
}

bool is_signs_and_letters(std::string_view value) {
  if (value.size() < 8 || contains(value, " ") || contains(value, "\\") || contains(value, "://") ||
      contains(value, "A-Z") || contains(value, "a-z") || contains(value, "0-9")) {
    return false;
  }
  const std::size_t signs = count_signs(value);
  const bool has_both =
      std::ranges::any_of(value, is_upper) && std::ranges::any_of(value, is_lower);
  if (!has_both && (signs < 3 || std::ranges::none_of(value, is_digit))) return false;
  std::size_t run = 0, longest = 0;
  for (const char c : value) {
    run = is_letter(c) ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return signs >= 2 ? longest <= 5 || has_drawn_letters(value)
                    : signs == 1 && (longest <= 3 || has_drawn_letters(value));
}

bool is_version(std::string_view value) {
  for (const std::string_view prefix : {"npm:", "workspace:", "link:", "portal:", "patch:"}) {
    if (value.starts_with(prefix)) return true;
  }
  while (!value.empty() && contains("^~<>=v!", value.substr(0, 1))) value.remove_prefix(1);
  std::size_t dots = 0, i = 0;
  while (i < value.size() && (is_digit(value[i]) || (value[i] == '.' && i > 0))) {
    dots += value[i++] == '.' ? 1 : 0;
  }
  return dots >= 1 && i >= 3 && (i == value.size() || value[i] == '-' || value[i] == '+');
}

bool is_number(std::string_view value) {
  if (value.size() <= 18 && (value.starts_with("0x") || value.starts_with("0b"))) {
    return std::ranges::all_of(value.substr(2), is_hex_digit);
  }
  return std::ranges::all_of(value, [](char c) {
    return is_digit(c) || c == '.' || c == ',' || c == '_' || c == '-' || c == '%' || c == ':';
  });
}

bool is_quantity(std::string_view value) {
  std::size_t digits = 0;
  std::string_view rest = value;
  if (rest.front() == 'v') rest.remove_prefix(1);
  while (!rest.empty() && (is_digit(rest.front()) || contains(".,:-_", rest.substr(0, 1)))) {
    digits += is_digit(rest.front()) ? 1 : 0;
    rest.remove_prefix(1);
  }
  if (digits == 0) return false;
  if (rest.empty()) return true;
  return rest.size() <= 4 && std::ranges::all_of(rest, is_letter) && digits <= 6;
}

bool has_letter(std::string_view value) { return std::ranges::any_of(value, is_letter); }
bool has_digit(std::string_view value) { return std::ranges::any_of(value, is_digit); }

bool has_password_mark(std::string_view value) {
  return std::ranges::any_of(value, [](char c) { return contains("!@#$%^&*+=?~|", {&c, 1}); });
}

bool is_of_every_kind(std::string_view value) {
  return std::ranges::any_of(value, is_upper) && std::ranges::any_of(value, is_lower) &&
         has_digit(value) && has_password_mark(value) && value.size() >= 8 &&
         !contains(value, "=") && !contains(value, "&") && !contains(value, "://");
}

bool has_random_word(std::string_view value) {
  for (const std::string_view word : split(value, ' ')) {
    if (word.size() >= 10 && has_digit(word) && has_letter(word) && mixing(word) >= 0.3)
      return true;
  }
  return false;
}

bool is_passphrase(std::string_view value) {
  const char separator = contains(value, " ") ? ' ' : '-';
  const auto words = split(value, separator);
  if (words.size() < 4) return false;
  std::size_t numbers = 0;
  for (const std::string_view word : words) {
    if (word.size() <= 4 && std::ranges::all_of(word, is_digit)) {
      ++numbers;
      continue;
    }
    if (word.size() < 3 || word.size() > 10 || !std::ranges::all_of(word, is_lower) ||
        secret_words().sentence.has(word)) {
      return false;
    }
  }
  return numbers <= 1 && words.size() - numbers >= 4;
}

double byte_entropy(std::string_view text) {
  if (text.empty()) return 0;
  std::array<std::uint32_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double entropy = 0;
  for (const std::uint32_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    entropy -= share * std::log2(share);
  }
  return entropy;
}

}  // namespace codexmem::privacy
