// memory/clock.h - the time of day, passed in, so that tests can set it.
#pragma once

#include <cstdint>
#include <functional>

namespace codexmem::memory {

/// Milliseconds since 1970, UTC. Safe to call from many threads.
using Clock = std::function<std::int64_t()>;

/// The machine's clock.
Clock system_clock();

/// How far clocks may differ. A later date is in the future, and does not count.
inline constexpr std::int64_t kClockSkewMs = 10 * 60 * 1000;
constexpr bool is_ahead(std::int64_t moment_ms, std::int64_t now_ms) {
  return moment_ms > now_ms + kClockSkewMs;
}
constexpr std::int64_t not_later(std::int64_t moment_ms, std::int64_t now_ms) {
  return is_ahead(moment_ms, now_ms) ? now_ms : moment_ms;
}

}  // namespace codexmem::memory
