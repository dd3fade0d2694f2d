// observe/intake/activity.h - what hooks reported since the worker began, to show why
// nothing is kept.
//
// Only counts and names, nothing of the events' content. Thread-safe. Design:
// docs/how-it-works.md, "Worker".
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "memory/clock.h"
#include "memory/entries/records.h"
#include "observe/intake/intake.h"

namespace codexmem::observe {

struct LastEvent {
  std::int64_t at_ms = 0;     // when the worker heard of it
  std::string kind;           // init, observation, summarize, complete
  std::string tool;           // of an observation
  std::string platform;       // from the event; empty: see the session
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

  /// An event that could not be read; at most 20 reasons are distinguished.
  void note_refused(std::string_view reason);

  ActivityReport report() const;

 private:
  memory::Clock clock_;
  mutable std::mutex mutex_;  // guards report_
  ActivityReport report_;
};

}  // namespace codexmem::observe
