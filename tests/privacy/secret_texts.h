// tests/privacy/secret_texts.h - texts that look like secrets, made up as the test runs, so that no
// file holds one.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::privacy {

struct SecretText {
  std::string name;  // the class and the vendor
  std::string text;
  std::string secret;  // the part that must not remain after redaction; empty: not checked
};

/// Random characters. Each text has letters and digits where its alphabet has both.
class SecretMaker {
 public:
  explicit SecretMaker(unsigned seed) : random_(seed) {}

  std::string of(std::string_view alphabet, std::size_t length) {
    std::string text;
    while (true) {
      text.clear();
      for (std::size_t i = 0; i < length; ++i) text += alphabet[random_() % alphabet.size()];
      // An alphabet of digits alone has nothing else to ask for.
      const bool has_digits = alphabet.find('7') != std::string_view::npos &&
                              alphabet.find_first_not_of("0123456789") != std::string_view::npos;
      if (!has_digits || length < 6) return text;
      if (text.find_first_of("23456789") != std::string::npos &&
          text.find_first_not_of("0123456789") != std::string::npos) {
        return text;
      }
    }
  }

  std::string hex(std::size_t n) { return of("0123456789abcdef", n); }
  std::string alnum(std::size_t n) {
    return of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", n);
  }
  std::string upper(std::size_t n) { return of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", n); }
  std::string lower(std::size_t n) { return of("abcdefghijklmnopqrstuvwxyz0123456789", n); }
  std::string base32(std::size_t n) { return of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", n); }
  std::string digits(std::size_t n) { return of("123456789", n); }
  std::string base64(std::size_t n) {
    return of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", n);
  }
  std::string base64url(std::size_t n) {
    std::string text = of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", n);
    text.back() = 'x';
    text.front() = 'y';
    return text;
  }
  std::string uuid() {
    return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
  }
  std::string password() { return "gR" + lower(4) + "7!" + lower(3) + "Q"; }

 private:
  std::mt19937 random_;
};

inline std::string to_base64(std::string_view bytes) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kAlphabet[group >> (18 - 6 * k) & 63];
    }
  }
  return out;
}

/// Tokens that their format alone gives away.
std::vector<SecretText> token_texts();
/// Values that their surroundings give away.
std::vector<SecretText> context_texts();
/// Texts that look like secrets but are not.
std::vector<SecretText> harmless_texts();

}  // namespace codexmem::privacy
