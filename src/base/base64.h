// base/base64.h - decoding of base64 (RFC 4648). Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem {

enum class Base64 : std::uint8_t {
  kStrict,  // the standard alphabet, whole groups of four, padding only at the end
  kAny,     // also the alphabet of URLs, without padding, with white space
};

/// The bytes that `text` encodes; nothing when it is not base64.
std::optional<std::string> decode_base64(std::string_view text, Base64 form);

}  // namespace codexmem
