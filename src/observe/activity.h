// observe/activity.h - what hooks told since the worker began, for whoever asks why nothing is
// kept.
//
// Counts and names alone, nothing of what was told. Thread-safe. Design: docs/design/worker.md,
// "Status".
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "memory/clock.h"
#include "memory/records.h"
#include "observe/intake.h"

namespace codexmem::observe {

struct LastEvent {
  std::int64_t at_ms = 0;     // when the worker heard of it
  std::string kind;           // init, observation, summarize, complete
  std::string tool;           // of an observation
  std::string platform;       // where the event tells it; empty: see the session
  memory::SessionId session;  // 0: none is known
};

struct ActivityReport {
  std::optional<LastEvent> last;
  std::int64_t taken = 0, deduped = 0;
  std::map<std::string, std::int64_t, std::less<>> skipped, refused;  // by reason
};

class Activity {
 public:
  explicit Activity(memory::Clock clock) : clock_(std::move(clock)) {}

  void note(const IntakeRequest& request, const IntakeOutcome& outcome);

  /// An event that could not be read; at most 20 reasons are told apart.
  void note_refused(std::string_view reason);

  ActivityReport report() const;

 private:
  memory::Clock clock_;
  mutable std::mutex mutex_;  // guards report_
  ActivityReport report_;
};

}  // namespace codexmem::observe
