// sealed := signature "." end "." state
//
// The signature is 64 hexadecimal digits over end, state and request; end is the second of the
// steady clock after which it is refused.
#include "mcp/request_state.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "base/access_token.h"
#include "base/hash.h"
#include "base/random.h"

namespace codexmem::mcp {

namespace {

constexpr std::size_t kSignatureDigits = 64;

std::int64_t seconds(StateSeal::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

StateSeal::StateSeal() : key_(random_hex(64)) {}

std::string StateSeal::sign(std::string_view text, std::string_view request) const {
  return hmac_sha256_hex(key_, fmt::format("{}\n{}{}", text.size(), text, request));
}

std::string StateSeal::seal(std::string_view state, std::string_view request,
                            Clock::time_point now) const {
  const std::string text = fmt::format("{}.{}", seconds(now + kLife), state);
  return fmt::format("{}.{}", sign(text, request), text);
}

std::optional<std::string> StateSeal::open(std::string_view sealed, std::string_view request,
                                           Clock::time_point now) const {
  if (sealed.size() <= kSignatureDigits || sealed[kSignatureDigits] != '.') return std::nullopt;
  const std::string_view text = sealed.substr(kSignatureDigits + 1);
  if (!is_same_secret(sealed.substr(0, kSignatureDigits), sign(text, request))) return std::nullopt;
  const std::size_t dot = text.find('.');
  std::int64_t end = 0;
  std::from_chars(text.data(), text.data() + dot, end);
  if (end < seconds(now)) return std::nullopt;
  return std::string(text.substr(dot + 1));
}

}  // namespace codexmem::mcp
