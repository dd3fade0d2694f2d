// base/hash.h - content hashes. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// The SHA-256 of `bytes`, 64 lower-case hexadecimal digits. Source: OpenSSL's libcrypto.
std::string sha256_hex(std::string_view bytes);

/// The HMAC-SHA256 of `bytes` under `key`, 64 lower-case hexadecimal digits. Source: RFC 2104.
std::string hmac_sha256_hex(std::string_view key, std::string_view bytes);

}  // namespace codexmem
