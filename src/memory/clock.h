// memory/clock.h - the time of day, passed in, so that tests can set it.
#pragma once

#include <cstdint>
#include <functional>

namespace codexmem::memory {

/// Milliseconds since 1970, UTC. Safe to call from many threads.
using Clock = std::function<std::int64_t()>;

/// The machine's clock.
Clock system_clock();

}  // namespace codexmem::memory
