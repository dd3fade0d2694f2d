// tests/privacy/secret_maker.h - strings in the formats of keys, tokens and passwords, from a seed.
#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <string_view>

namespace codexmem::privacy::testing {

inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::string_view kHex = "0123456789abcdef";
inline constexpr std::string_view kUpperHex = "0123456789ABCDEF";
inline constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
inline constexpr std::string_view kBase36 = "0123456789abcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view kUpper36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline constexpr std::string_view kBase62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::string_view kUrl64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The same draws for the same seed on every machine.
class Dice {
 public:
  explicit Dice(std::string_view seed);

  std::size_t below(std::size_t count) { return engine_() % count; }
  std::string chars(std::string_view alphabet, std::size_t length);

 private:
  std::mt19937 engine_;
};

/// How the part of a secret after its fixed prefix is made.
using Shape = std::function<std::string(Dice&)>;

Shape chars(std::string_view alphabet, std::size_t length);
Shape fixed(std::string text);
/// `parts` one after another, as in `all({chars(kHex, 16), fixed("_"), chars(kHex, 40)})`.
Shape all(std::vector<Shape> parts);
Shape uuid();

/// 30 random characters and the CRC32 of them in base 62, as in the tokens of GitHub and npm.
Shape checked(std::size_t random_length);
/// GitLab's routable tokens: payload, version, length and CRC32 of all before it, in base 36.
Shape routable(std::string prefix);
/// `data_length` characters of Bech32 with their checksum (BIP 173), upper or lower case.
Shape bech32(std::string human_part, std::size_t data_length, bool is_upper);
/// Lines of base64 that begin with `start`, `width` columns, between a header and a footer line
/// which are not part of it.
Shape base64_lines(std::string start, std::size_t lines, std::size_t width, std::string line_end);
/// Signed JSON Web Token of `algorithm`, with claims of a session.
Shape jwt(std::string algorithm, std::size_t signature_length);
/// Base64 of `user`, a colon and a password.
Shape basic(std::string user);

Shape strong_password();    // 20 characters of every class
Shape plain_password();     // 16 letters and digits
Shape human_password();     // two words, digits and a sign
Shape seasonal_password();  // a season, a year and a sign
Shape passphrase();         // four words

std::string base64(std::string_view bytes);
std::string base64_url(std::string_view bytes);  // without padding

/// `-----BEGIN kind-----` and its counterpart.
std::string pem_begin(std::string_view kind);
std::string pem_end(std::string_view kind);

/// `text` with each "§" replaced by `value`.
std::string fill(std::string_view text, std::string_view value);
/// The pieces as one string: for what must not stand whole in a file.
std::string glue(std::initializer_list<std::string_view> pieces);

/// One of `list`, by the dice.
template <typename List>
const auto& pick(const List& list, Dice& dice) {
  return list[dice.below(std::size(list))];
}

/// A UUID that `seed` decides.
std::string some_uuid(std::string_view seed);

}  // namespace codexmem::privacy::testing
