// index/run/reporter.h - reports the progress of a run. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "index/run/indexer.h"

namespace codexmem::index {

/// "2026-11-21T10:23:00Z"
std::string utc_now();

/// Passes progress on, at most every 50 ms within a phase.
class Reporter {
 public:
  /// `callback` may be empty, and must outlive it.
  explicit Reporter(const ProgressCallback& callback) : callback_(callback) {}

  void enter(IndexPhase phase, std::uint64_t files_total = 0, std::uint64_t bytes_total = 0);
  void advance(std::uint64_t files_done, std::uint64_t bytes_done = 0, std::string_view path = "");
  /// Reports the last step of a phase, regardless of the interval.
  void complete();

  IndexPhase phase() const { return now_.phase; }
  std::chrono::milliseconds elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  void send();

  const ProgressCallback& callback_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_;
  IndexProgress now_;
};

}  // namespace codexmem::index
