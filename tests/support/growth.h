// tests/support/growth.h - whether time grows with the text, or with its square.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>

namespace codexmem::testing {

/// A text of `size` bytes or a little more: `head`, then `part` again and again.
inline std::string repeated(std::string_view head, std::string_view part, std::size_t size) {
  std::string text(head);
  while (text.size() < size) text += part;
  return text;
}

/// The processor time of this process: a limit by it holds on a machine that is busy with other
/// work.
struct ProcessorClock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ProcessorClock>;
  static constexpr bool is_steady = true;
  static time_point now() {
    static_assert(CLOCKS_PER_SEC == 1'000'000);
    return time_point(duration(std::clock()));
  }
};

/// How much processor time `work(text)` takes for a text of 1 MiB, divided by that for 128 KiB of
/// the same kind: about 8 if time grows with the text, 64 for a square. A ratio holds on a slow or
/// busy machine and under a sanitizer, where a limit in seconds does not. `text_of(size)` makes the
/// text.
template <class TextOf, class Work>
double growth_of_time(const TextOf& text_of, const Work& work) {
  const auto ticks = [&](std::size_t size) {
    const std::string text = text_of(size);
    const std::clock_t begin = std::clock();
    work(text);
    return static_cast<double>(std::clock() - begin);
  };
  constexpr double kLeast = CLOCKS_PER_SEC / 50.0;  // below this, a measurement is random
  const double small = std::max(ticks(std::size_t{1} << 17U), kLeast);
  return ticks(std::size_t{1} << 20U) / small;
}

/// The most that `growth_of_time` is of a linear time: caches and allocators have their part.
inline constexpr double kMaxLinearGrowth = 24;

}  // namespace codexmem::testing
