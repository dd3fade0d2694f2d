// A password may be anything, so what is told here is what it is not. The judgements go from the
// certain to the vague: references and placeholders first, then what code and prose look like, and
// last whether the value looks random. Sequences of characters are judged by how often letters and
// digits change: in random text about 0.4 times a character, in names below 0.2.
//
// Tested by privacy/policy_test.cpp.
#include "privacy/secret_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::privacy {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::ranges::find(list, text) != list.end();
}

// Marks that a value comes from elsewhere, anywhere in it.
constexpr auto kReferenceParts =
    std::to_array<std::string_view>({"process.env", "import.meta.env",
                                     "os.environ",  "getenv",
                                     "env::var",    "env!(",
                                     "env(",        "env[",
                                     "environment", "secrets.",
                                     "secrets[",    "op://",
                                     "vault:",      "vault://",
                                     "keyring:",    "ssm:",
                                     "arn:aws",     "sm://",
                                     "secretref:",  "/run/secrets",
                                     "valuefrom",   "secretkeyref",
                                     "keyvault(",   "@microsoft.keyvault",
                                     "projects/",   "!ref",
                                     "!sub",        "!getatt",
                                     "resolve:"});

bool is_identifier(std::string_view text) {
  return !text.empty() && (is_letter(text[0]) || text[0] == '_') &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_'; });
}

// Digits between letters, as in s3cret, which names do not have.
bool is_leet(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (is_digit(text[i]) && is_letter(text[i - 1]) && is_letter(text[i + 1])) return true;
  }
  return false;
}

// What templates put in from elsewhere: how it opens and closes.
constexpr std::array<std::array<std::string_view, 2>, 8> kTemplates = {{{"{{", "}}"},
                                                                        {"${", "}"},
                                                                        {"#{", "}"},
                                                                        {"@{", "}"},
                                                                        {"$(", ")"},
                                                                        {"%(", ")s"},
                                                                        {"<%", "%>"},
                                                                        {"@@", "@@"}}};

bool is_random(std::string_view value);
bool has_drawn_letters(std::string_view value);

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
  for (const std::string_view part : kReferenceParts) {
    if (contains(lower, part)) return true;
  }
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

// Words that say of themselves that they are not the value.
constexpr auto kStrongPlaceholders = std::to_array<std::string_view>(
    {"example",   "placeholder", "redacted",     "changeme",     "change_me",
     "change-me", "changethis",  "change-this",  "change_this",  "replaceme",
     "replace-",  "replace_",    "replace with", "your-",        "your_",
     "your ",     "yourkey",     "yourtoken",    "yourapi",      "yoursecret",
     "yourpass",  "****",        "....",         "\xE2\x80\xA6", "\xE2\x80\xA2\xE2\x80\xA2",
     "dummy",     "insert-",     "insert_",      "enter-",       "enter_",
     "todo",      "fixme",       "placehold"});

// Placeholders as a whole, digits at their end aside.
constexpr auto kWholePlaceholders = std::to_array<std::string_view>(
    {"password",   "passwd",    "passwort", "passphrase", "pass",     "pwd",       "pw",
     "psw",        "secret",    "token",    "key",        "apikey",   "api_key",   "api-key",
     "auth",       "bearer",    "user",     "username",   "login",    "admin",     "root",
     "guest",      "postgres",  "mysql",    "mongo",      "redis",    "rabbitmq",  "test",
     "testing",    "tester",    "demo",     "sample",     "foo",      "bar",       "baz",
     "qux",        "quux",      "foobar",   "foobarbaz",  "foobaz",   "abc",       "abcd",
     "abcdef",     "abcdefg",   "abcdefgh", "asdf",       "asdfasdf", "qwerty",    "default",
     "string",     "str",       "bytes",    "text",       "value",    "val",       "number",
     "int",        "bool",      "boolean",  "object",     "any",      "none",      "null",
     "nil",        "undefined", "true",     "false",      "empty",    "blank",     "optional",
     "required",   "hidden",    "masked",   "private",    "public",   "fake",      "mock",
     "stub",       "temp",      "tmp",      "my",         "some",     "the",       "changeit",
     "xxx",        "yyy",       "zzz",      "hash",       "hashed",   "encrypted", "unknown",
     "deprecated", "see",       "await",    "async",      "new",      "not",       "type",
     "field",      "var"});

// Words that make a value of words alone one, as in my-secret-token.
constexpr auto kWeakPlaceholders = std::to_array<std::string_view>(
    {"pass",   "secret", "token", "key",   "auth",  "credential", "test",   "demo",
     "sample", "fake",   "mock",  "foo",   "bar",   "some",       "your",   "here",
     "value",  "string", "user",  "admin", "login", "default",    "super",  "insecure",
     "temp",   "stub",   "valid", "wrong", "bad",   "client",     "access", "development"});

// Names of algorithms and formats, which mix letters and digits.
constexpr auto kTechnicalWords = std::to_array<std::string_view>(
    {"md5",     "sha1",    "sha2",   "sha3",   "sha224",   "sha256", "sha384", "sha512",
     "base64",  "base32",  "base58", "utf8",   "utf16",    "utf32",  "uuid4",  "uuid1",
     "uuid7",   "oauth",   "oauth1", "oauth2", "http2",    "http3",  "ipv4",   "ipv6",
     "int8",    "int16",   "int32",  "int64",  "uint8",    "uint16", "uint32", "uint64",
     "float32", "float64", "hs256",  "hs384",  "hs512",    "rs256",  "es256",  "ed25519",
     "aes128",  "aes256",  "bcrypt", "argon2", "argon2id", "pbkdf2", "scram",  "win32"});

std::string_view without_final_digits(std::string_view text) {
  while (!text.empty() && (is_digit(text.back()) || text.back() == '!' || text.back() == '_' ||
                           text.back() == '-')) {
    text.remove_suffix(1);
  }
  return text;
}

// Letters, with '-', '_', '.' or spaces between and digits only at the end of a part.
bool is_words(std::string_view text) {
  bool has_letter = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_letter(c)) {
      if (i > 0 && is_digit(text[i - 1])) return false;
      has_letter = true;
    } else if (!is_digit(c) && c != '-' && c != '_' && c != '.' && c != ' ' && c != '/' &&
               c != ':') {
      return false;
    }
  }
  return has_letter;
}

std::size_t distinct_bytes(std::string_view text) {
  std::array<bool, 256> seen{};
  for (const char c : text) seen[static_cast<unsigned char>(c)] = true;
  return static_cast<std::size_t>(std::ranges::count(seen, true));
}

bool is_unspeakable(std::string_view value);

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
  for (const std::string_view part : kStrongPlaceholders) {
    if (contains(lower, part)) return true;
  }
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
  if (is_one_of(root, kWholePlaceholders)) return true;
  if (is_words(lower) && !is_unspeakable(value)) {
    // Words of which one says so: my-secret-token, test_password_1.
    for (const std::string_view part : kWeakPlaceholders) {
      if (contains(lower, part)) return true;
    }
  }
  return false;
}

// Vendors' and standards' published examples, by a part that is in no other.
constexpr auto kExamples = std::to_array<std::string_view>({
    "AKIAIOSFODNN7",                                     // Amazon's documentation
    "wJalrXUtnFEMI",                                     // the same
    "je7MtGbClwBF",                                      // the same
    "SflKxwRJSMeKKF2QT4fw",                              // jwt.io's signature
    "4eC39HqLyjWDarjtT1zdp",                             // Stripe's documentation
    "BQokikJOvBiI2HlWgH4olfQ2",                          // the same
    "QWxhZGRpbjpvcGVuIHNlc2FtZQ",                        // RFC 7617
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsu",  // the storage emulator's account
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEH",                  // the database emulator's account
    "mF_9.B5f-4",                                        // RFC 6750
    "2YotnFZFEjr1zCsi",                                  // RFC 6749
    "tGzv3JOkF0XG5Qx2",                                  // the same
    "czZCaGRSa3F0Mzpn",                                  // the same
    "16C7e42F292c6912E",                                 // GitHub's documentation
    "ABC-DEF1234ghIkl",                                  // Telegram's documentation
    "JBSWY3DPEHPK3PXP",                                  // one-time passwords' URI format
});

bool is_example(std::string_view value) {
  if (std::ranges::any_of(kExamples, [&](std::string_view part) { return contains(value, part); }))
    return true;
  // The UUIDs of the documents that explain them.
  static constexpr auto kUuids = std::to_array<std::string_view>(
      {"550e8400-e29b-", "123e4567-e89b-", "00000000-0000-", "6ba7b810-9dad-"});
  const std::string lower = to_lower_ascii(value);
  return std::ranges::any_of(kUuids, [&](std::string_view part) { return contains(lower, part); });
}

// Keys that their vendors mean to be in every page and application, by how they begin.
constexpr auto kPublicKeys = std::to_array<std::string_view>({
    "pk_live_",  // Stripe, Clerk, Paystack
    "pk_test_",
    "pk.eyJ",   // Mapbox
    "phc_",     // PostHog
    "FLWPUBK",  // Flutterwave
    "sb_publishable_",
    "public-token-live-",  // Stytch
    "public-token-test-",
});

// Changes between letters and digits and from small to capital letters, a character.
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

// Sixteen letters or more in a row that are no words.
bool has_long_gibberish(std::string_view value) {
  for (std::size_t begin = 0; begin < value.size();) {
    std::size_t end = begin;
    while (end < value.size() && is_letter(value[end])) ++end;
    if (end - begin >= 16 && is_gibberish(value.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

// The same of a value's letters, whatever stands between them.
bool has_drawn_letters(std::string_view value) {
  std::string letters;
  std::ranges::copy_if(value, std::back_inserter(letters), is_letter);
  return letters.size() >= 6 && pair_mean(letters) < gibberish_limit(letters);
}

// Letters that no language puts in a row: six without a vowel, or pairs that words do not have.
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

bool is_random(std::string_view value) {
  return mixing(value) >= 0.2 || is_unspeakable(value) || is_long_hex(value) || is_uuid(value) ||
         is_drawn(value);
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

// Signs between single letters and digits, in quotes: nothing but a password looks so.
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
  // Hashes of passwords.
  static constexpr auto kHashes = std::to_array<std::string_view>(
      {"$2a$", "$2b$", "$2y$", "$y$", "$1$", "$5$", "$6$", "$argon2", "$apr1$", "$pbkdf2",
       "$scrypt", "{SHA}", "{SSHA}", "pbkdf2_sha", "scrypt:"});
  for (const std::string_view hash : kHashes) {
    if (value.starts_with(hash)) return true;
  }
  static constexpr auto kDigests =
      std::to_array<std::string_view>({"sha1-", "sha256-", "sha384-", "sha512-", "sha256:"});
  for (const std::string_view digest : kDigests) {
    if (value.starts_with(digest)) return true;
  }
  return false;
}

// npm:^1.2.3, >=2.0, v1.2.3-rc.1
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

// 10px, 30s, 2.5rem, 16GB, v1.2.3, 2024-01-01T00:00:00Z
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

// Marks that a password has and a name has not.
bool has_password_mark(std::string_view value) {
  return std::ranges::any_of(value, [](char c) { return contains("!@#$%^&*+=?~|", {&c, 1}); });
}

// Capital and small letters, a digit and a mark, and no query: Autumn2024*, in quotes.
bool is_of_every_kind(std::string_view value) {
  return std::ranges::any_of(value, is_upper) && std::ranges::any_of(value, is_lower) &&
         has_digit(value) && has_password_mark(value) && value.size() >= 8 &&
         !contains(value, "=") && !contains(value, "&") && !contains(value, "://");
}

// Any word of a sentence that is no word itself.
bool has_random_word(std::string_view value) {
  for (const std::string_view word : split(value, ' ')) {
    if (word.size() >= 10 && has_digit(word) && has_letter(word) && mixing(word) >= 0.3)
      return true;
  }
  return false;
}

// Words one after another that make no sentence, perhaps with a number: correct horse battery
// staple, correct-horse-battery-staple-42.
bool is_passphrase(std::string_view value) {
  static constexpr auto kSentenceWords = std::to_array<std::string_view>(
      {"the",  "a",    "an",     "of",   "to",    "is",  "are", "for",  "and", "or",
       "your", "you",  "please", "with", "in",    "on",  "not", "must", "be",  "this",
       "that", "from", "by",     "it",   "as",    "at",  "if",  "has",  "was", "can",
       "will", "no",   "use",    "used", "enter", "new", "old", "when", "my",  "than"});
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
        is_one_of(word, kSentenceWords)) {
      return false;
    }
  }
  return numbers <= 1 && words.size() - numbers >= 4;
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

// A sentence without spaces: what of it is ASCII is judged run by run.
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
  if (is_one_of(lower, kTechnicalWords)) return Allowed::kWord;
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
    for (const std::string_view part : kWeakPlaceholders) {
      if (contains(root, part)) return Allowed::kPlaceholder;
    }
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

// What stands behind a name with nothing that assigns it.
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
  return std::ranges::any_of(kPublicKeys,
                             [&](std::string_view begin) { return token.starts_with(begin); }) &&
         std::ranges::all_of(
             token, [](char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.'; });
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

namespace {

// Words of a name that say that the value is about the secret, not the secret.
constexpr auto kAfter = std::to_array<std::string_view>(
    {"hash",         "hashed",     "digest",    "file",     "path",        "filename",
     "dir",          "url",        "uri",       "endpoint", "name",        "field",
     "label",        "type",       "length",    "len",      "size",        "min",
     "max",          "count",      "counts",    "limit",    "limits",      "policy",
     "regex",        "pattern",    "expiry",    "expires",  "expired",     "expiration",
     "expire",       "ttl",        "lifetime",  "id",       "ids",         "reset",
     "validator",    "validation", "hint",      "prompt",   "input",       "placeholder",
     "error",        "errors",     "message",   "msg",      "description", "desc",
     "help",         "title",      "text",      "class",    "style",       "icon",
     "color",        "format",     "algorithm", "alg",      "version",     "index",
     "position",     "pos",        "kind",      "prefix",   "suffix",      "header",
     "param",        "column",     "table",     "store",    "manager",     "provider",
     "factory",      "service",    "generator", "required", "enabled",     "strength",
     "confirmation", "ref",        "selector",  "mode",     "scheme",      "scope",
     "scopes",       "env",        "var",       "variable", "age",         "date",
     "at",           "map",        "list",      "set",      "usage",       "rotation",
     "stdin",        "through",    "mask",      "mgr",      "encode",      "decode"});

// The same before it.
constexpr auto kBefore = std::to_array<std::string_view>(
    {"public", "publishable", "pub",          "site",      "hash",   "hashed",  "encrypted",
     "next",   "page",        "continuation", "cursor",    "sort",   "primary", "foreign",
     "cache",  "partition",   "forgot",       "forgotten", "change", "no",      "has",
     "is",     "invalid",     "missing",      "wrong",     "num",    "use",     "design"});

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
    word += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
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
      static constexpr auto kTails =
          std::to_array<std::string_view>({"key", "value", "val", "prod", "dev", "live", "base",
                                           "hex", "b64", "data", "str", "raw"});
      const bool known = std::ranges::any_of(
          kTails, [&](std::string_view tail) { return lower.starts_with(tail); });
      if (!known) return Allowed::kName;
    }
  }
  for (const std::string& word : words_of_name(rest)) {
    if (is_one_of(word, kAfter)) return Allowed::kName;
  }
  const auto before = words_of_name(name.substr(0, keyword_begin));
  for (const std::string& word : before) {
    if (is_one_of(word, kBefore)) return Allowed::kName;
  }
  return Allowed::kNone;
}

}  // namespace codexmem::privacy
