// serve/team/rate_limit.h - limits the request rate of each caller.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "serve/team/team_file.h"

namespace codexmem::serve {

/// A token bucket for each caller: full at first, each request takes a token, and tokens are
/// refilled evenly. Thread-safe.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes a token of `caller`; returns 0 if there was one, otherwise the seconds (at least 1)
  /// until the next one.
  int take(std::string_view caller, const TeamRate& rate, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double left = 0;
    Clock::time_point since;
  };
  // With more buckets, full ones are forgotten: they are the same as new ones.
  static constexpr std::size_t kMaxBuckets = 10'000;

  std::mutex mutex_;  // guards buckets_
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace codexmem::serve
