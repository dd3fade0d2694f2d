// base/hash.h - content hashes and checksums. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace codexmem {

/// The SHA-256 of `bytes`, 64 lower-case hexadecimal digits. Source: OpenSSL's libcrypto.
std::string sha256_hex(std::string_view bytes);

/// The HMAC-SHA256 of `bytes` under `key`, 64 lower-case hexadecimal digits. Source: RFC 2104.
std::string hmac_sha256_hex(std::string_view key, std::string_view bytes);

/// The CRC-32 of `bytes` (polynomial 0xEDB88320, as zlib computes it), or of what had the checksum
/// `before` and `bytes` after it.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace codexmem
