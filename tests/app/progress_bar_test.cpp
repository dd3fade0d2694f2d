#include "app/render/progress_bar.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::app {
namespace {
using namespace std::chrono_literals;

index::IndexProgress quarter() {
  index::IndexProgress progress;
  progress.phase = index::IndexPhase::kParsing;
  progress.files_done = 500;
  progress.files_total = 2'000;
  progress.bytes_done = 5'000'000;
  progress.bytes_total = 20'000'000;
  progress.elapsed = 7s;
  return progress;
}

TEST(ProgressLine, ShowsShareRateAndTimeLeftOfThePhase) {
  EXPECT_EQ(progress_line(quarter(), 2s, 200, false),
            "parsing      25%  500/2,000 files  100/s  1.0 MB/s  15.0 s left");
}

TEST(ProgressLine, TheBarTakesTheRoomThatTheNumbersLeave) {
  const std::string wide = progress_line(quarter(), 2s, 200, true);
  EXPECT_NE(wide.find("[######..................]"), std::string::npos) << wide;
  const std::string narrow = progress_line(quarter(), 2s, 79, true);
  EXPECT_LE(narrow.size(), 79U);
  EXPECT_NE(narrow.find("left"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("[#"), std::string::npos) << narrow;
  EXPECT_EQ(progress_line(quarter(), 2s, 60, true).find('['), std::string::npos);
}

TEST(ProgressLine, WithoutASecondOfEvidenceThereIsNoTimeLeft) {
  EXPECT_EQ(progress_line(quarter(), 6'500ms, 200, false), "parsing      25%  500/2,000 files");
}

TEST(ProgressLine, WithoutATotalItCounts) {
  index::IndexProgress progress;
  progress.phase = index::IndexPhase::kDiscovering;
  progress.files_done = 1'234;
  EXPECT_EQ(progress_line(progress, 0s, 79, true), "discovering 1,234 files");
}

}  // namespace
}  // namespace codexmem::app
