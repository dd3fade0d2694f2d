// base/at_once.h - runs calls that wait for something at the same time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace codexmem {

/// Calls `call(0)` to `call(count - 1)` on at most `threads` threads, including this one, and waits
/// for all of them. If the system cannot start more threads, the running ones do the work. The
/// first exception that a call throws is thrown again here, after all calls have ended.
template <typename Call>
void run_at_once(std::size_t count, std::size_t threads, const Call& call) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards thrown
  std::exception_ptr thrown;
  const auto work = [&]() noexcept {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        call(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!thrown) thrown = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;  // joined at the end of the scope
    const std::size_t wanted = std::min(threads, count);
    others.reserve(wanted);
    try {
      while (others.size() + 1 < wanted) others.emplace_back(work);
    } catch (const std::system_error&) {  // no more threads
    }
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace codexmem
