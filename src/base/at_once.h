// base/at_once.h - a few calls at the same time, where each waits for something.
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

/// Calls `call(0)` to `call(count - 1)` on at most `threads` threads, of which this one is one, and
/// waits for all. Where the system gives no more threads those that run do it. What a call throws
/// is thrown here, once all have ended: the first of them.
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
