#include "app/render/progress_bar.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "text/counted.h"

namespace codexmem::app {
namespace {

constexpr std::chrono::seconds kLineEvery{5};
constexpr std::size_t kBarWidth = 24, kMinBarWidth = 6;

double seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

std::string progress_line(const index::IndexProgress& progress,
                          std::chrono::milliseconds phase_began, std::size_t width, bool bar) {
  const double spent = seconds(progress.elapsed - phase_began);
  const bool by_bytes = progress.bytes_total > 0;
  const auto done = static_cast<double>(by_bytes ? progress.bytes_done : progress.files_done);
  const auto total = static_cast<double>(by_bytes ? progress.bytes_total : progress.files_total);
  const std::string head = fmt::format("{:<12}", index::index_phase_name(progress.phase));
  if (progress.phase == index::IndexPhase::kWaiting) {
    return std::string(utf8_prefix(head + "for another run on this repository", width));
  }
  const double part = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0.0;
  std::string tail;
  if (total > 0) {
    tail = fmt::format("{:3.0f}%  {}/{} files", part * 100.0,
                       with_thousands(static_cast<long long>(progress.files_done)),
                       with_thousands(static_cast<long long>(progress.files_total)));
  } else if (progress.files_done > 0) {
    tail = with_thousands(static_cast<long long>(progress.files_done)) + " files";
  }
  if (spent >= 1.0 && progress.files_done > 0) {
    tail += fmt::format("  {:.0f}/s", static_cast<double>(progress.files_done) / spent);
    if (by_bytes) {
      tail += fmt::format("  {}/s", readable_bytes(static_cast<long long>(done / spent)));
    }
    if (total > done && done > 0) {
      tail += fmt::format("  {} left", readable_duration(spent * (total - done) / done));
    }
  }
  std::string line = head;
  // The bar takes what room the numbers leave.
  const std::size_t used = head.size() + tail.size() + 3;
  if (bar && total > 0 && used + kMinBarWidth <= width) {
    const std::size_t bar_width = std::min(kBarWidth, width - used);
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar_width));
    line += "[" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "] ";
  }
  line += tail;
  return std::string(utf8_prefix(line, width));
}

void ProgressBar::update(const index::IndexProgress& progress) {
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    phase_began_ = progress.elapsed;
  }
  if (progress.phase == index::IndexPhase::kDone) return clear();
  if (!console_.error_is_terminal()) {
    if (progress.elapsed - last_line_ < kLineEvery) return;
    last_line_ = progress.elapsed;
    console_.note(progress_line(progress, phase_began_, 200, false));
    return;
  }
  console_.show_status(progress_line(progress, phase_began_, console_.error_width() - 1, true));
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  console_.show_status("");
  drawn_ = false;
}

}  // namespace codexmem::app
