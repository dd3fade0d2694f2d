// A password may be anything, so these rules say what it is not. The judgements go from the
// certain to the vague: references and placeholders first, then what code and prose look like, and
// last whether the value looks random (privacy/value_shape.h).
//
// Tested by privacy/policy_test.cpp.
#include "privacy/secret_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/text.h"
#include "privacy/secret_words.h"
#include "privacy/value_shape.h"

namespace codexmem::privacy {
namespace {

// What templates put in from elsewhere: how it opens and closes.
constexpr std::array<std::array<std::string_view, 2>, 8> kTemplates = {{{"{{", "}}"},
                                                                        {"${", "}"},
                                                                        {"#{", "}"},
                                                                        {"@{", "}"},
                                                                        {"$(", ")"},
                                                                        {"%(", ")s"},
                                                                        {"<%", "%>"},
                                                                        {"@@", "@@"}}};

// `value` without templates and %s and %d of formats. Of ${NAME:-default} the default stays, and
// behind a template that does not close all stays: a password may have such marks in it.
std::string without_templates(std::string_view value) {
  std::string rest;
  for (std::size_t at = 0; at < value.size();) {
    const std::string_view ahead = value.substr(at);
    const auto found = std::ranges::find_if(
        kTemplates, [&](const auto& one) { return ahead.starts_with(one[0]); });
    if (found != kTemplates.end()) {
      const std::string_view opening = (*found)[0], closing = (*found)[1];
      const std::size_t end = ahead.find(closing, opening.size());
      at += opening.size();
      if (end == std::string_view::npos) continue;
      const std::string_view inner = ahead.substr(opening.size(), end - opening.size());
      if (const std::size_t dash = inner.find(":-"); dash != std::string_view::npos) {
        rest += inner.substr(dash + 2);
      }
      at += inner.size() + closing.size();
    } else if (ahead.starts_with("%s") || ahead.starts_with("%d")) {
      at += 2;
    } else {
      rest += value[at++];
    }
  }
  return rest;
}

bool is_reference(std::string_view value, std::string_view lower, bool is_quoted) {
  if (secret_words().references.has_part_of(lower)) return true;
  if (lower.starts_with("env:") || lower.starts_with("file:") || lower.starts_with("env.")) {
    return true;
  }
  // $NAME, $name, $env:NAME, $this->name, !NAME!, %NAME%, %s, @name of SQL, :name of a route.
  if (value[0] == '$' && value.size() > 1) {
    const std::string_view name = value.substr(1);
    if (name[0] == '{' || name[0] == '(') return true;
    if (is_identifier(name) && !(is_quoted && is_leet(name))) return true;
    if (!is_quoted && (is_letter(name[0]) || name[0] == '_') &&
        (contains(name, "->") || contains(name, "[") || contains(name, "::") ||
         lower.starts_with("$env:") || contains(name, "."))) {
      return true;
    }
    if (name.size() == 1) return true;  // $1, $@
  }
  if (const std::string rest = without_templates(value); rest.size() != value.size()) {
    return std::ranges::count_if(rest, is_alnum) < 6 ||
           !(is_random(rest) || has_drawn_letters(rest));
  }
  if (value[0] == '%') {
    if (value.size() <= 3) return true;
    if (value.back() == '%' && is_identifier(value.substr(1, value.size() - 2))) return true;
  }
  if (value.size() > 2 && value[0] == '!' && value.back() == '!' &&
      is_identifier(value.substr(1, value.size() - 2))) {
    return true;
  }
  if ((value[0] == '@' || value[0] == ':') && is_identifier(value.substr(1)) &&
      !is_leet(value.substr(1))) {
    return true;
  }
  // {name}, {0}, [name], <anything>, __name__
  const char last = value.back();
  if ((value[0] == '{' && last == '}') || (value[0] == '[' && last == ']') ||
      (value[0] == '<' && last == '>') || (value[0] == '(' && last == ')')) {
    return true;
  }
  return value.size() > 4 && value.starts_with("__") && value.ends_with("__");
}

std::string_view without_final_digits(std::string_view text) {
  while (!text.empty() && (is_digit(text.back()) || text.back() == '!' || text.back() == '_' ||
                           text.back() == '-')) {
    text.remove_suffix(1);
  }
  return text;
}

// "xxxx" as a part of its own, or six in a row: four may come by lot.
bool has_crosses(std::string_view value) {
  for (std::size_t begin = 0; begin < value.size();) {
    std::size_t end = begin + 1;
    while (end < value.size() && value[end] == value[begin]) ++end;
    const bool is_apart =
        begin == 0 || !is_alnum(value[begin - 1]) || end == value.size() || !is_alnum(value[end]);
    if ((value[begin] == 'x' || value[begin] == 'X') && end - begin >= (is_apart ? 4U : 6U)) {
      return true;
    }
    begin = end;
  }
  return false;
}

bool is_strong_placeholder(std::string_view value, std::string_view lower) {
  if (has_crosses(value)) return true;
  if (secret_words().strong_placeholders.has_part_of(lower)) return true;
  return lower.ends_with("...") || lower.starts_with("...");
}

bool is_placeholder(std::string_view value, std::string_view lower) {
  if (is_strong_placeholder(value, lower)) return true;
  if (std::ranges::none_of(value, is_alnum)) {
    // "***", "---"; but other marks than such are a password.
    return distinct_bytes(value) <= 2;
  }
  if (std::ranges::all_of(value, is_digit)) {
    return value.size() < 6 || contains("01234567890123456789", value) ||
           contains("98765432109876543210", value) || distinct_bytes(value) <= 2;
  }
  const std::string_view root = without_final_digits(lower);
  if (secret_words().whole_placeholders.has(root)) return true;
  // Words of which one says so: my-secret-token, test_password_1.
  return is_words(lower) && !is_unspeakable(value) &&
         secret_words().weak_placeholders.has_part_of(lower);
}

bool is_example(std::string_view value) {
  return secret_words().examples.has_part_of(value) ||
         secret_words().example_uuids.has_part_of(to_lower_ascii(value));
}

// Values that are code or another notation, when they do not stand in quotes.
bool is_expression(std::string_view value) {
  if (contains(value, "(") || contains(value, "=>") || contains(value, "::") ||
      contains(value, "->") || contains(value, "[") || contains(value, "{") ||
      contains(value, "&&") || contains(value, "||")) {
    return true;
  }
  // "==" compares; at the end it pads base64.
  if (contains(value.substr(0, value.find_last_not_of('=') + 1), "==")) return true;
  if (value[0] == '&' || value[0] == '*' || value[0] == '/' || value[0] == '\\' ||
      value[0] == '#' || value[0] == '<' || value[0] == '|' || value[0] == '+' || value[0] == '.' ||
      value[0] == '-' || value[0] == '^' || value[0] == '~') {
    return !is_random(value) || value.size() < 12;
  }
  // name$1 of compilers
  if (value.find('$') != std::string_view::npos && is_letter(value[0]) &&
      std::ranges::all_of(value, [](char c) { return is_alnum(c) || c == '_' || c == '$'; }) &&
      !is_leet(value)) {
    return true;
  }
  // a.b.c, a.b1
  const std::size_t dot = value.find('.');
  if (dot != std::string_view::npos && dot > 0 && dot + 1 < value.size()) {
    bool all_names = true;
    for (const std::string_view part : split(value, '.')) {
      const std::string_view name =
          part.ends_with('?') || part.ends_with('!') ? part.substr(0, part.size() - 1) : part;
      all_names = all_names && is_identifier(name) && !is_leet(name);
    }
    if (all_names && mixing(value) < 0.2) return true;
  }
  return false;
}

// Values that are code, a pattern, a path, an address or a number even in quotes.
bool is_notation(std::string_view value) {
  if (value.starts_with("http://") || value.starts_with("https://") ||
      value.starts_with("file://") || value.starts_with("./") || value.starts_with("../") ||
      value.starts_with("--") || value.starts_with("~/") || value.starts_with("mailto:") ||
      value.starts_with("data:") || value.starts_with("urn:")) {
    return true;
  }
  if (value.front() == '/' && (contains(value, ".") || is_words(value.substr(1)))) return true;
  if (value.front() == '^' && value.back() == '$') return true;
  // batch=1
  const std::size_t equals = value.find('=');
  if (value.find_first_not_of('=', equals) < value.size() && value.size() - equals <= 6 &&
      is_identifier(value.substr(0, equals)) && !is_leet(value.substr(0, equals))) {
    return true;
  }
  if (contains(value, "\\d") || contains(value, "\\w") || contains(value, "\\s") ||
      contains(value, "[a-z") || contains(value, "[A-Z") || contains(value, "[0-9") ||
      ((contains(value, "[^") || contains(value, ".*") || contains(value, "(?")) &&
       !is_signs_and_letters(value))) {
    return true;
  }
  if (value.front() == '#' && value.size() <= 9 &&
      std::ranges::all_of(value.substr(1), is_hex_digit)) {
    return true;  // a colour
  }
  return secret_words().hashes.has_beginning_of(value);
}

Allowed judge_password(std::string_view value, bool is_quoted);

// Whether `value` has Chinese, Japanese or Korean in it, which separates no words: lead bytes of
// U+3000 to U+D7FF.
bool is_east_asian(std::string_view value) {
  return std::ranges::any_of(value, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xE3 && byte <= 0xED;
  });
}

// A sentence without spaces: its ASCII parts are judged run by run.
Allowed judge_east_asian(std::string_view value) {
  std::size_t begin = 0;
  while (begin < value.size()) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    std::size_t end = begin;
    while (end < value.size() && is_ascii(value[end])) ++end;
    if (end > begin && judge_password(value.substr(begin, end - begin), false) == Allowed::kNone) {
      return Allowed::kNone;
    }
    begin = end;
    while (begin < value.size() && !is_ascii(value[begin])) ++begin;
  }
  return Allowed::kWord;
}

Allowed judge_password(std::string_view value, bool is_quoted) {
  if (!is_quoted && is_expression(value)) return Allowed::kCode;
  if (is_notation(value)) return Allowed::kCode;
  if (!is_quoted && is_east_asian(value)) return judge_east_asian(value);
  if (contains(value, " ")) {
    return has_random_word(value) || is_passphrase(value) ? Allowed::kNone : Allowed::kWord;
  }
  if (value.size() < 6) return Allowed::kTooShort;
  if (is_version(value)) return Allowed::kWord;
  if (is_number(value)) return value.size() >= 8 ? Allowed::kNone : Allowed::kWord;
  if (is_quantity(value)) return Allowed::kWord;
  if (distinct_bytes(value) <= 3) return Allowed::kRepetition;
  const std::string lower = to_lower_ascii(value);
  if (secret_words().technical.has(lower)) return Allowed::kWord;
  if (!has_letter(value)) {
    // Letters of another script alone are a word as well.
    const bool is_word =
        !has_digit(value) && !has_password_mark(value) &&
        std::ranges::any_of(value, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    return distinct_bytes(value) > 4 && !is_word ? Allowed::kNone : Allowed::kWord;
  }
  if (!has_digit(value)) {
    if (is_passphrase(value) || is_unspeakable(value)) return Allowed::kNone;
    if (is_quoted && is_signs_and_letters(value)) return Allowed::kNone;
    // Words with marks between are prose or code; a password has them within or mixes capitals.
    if (has_password_mark(value) && is_quoted && mixing(value) >= 0.2) return Allowed::kNone;
    const std::string_view inner = value.substr(1, value.size() - 2);
    if (is_quoted && has_password_mark(inner) && !contains(value, "=") && !contains(value, "&")) {
      return Allowed::kNone;
    }
    return mixing(value) >= 0.3 && value.size() >= 8 ? Allowed::kNone : Allowed::kWord;
  }
  // Letters and digits. Names end in digits too; what they are made of are words.
  if (is_passphrase(value)) return Allowed::kNone;
  if (is_words(value) && !is_unspeakable(value)) {
    const std::string_view root = without_final_digits(lower);
    if (secret_words().weak_placeholders.has_part_of(root)) return Allowed::kPlaceholder;
    const bool is_compound = contains(value, "_") || contains(value, ".") || contains(value, "/") ||
                             contains(value, ":") || contains(value, "-");
    if (is_compound && mixing(value) < 0.25) return Allowed::kWord;
    if (!is_quoted && is_upper(value[0]) && mixing(value) < 0.2) return Allowed::kWord;
  }
  return Allowed::kNone;
}

Allowed judge_token(std::string_view value, bool is_quoted, double min_entropy) {
  if (!is_quoted && is_expression(value)) return Allowed::kCode;
  if (is_notation(value)) return Allowed::kCode;
  if (contains(value, " ")) return has_random_word(value) ? Allowed::kNone : Allowed::kWord;
  if (is_number(value)) return value.size() >= 20 ? Allowed::kNone : Allowed::kWord;
  if (is_quantity(value) || is_version(value)) return Allowed::kWord;
  if (value.size() < 8) return Allowed::kTooShort;
  if ((is_quoted && (is_signs_and_letters(value) || is_of_every_kind(value))) ||
      (has_digit(value) && is_passphrase(value))) {
    return Allowed::kNone;
  }
  if (value.size() < 16) {
    // Short ones: letters, digits and more than a name has.
    if (!has_digit(value) || !has_letter(value)) {
      return is_quoted && value.size() >= 10 && mixing(value) >= 0.3 ? Allowed::kNone
                                                                     : Allowed::kWord;
    }
    const bool is_mixed = mixing(value) >= (is_quoted ? 0.25 : 0.3) || has_password_mark(value) ||
                          is_leet(value) || is_unspeakable(value) ||
                          (is_quoted && mixing(value) >= 0.15 && has_drawn_letters(value));
    return is_mixed ? Allowed::kNone : Allowed::kWord;
  }
  // So many characters cannot have more.
  const double most = std::log2(static_cast<double>(value.size()));
  if (byte_entropy(value) < std::min(min_entropy, most * 0.75)) return Allowed::kRepetition;
  if (!is_random(value)) return Allowed::kWord;
  if (!has_digit(value) && mixing(value) < 0.2) {
    // Names in parts may have odd ones, but no long ones.
    const bool is_one = std::ranges::all_of(value, is_letter);
    return is_one ? (is_unspeakable(value) ? Allowed::kNone : Allowed::kWord)
                  : (has_long_gibberish(value) ? Allowed::kNone : Allowed::kWord);
  }
  return Allowed::kNone;
}

Allowed judge_prose(std::string_view value, bool is_quoted) {
  if (value.size() < 6) return Allowed::kTooShort;
  if (!is_quoted && (!has_digit(value) || !has_letter(value)) && !is_unspeakable(value)) {
    return Allowed::kWord;
  }
  return judge_password(value, is_quoted);
}

// What follows a name with nothing that assigns it.
Allowed judge_spaced(std::string_view value, bool is_quoted) {
  if (value.size() < 8) return Allowed::kTooShort;
  if (!has_digit(value) || !has_letter(value)) return Allowed::kWord;
  const bool is_odd = mixing(value) >= 0.35 || (has_password_mark(value) && mixing(value) >= 0.2);
  return is_odd ? judge_password(value, is_quoted) : Allowed::kWord;
}

Allowed judge_literal(std::string_view value, bool is_quoted) {
  if (!is_quoted && is_expression(value) && !is_random(value)) return Allowed::kCode;
  if (is_notation(value)) return Allowed::kCode;
  if (value.size() < 4) return Allowed::kTooShort;
  return Allowed::kNone;
}

Allowed judge_user_pass(std::string_view value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string_view::npos || colon + 1 >= value.size()) return Allowed::kFormat;
  return judge_value(value.substr(colon + 1), ValueTest::kLiteral, true, 0);
}

Allowed judge_basic(std::string_view value) {
  const std::string decoded = decode_base64(value, Base64::kAny).value_or("");
  const bool is_text = is_valid_utf8(decoded) && std::ranges::all_of(decoded, [](char c) {
                         return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F;
                       });
  return is_text ? judge_user_pass(decoded) : Allowed::kFormat;
}

}  // namespace

std::string_view allowed_reason(Allowed allowed) {
  switch (allowed) {
    case Allowed::kNone:
      return "nothing";
    case Allowed::kReference:
      return "a reference to where the value comes from";
    case Allowed::kPlaceholder:
      return "a placeholder";
    case Allowed::kExample:
      return "a published example";
    case Allowed::kRepetition:
      return "too regular to be random";
    case Allowed::kWord:
      return "a word, a name or a sentence";
    case Allowed::kCode:
      return "code or a notation";
    case Allowed::kTooShort:
      return "too short";
    case Allowed::kDigest:
      return "a digest or a public value";
    case Allowed::kName:
      return "the name is of something else than the secret";
    case Allowed::kFormat:
      return "not of the format";
  }
  return "nothing";
}

bool is_public_key(std::string_view token) {
  return secret_words().public_keys.has_beginning_of(token) &&
         std::ranges::all_of(
             token, [](char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.'; });
}

Allowed judge_value(std::string_view value, ValueTest test, bool is_quoted, double min_entropy) {
  if (test == ValueTest::kAnything || test == ValueTest::kKeyBlock) return Allowed::kNone;
  value = trim(value);
  if (value.empty()) return Allowed::kTooShort;
  if (contains(value, "[REDACTED")) return Allowed::kPlaceholder;
  if (is_example(value)) return Allowed::kExample;
  if (is_public_key(value)) return Allowed::kDigest;
  const std::string lower = to_lower_ascii(value);
  if (test == ValueTest::kFormat) {
    if (is_strong_placeholder(value, lower)) return Allowed::kPlaceholder;
    if (contains(value, "${") || contains(value, "{{")) return Allowed::kReference;
    return byte_entropy(value) < min_entropy ? Allowed::kRepetition : Allowed::kNone;
  }
  if (is_reference(value, lower, is_quoted)) return Allowed::kReference;
  if (test == ValueTest::kBasic) return judge_basic(value);
  if (test == ValueTest::kUserPass) return judge_user_pass(value);
  if (is_placeholder(value, lower)) return Allowed::kPlaceholder;
  switch (test) {
    case ValueTest::kLiteral:
      return judge_literal(value, is_quoted);
    case ValueTest::kRandom:
      return judge_token(value, is_quoted, min_entropy);
    case ValueTest::kSpaced:
      return judge_spaced(value, is_quoted);
    case ValueTest::kProse:
      return judge_prose(value, is_quoted);
    case ValueTest::kSigns:
      return is_signs_and_letters(value) ? Allowed::kNone : Allowed::kCode;
    default:
      return judge_password(value, is_quoted);
  }
}

}  // namespace codexmem::privacy
