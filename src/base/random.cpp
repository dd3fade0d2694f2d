#include "base/random.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/result.h"

namespace codexmem {

std::string random_hex(std::size_t digits) {
  std::string hex;
  while (hex.size() < digits) {
    // At most 256 bytes: as many come whole, whatever signals arrive.
    std::array<unsigned char, 32> bytes{};
    ssize_t got = 0;
    do {
      got = ::getrandom(bytes.data(), bytes.size(), 0);
    } while (got < 0 && errno == EINTR);
    CODEXMEM_CHECK(got == static_cast<ssize_t>(bytes.size()));
    hex += fmt::format("{:02x}", fmt::join(bytes, ""));
  }
  hex.resize(digits);
  return hex;
}

}  // namespace codexmem
