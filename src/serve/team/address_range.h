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
  /// An address in numbers, alone or with "/" and the bits that count. Nothing for another text,
  /// and for one that has bits set which do not count.
  static std::optional<AddressRange> parse(std::string_view text);

  /// Whether `address`, in numbers, is in it; false for what is no address.
  bool holds(std::string_view address) const;

  /// Whether programs of this machine can ask from it.
  bool has_loopback() const;

 private:
  // IPv4 addresses as IPv6 has them, ::ffff:1.2.3.4.
  using Bytes = std::array<std::uint8_t, 16>;
  static std::optional<Bytes> read(std::string_view text, bool* is_four);

  Bytes bytes_ = {};
  int bits_ = 128;
};

}  // namespace codexmem::serve
