// app/render/progress_bar.h - how far an index run is, on standard error.
//
// On a terminal, one line that is redrawn: a bar, a rate, the time left. Elsewhere, a plain line
// every few seconds, so that a log shows progress. One thread.
#pragma once

#include <chrono>
#include <string>

#include "app/render/console.h"
#include "index/run/indexer.h"

namespace codexmem::app {

class ProgressBar {
 public:
  explicit ProgressBar(Console& console) : console_(console) {}
  /// Takes the bar off the terminal.
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(const index::IndexProgress& progress);
  void clear();

 private:
  Console& console_;
  index::IndexPhase phase_ = index::IndexPhase::kDiscovering;
  std::chrono::milliseconds phase_began_{0};
  std::chrono::milliseconds last_line_{0};
  bool drawn_ = false;
};

/// The line for `progress`, whose phase began at `phase_began` of the run, at most `width` columns;
/// with a bar if `bar`. Shows no time left before there is a second of evidence.
std::string progress_line(const index::IndexProgress& progress,
                          std::chrono::milliseconds phase_began, std::size_t width, bool bar);

}  // namespace codexmem::app
