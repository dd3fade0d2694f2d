// base/stop_scope.h - the stop of what a thread works on.
//
// Who begins a piece of work that may be cancelled (a call of a client, a run of the index) opens a
// scope; whatever is done for it, however deep, looks at the thread's stop and needs no token
// handed down. Reading connections of store look at each row, and within long statements. Threads
// that work for it open scopes of their own.
#pragma once

#include <stop_token>

#include "base/result.h"

namespace codexmem {

/// While it lives, `stop` is the stop of this thread; afterwards the one before is again. A token
/// that nobody can request leaves the one before.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::stop_token before_;
};

/// True once the stop of this thread is requested.
bool is_stopped();

/// kCancelled once the stop of this thread is requested: for loops that compute long between reads.
Result<void> go_on();

}  // namespace codexmem
