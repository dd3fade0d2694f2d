#include "privacy/secret_maker.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/crc32.h"

namespace codexmem::privacy::testing {
namespace {

constexpr std::string_view kBech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
constexpr std::string_view kWords[] = {"copper", "lantern", "river",  "mango",  "kettle", "harbour",
                                       "velvet", "pepper",  "walrus", "summit", "tundra", "biscuit",
                                       "marble", "falcon",  "ginger", "anchor"};

std::string number(std::uint64_t value, std::string_view digits, std::size_t width) {
  std::string text(width, digits[0]);
  for (std::size_t i = width; i-- > 0; value /= digits.size())
    text[i] = digits[value % digits.size()];
  return text;
}

// Source: BIP 173, "Checksum".
std::string bech32_checksum(std::string_view human_part, std::string_view data) {
  std::vector<std::uint32_t> values;
  for (const char c : human_part) values.push_back(static_cast<unsigned char>(c) >> 5U);
  values.push_back(0);
  for (const char c : human_part) values.push_back(static_cast<unsigned char>(c) & 31U);
  for (const char c : data) values.push_back(static_cast<std::uint32_t>(kBech32.find(c)));
  values.insert(values.end(), 6, 0);
  constexpr std::array<std::uint32_t, 5> kGenerator = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa,
                                                       0x3d4233dd, 0x2a1462b3};
  std::uint32_t sum = 1;
  for (const std::uint32_t value : values) {
    const std::uint32_t top = sum >> 25U;
    sum = (sum & 0x1ffffffU) << 5U ^ value;
    for (std::size_t i = 0; i < 5; ++i) sum ^= (top >> i & 1U) != 0 ? kGenerator[i] : 0U;
  }
  sum ^= 1U;
  std::string checksum;
  for (std::uint32_t i = 0; i < 6; ++i) checksum += kBech32[sum >> 5U * (5 - i) & 31U];
  return checksum;
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string encode64(std::string_view bytes, std::string_view digits) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? digits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

std::string word(Dice& dice) { return std::string(kWords[dice.below(std::size(kWords))]); }

std::string capital(std::string text) {
  text[0] = upper(text.substr(0, 1))[0];
  return text;
}

}  // namespace

Dice::Dice(std::string_view seed) : engine_(crc32(seed)) {}

std::string Dice::chars(std::string_view alphabet, std::size_t length) {
  std::string text;
  while (text.size() < length) text += alphabet[below(alphabet.size())];
  return text;
}

Shape chars(std::string_view alphabet, std::size_t length) {
  return [=](Dice& dice) { return dice.chars(alphabet, length); };
}

Shape fixed(std::string text) {
  return [text = std::move(text)](Dice&) { return text; };
}

Shape all(std::vector<Shape> parts) {
  return [parts = std::move(parts)](Dice& dice) {
    std::string text;
    for (const Shape& part : parts) text += part(dice);
    return text;
  };
}

Shape uuid() {
  return [](Dice& dice) {
    return dice.chars(kHex, 8) + "-" + dice.chars(kHex, 4) + "-4" + dice.chars(kHex, 3) + "-" +
           dice.chars("89ab", 1) + dice.chars(kHex, 3) + "-" + dice.chars(kHex, 12);
  };
}

Shape checked(std::size_t random_length) {
  return [=](Dice& dice) {
    const std::string random = dice.chars(kBase62, random_length);
    return random + number(crc32(random), kBase62, 6);
  };
}

Shape routable(std::string prefix) {
  return [prefix = std::move(prefix)](Dice& dice) {
    const std::string payload =
        base64_url("o:1\nu:" + dice.chars(kBase36, 3) + "\n" + dice.chars(kBase62, 16));
    const std::string body = payload + ".01." + number(payload.size(), kBase36, 2);
    return body + number(crc32(prefix + body), kBase36, 7);
  };
}

Shape bech32(std::string human_part, std::size_t data_length, bool is_upper) {
  return [=](Dice& dice) {
    const std::string data = dice.chars(kBech32, data_length);
    const std::string text = data + bech32_checksum(human_part, data);
    return is_upper ? upper(text) : text;
  };
}

Shape base64_lines(std::string start, std::size_t lines, std::size_t width, std::string line_end) {
  return [=](Dice& dice) {
    std::string text = start + dice.chars(kBase64, width - start.size());
    for (std::size_t i = 1; i < lines; ++i) {
      text += line_end + dice.chars(kBase64, i + 1 < lines ? width : width / 2);
    }
    return text;
  };
}

Shape jwt(std::string algorithm, std::size_t signature_length) {
  return [=](Dice& dice) {
    const std::string header = R"({"alg":")" + algorithm + R"(","typ":"JWT"})";
    const std::string claims = R"({"sub":"u_)" + dice.chars(kBase36, 12) +
                               R"(","iss":"https://auth.acme.io/","exp":17)" +
                               dice.chars(kDigits, 8) + R"(,"scope":"orders:write"})";
    return base64_url(header) + "." + base64_url(claims) + "." +
           dice.chars(kUrl64, signature_length);
  };
}

Shape basic(std::string user) {
  return [=](Dice& dice) { return base64(user + ":" + plain_password()(dice)); };
}

Shape strong_password() {
  return [](Dice& dice) {
    return dice.chars(kLetters, 4) + dice.chars(kDigits, 2) + dice.chars("!#%^*_+?", 1) +
           dice.chars(kBase62, 8) + dice.chars("!#%^*_+?", 1) + dice.chars(kBase62, 4);
  };
}

Shape plain_password() {
  return [](Dice& dice) {
    return dice.chars(kLetters, 6) + dice.chars(kDigits, 2) + dice.chars(kBase62, 8);
  };
}

Shape human_password() {
  return [](Dice& dice) {
    return capital(word(dice)) + capital(word(dice)) + dice.chars(kDigits, 2) +
           dice.chars("!?*", 1);
  };
}

Shape seasonal_password() {
  return [](Dice& dice) {
    constexpr std::string_view kSeasons[] = {"Spring", "Summer", "Autumn", "Winter"};
    return std::string(kSeasons[dice.below(4)]) + "20" + dice.chars("2", 1) +
           dice.chars("3456", 1) + dice.chars("!?*", 1);
  };
}

Shape passphrase() {
  return [](Dice& dice) {
    std::string text = word(dice);
    for (int i = 0; i < 3; ++i) text += "-" + word(dice);
    return text;
  };
}

std::string base64(std::string_view bytes) { return encode64(bytes, kBase64); }

std::string base64_url(std::string_view bytes) {
  std::string text = encode64(bytes, kUrl64);
  text.erase(std::find(text.begin(), text.end(), '='), text.end());
  return text;
}

std::string pem_begin(std::string_view kind) { return glue({"-----", "BEGIN ", kind, "-----"}); }
std::string pem_end(std::string_view kind) { return glue({"-----", "END ", kind, "-----"}); }

std::string fill(std::string_view text, std::string_view value) {
  constexpr std::string_view kMark = "§";
  std::string filled;
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark)) {
    filled.append(text.substr(0, at)).append(value);
    text.remove_prefix(at + kMark.size());
  }
  return filled.append(text);
}

std::string glue(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

std::string some_uuid(std::string_view seed) {
  Dice dice(seed);
  return uuid()(dice);
}

}  // namespace codexmem::privacy::testing
