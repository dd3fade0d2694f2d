#include "hook/random.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <chrono>
#include <cstdint>

namespace codexmem::hook {

std::string random_hex(int digits) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
    number =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) *
        0x9E3779B97F4A7C15U;
  }
  return fmt::format("{:016x}", number).substr(0, static_cast<std::size_t>(digits));
}

}  // namespace codexmem::hook
