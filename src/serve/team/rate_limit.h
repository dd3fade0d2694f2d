// serve/team/rate_limit.h - how much each caller may ask.
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

/// A bucket for each caller: full at first, one goes out with each request, and they come back
/// evenly. Thread-safe.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes one of `caller`; 0 when there was one, else the seconds, at least 1, until there is.
  int take(std::string_view caller, const TeamRate& rate, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double left = 0;
    Clock::time_point since;
  };
  // Beyond it, those that are full are forgotten: they are as good as new.
  static constexpr std::size_t kMostBuckets = 10'000;

  std::mutex mutex_;  // guards buckets_
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace codexmem::serve
