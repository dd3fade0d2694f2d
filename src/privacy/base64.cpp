// Tested by privacy/policy_test.cpp.
#include "privacy/base64.h"

#include <array>
#include <cstdint>

namespace codexmem::privacy {
namespace {

constexpr std::int8_t kInvalid = -1;
constexpr std::int8_t kSkipped = -2;

constexpr std::array<std::int8_t, 256> make_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(kInvalid);
  for (int i = 0; i < 26; ++i) {
    values[static_cast<std::size_t>('A' + i)] = static_cast<std::int8_t>(i);
    values[static_cast<std::size_t>('a' + i)] = static_cast<std::int8_t>(26 + i);
  }
  for (int i = 0; i < 10; ++i)
    values[static_cast<std::size_t>('0' + i)] = static_cast<std::int8_t>(52 + i);
  values['+'] = values['-'] = 62;
  values['/'] = values['_'] = 63;
  values[' '] = values['\n'] = values['\r'] = values['\t'] = kSkipped;
  return values;
}
constexpr std::array<std::int8_t, 256> kValues = make_values();

}  // namespace

std::string decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value == kSkipped) continue;
    if (value == kInvalid) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if (++count % 4 == 0) {
      out += static_cast<char>(bits >> 16);
      out += static_cast<char>(bits >> 8);
      out += static_cast<char>(bits);
      bits = 0;
    }
  }
  if (count % 4 == 1) return {};
  if (count % 4 == 2) out += static_cast<char>(bits >> 4);
  if (count % 4 == 3) {
    out += static_cast<char>(bits >> 10);
    out += static_cast<char>(bits >> 2);
  }
  return out;
}

}  // namespace codexmem::privacy
