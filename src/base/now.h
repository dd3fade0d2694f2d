// base/now.h - the time now, as a number. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>

namespace codexmem {

/// Nanoseconds since 1970, UTC.
inline std::int64_t now_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Milliseconds since 1970, UTC.
inline std::int64_t now_ms() { return now_ns() / 1'000'000; }

/// Milliseconds of a clock that nobody sets.
inline std::int64_t steady_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace codexmem
