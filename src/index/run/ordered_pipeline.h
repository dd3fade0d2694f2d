// index/run/ordered_pipeline.h - many threads produce, one consumes, in order and in bounded
// memory.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"

namespace codexmem::index {

/// The work for run_ordered().
struct OrderedWork {
  std::size_t count = 0;
  unsigned threads = 1;
  /// The approximate size of each output. At most 1,024 outputs and 8 MB are finished or in
  /// progress at once, so memory is bounded, and a large output delays the others no longer than
  /// they take to make 8 MB. Empty: each counts as 64 KB.
  std::function<std::size_t(std::size_t)> bytes_of = {};
};

/// Makes the outputs 0 .. count-1 on some threads and passes them, in that order, to `take` on the
/// calling thread.
///
/// `make_worker()` is called once on each thread and returns that thread's function from index to
/// output. A single output is made on the calling thread. Returns the first error of `take`;
/// kCancelled when `stop` was requested before the last output was taken; kIo when a worker has
/// thrown. All threads have ended when it returns.
template <typename Output>
Result<void> run_ordered(const OrderedWork& work,
                         const std::function<std::function<Output(std::size_t)>()>& make_worker,
                         const std::function<Result<void>(Output)>& take,
                         const std::stop_token& stop) {
  constexpr std::size_t kMaxAhead = 1024;
  constexpr std::size_t kMaxBytesAhead = std::size_t{8} << 20;
  constexpr std::size_t kUsualBytes = std::size_t{64} << 10;
  const std::size_t count = work.count;
  const Error cancelled{ErrorCode::kCancelled, "indexing was cancelled"};
  if (count == 0) return {};
  const auto failure_of = [](const std::exception& error) {
    return Error{ErrorCode::kIo, std::string("indexing: ") + error.what()};
  };
  if (count == 1) {
    if (stop.stop_requested()) return cancelled;
    std::optional<Output> only;
    try {
      only.emplace(make_worker()(0));
    } catch (const std::exception& error) {
      return failure_of(error);
    }
    if (stop.stop_requested()) return cancelled;
    return take(*std::move(only));
  }
  const std::size_t workers = std::clamp<std::size_t>(work.threads, 1, count);
  const std::size_t window = std::min(kMaxAhead, count);
  const auto bytes_of = [&](std::size_t index) {
    return work.bytes_of ? work.bytes_of(index) : kUsualBytes;
  };

  std::mutex mutex;  // guards the members below
  std::condition_variable_any may_make, may_take;
  std::vector<std::optional<Output>> ring(window);
  std::size_t next_to_make = 0, taken = 0, bytes_ahead = 0;
  bool over = false;  // the consumer has finished
  std::optional<Error> failure;

  const auto make_some = [&](const std::stop_token& end) {
    const std::function<Output(std::size_t)> make = make_worker();
    for (;;) {
      std::size_t index = 0;
      {
        std::unique_lock lock(mutex);
        may_make.wait(lock, end, [&] {
          return over || next_to_make == count || next_to_make == taken ||
                 (next_to_make < taken + window && bytes_ahead < kMaxBytesAhead);
        });
        if (over || end.stop_requested() || next_to_make == count) return;
        index = next_to_make++;
        bytes_ahead += bytes_of(index);
      }
      Output output = make(index);
      const std::lock_guard lock(mutex);
      ring[index % window].emplace(std::move(output));
      if (index == taken) may_take.notify_one();
    }
  };
  const auto body = [&](const std::stop_token& end) {
    try {
      make_some(end);
    } catch (const std::exception& error) {  // out of memory
      const std::lock_guard lock(mutex);
      failure = failure_of(error);
      may_take.notify_one();
    }
  };
  std::vector<std::jthread> pool;  // joins at the end of the scope
  const auto leave = [&] {
    const std::lock_guard lock(mutex);
    over = true;
    may_make.notify_all();
  };
  try {
    for (std::size_t i = 0; i < workers; ++i) {
      pool.emplace_back([&](const std::stop_token& end) { body(end); });
    }
  } catch (const std::system_error&) {
    if (pool.empty()) return Error{ErrorCode::kIo, "the system refuses to start a thread"};
  }
  while (taken < count) {
    std::optional<Output> output;
    {
      std::unique_lock lock(mutex);
      may_take.wait(lock, stop, [&] { return failure || ring[taken % window].has_value(); });
      if (!stop.stop_requested() && !failure) {
        output = std::exchange(ring[taken % window], std::nullopt);
        bytes_ahead -= bytes_of(taken++);
        may_make.notify_all();
      }
    }
    if (!output) {
      leave();
      const std::lock_guard lock(mutex);
      return failure ? *failure : cancelled;
    }
    if (auto done = take(*std::move(output)); !done.ok()) {
      leave();
      return done;
    }
  }
  return {};
}

}  // namespace codexmem::index
