// parse/walk/budget.h - the time and memory that one file may take. Internal to parse.
#pragma once

#include <time.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>

namespace codexmem::parse {

/// Starts to count when it is constructed, for the constructing thread.
///
/// The limit is processor time, so that a busy machine produces the same facts as an idle one;
/// wall-clock time, which is cheaper to read, decides when to check.
class Budget {
 public:
  Budget(std::chrono::nanoseconds time, std::size_t bytes, std::stop_token stop)
      : wall_end_(std::chrono::steady_clock::now() + time),
        thread_end_(thread_time() + time),
        bytes_(bytes),
        stop_(std::move(stop)) {}

  /// The budget for a text of `text_bytes`; `time` replaces the time limit if given.
  ///
  /// A megabyte of ordinary source is parsed and walked in 0.3 to 0.5 s, and its tree takes 30 to
  /// 100 bytes per byte of text (November 2026). The limits grow with the text, so many small
  /// hostile files cost no more than a few large ones.
  static Budget of_text(std::size_t text_bytes, std::stop_token stop,
                        std::optional<std::chrono::milliseconds> time = std::nullopt) {
    return Budget(time.value_or(std::chrono::milliseconds(500 + text_bytes / 512)),
                  (std::size_t{32} << 20) + 192 * text_bytes, std::move(stop));
  }

  /// True when the time is used up or a stop was requested.
  bool is_over() const {
    return stop_.stop_requested() ||
           (std::chrono::steady_clock::now() >= wall_end_ && thread_time() >= thread_end_);
  }

  /// The memory that parsing and the syntax tree may take.
  std::size_t bytes() const { return bytes_; }

 private:
  // Processor time of this thread.
  static std::chrono::nanoseconds thread_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  }

  std::chrono::steady_clock::time_point wall_end_;
  std::chrono::nanoseconds thread_end_;
  std::size_t bytes_;
  std::stop_token stop_;
};

}  // namespace codexmem::parse
