// Tested by serve/team_file_test.cpp.
#include "serve/team/address_range.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

namespace codexmem::serve {
namespace {

constexpr int kBitsOfFour = 32, kBitsOfSix = 128;

}  // namespace

std::optional<AddressRange::Bytes> AddressRange::read(std::string_view text, bool* is_four) {
  const std::string copy(text);
  Bytes bytes{};
  *is_four = ::inet_pton(AF_INET, copy.c_str(), bytes.data() + 12) == 1;
  if (*is_four) {
    bytes[10] = bytes[11] = 0xff;
    return bytes;
  }
  if (::inet_pton(AF_INET6, copy.c_str(), bytes.data()) != 1) return std::nullopt;
  return bytes;
}

std::optional<AddressRange> AddressRange::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  bool is_four = false;
  const auto bytes = read(text.substr(0, slash), &is_four);
  if (!bytes) return std::nullopt;
  AddressRange range;
  range.bytes_ = *bytes;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const char* const end = digits.data() + digits.size();
    int bits = -1;
    const auto [read_to, failed] = std::from_chars(digits.data(), end, bits);
    if (failed != std::errc() || read_to != end || bits < 0) return std::nullopt;
    if (bits > (is_four ? kBitsOfFour : kBitsOfSix)) return std::nullopt;
    range.bits_ = is_four ? bits + kBitsOfSix - kBitsOfFour : bits;
  }
  for (int bit = range.bits_; bit < kBitsOfSix; ++bit) {
    const auto byte = range.bytes_[static_cast<std::size_t>(bit / 8)];
    if ((byte >> (7 - bit % 8) & 1) != 0) return std::nullopt;
  }
  return range;
}

bool AddressRange::holds(std::string_view address) const {
  bool is_four = false;
  const auto bytes = read(address, &is_four);
  if (!bytes) return false;
  for (int bit = 0; bit < bits_; ++bit) {
    const auto at = static_cast<std::size_t>(bit / 8);
    if ((((*bytes)[at] ^ bytes_[at]) >> (7 - bit % 8) & 1) != 0) return false;
  }
  return true;
}

bool AddressRange::has_loopback() const {
  // Two ranges overlap if one contains the first address of the other.
  static const AddressRange kFour = *parse("127.0.0.0/8"), kSix = *parse("::1");
  const auto meets = [this](const AddressRange& other) {
    const int bits = std::min(bits_, other.bits_);
    for (int bit = 0; bit < bits; ++bit) {
      const auto at = static_cast<std::size_t>(bit / 8);
      if (((bytes_[at] ^ other.bytes_[at]) >> (7 - bit % 8) & 1) != 0) return false;
    }
    return true;
  };
  return meets(kFour) || meets(kSix);
}

}  // namespace codexmem::serve
