#include "base/hash.h"

#include <openssl/sha.h>

namespace codexmem {
namespace {

std::string sha256(std::string_view bytes) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

std::string to_hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 0xF];
  }
  return hex;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) { return to_hex(sha256(bytes)); }

// Not OpenSSL's HMAC(): it sets up all of libcrypto first, which takes a millisecond.
std::string hmac_sha256_hex(std::string_view key, std::string_view bytes) {
  std::string block(key.size() > SHA256_CBLOCK ? sha256(key) : std::string(key));
  block.resize(SHA256_CBLOCK, '\0');
  std::string inner = block;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : block) c = static_cast<char>(c ^ 0x5C);
  return to_hex(sha256(block + sha256(inner + std::string(bytes))));
}

}  // namespace codexmem
