#include "memory/clock.h"

#include <chrono>

namespace codexmem::memory {

Clock system_clock() {
  return [] {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::int64_t{std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
  };
}

}  // namespace codexmem::memory
