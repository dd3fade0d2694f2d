// serve/team/address_range.h - a range of network addresses, "10.0.0.0/8" or "fd00::/8".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace codexmem::serve {

/// A value; thread-safe.
class AddressRange {
 public:
  /// An address in numbers, optionally with "/" and the number of significant bits. Nothing for
  /// another text, or if insignificant bits are set.
  static std::optional<AddressRange> parse(std::string_view text);

  /// True if `address`, in numbers, is in the range; false if it is not an address.
  bool holds(std::string_view address) const;

  /// True if it includes loopback addresses, so that programs on this machine are in it.
  bool has_loopback() const;

 private:
  // IPv4 addresses are stored as IPv6, ::ffff:1.2.3.4.
  using Bytes = std::array<std::uint8_t, 16>;
  static std::optional<Bytes> read(std::string_view text, bool* is_four);

  Bytes bytes_ = {};
  int bits_ = 128;
};

}  // namespace codexmem::serve
