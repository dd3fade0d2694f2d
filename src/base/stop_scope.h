// base/stop_scope.h - lets deep calls notice that the work of their thread was cancelled.
//
// Work that may be cancelled (a client's call, an index run) opens a scope at its start; everything
// that it calls, at any depth, checks the thread's stop and needs no token as a parameter. Reading
// connections of store check it at each row and within long statements. Threads that the work
// starts open scopes of their own.
#pragma once

#include <stop_token>

#include "base/result.h"

namespace codexmem {

/// While it lives, `stop` is the stop of this thread; then the previous one applies again. A token
/// whose stop cannot be requested leaves the previous one in force.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::stop_token before_;
};

/// True after a stop of this thread was requested.
bool is_stopped();

/// kCancelled after a stop of this thread was requested: for loops that compute for long between
/// reads.
Result<void> go_on();

}  // namespace codexmem
