// Tested by serve/team_server_test.cpp.
#include "serve/team/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace codexmem::serve {

int RateLimit::take(std::string_view caller, const TeamRate& rate, Clock::time_point now) {
  const double a_second = rate.per_minute / 60.0;
  const std::lock_guard lock(mutex_);
  auto found = buckets_.find(caller);
  if (found == buckets_.end()) {
    if (buckets_.size() >= kMaxBuckets) {
      // A minute refills most buckets.
      std::erase_if(buckets_, [now](const auto& each) {
        return now - each.second.since > std::chrono::minutes(1);
      });
    }
    found = buckets_.emplace(caller, Bucket{static_cast<double>(rate.burst), now}).first;
  }
  Bucket& bucket = found->second;
  const std::chrono::duration<double> passed = now - bucket.since;
  bucket.left = std::min(static_cast<double>(rate.burst), bucket.left + passed.count() * a_second);
  bucket.since = now;
  if (bucket.left >= 1) {
    bucket.left -= 1;
    return 0;
  }
  return std::max(1, static_cast<int>(std::ceil((1 - bucket.left) / a_second)));
}

}  // namespace codexmem::serve
