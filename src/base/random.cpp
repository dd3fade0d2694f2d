#include "base/random.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/result.h"

namespace codexmem {

void fill_random(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    // getrandom(2) returns up to 256 bytes at once, even if signals arrive.
    const std::size_t count = std::min<std::size_t>(bytes.size(), 256);
    ssize_t got = 0;
    do {
      got = ::getrandom(bytes.data(), count, 0);
    } while (got < 0 && errno == EINTR);
    CODEXMEM_CHECK(got == static_cast<ssize_t>(count));
    bytes = bytes.subspan(count);
  }
}

std::string random_hex(std::size_t digits) {
  std::string hex;
  while (hex.size() < digits) {
    std::array<unsigned char, 32> bytes{};
    fill_random(std::as_writable_bytes(std::span(bytes)));
    hex += fmt::format("{:02x}", fmt::join(bytes, ""));
  }
  hex.resize(digits);
  return hex;
}

}  // namespace codexmem
