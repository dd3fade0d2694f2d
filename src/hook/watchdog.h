// hook/watchdog.h - a hook never holds its host up: when its time is over it answers and ends,
// whatever it is doing.
//
// One a process, by a timer and SIGALRM; nothing half-done is left, since files appear whole.
#pragma once

#include <chrono>
#include <string_view>

#include "hook/refusals.h"

namespace codexmem::hook {

class Watchdog {
 public:
  /// After `limit` the process writes `answer` to `output_descriptor`, a word to standard error,
  /// counts the refusal kTooSlow, and ends with the exit code 0. Both are borrowed. Without a
  /// `count` no event is lost, and only the answer is written.
  Watchdog(std::chrono::milliseconds limit, std::string_view answer, int output_descriptor,
           const RefusalCount* count);
  /// No more so.
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// An answer is being written by somebody else now: at the end of the time the process ends
  /// without one.
  void answer_is_given();
};

}  // namespace codexmem::hook
