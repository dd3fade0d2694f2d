#include "observe/intake/spool_drain.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <condition_variable>

#include "base/file.h"
#include "hook/spool.h"
#include "support/temporary_directory.h"

namespace codexmem::observe {
namespace {

namespace fs = std::filesystem;

// Keeps the tools of the events that it takes.
class SpoolDrainTest : public ::testing::Test {
 protected:
  SpoolDrain::Take take() {
    return [this](std::vector<IntakeRequest> requests) -> Result<void> {
      const std::lock_guard lock(mutex_);
      ++calls_;
      if (failure_) return *failure_;
      std::vector<std::string> tools;
      for (const IntakeRequest& request : requests) {
        const auto* observation = std::get_if<ObservationRequest>(&request);
        tools.push_back(observation != nullptr ? observation->tool_name : "other");
        if (tools.back() == "refused") {
          return Error{ErrorCode::kInvalidArgument, "this one is refused"};
        }
      }
      taken_.insert(taken_.end(), tools.begin(), tools.end());
      arrived_.notify_all();
      return {};
    };
  }

  void leave(int number, const std::string& text) {
    directory_.write(fmt::format("spool/{:020}-1-00000000.json", number), text);
  }
  void leave_tool(int number, const std::string& tool) {
    leave(number, fmt::format(R"({{"path":"/api/sessions/observations","body":{{)"
                              R"("contentSessionId":"s","tool_name":"{}"}}}})",
                              tool));
  }
  std::size_t waiting() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(directory_.path() / "spool")) {
      count += entry.path().extension() == ".json" ? 1 : 0;
    }
    return count;
  }

  testing::TemporaryDirectory directory_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Error> failure_;
  int calls_ = 0;
  std::vector<std::string> taken_;
};

TEST_F(SpoolDrainTest, EventsAreTakenInTheOrderOfTheirNames) {
  SpoolDrain spool(directory_.path(), take());
  ASSERT_TRUE(spool.drain().ok());
  EXPECT_EQ(calls_, 0);
  for (const int number : {30, 4, 100, 200}) leave_tool(number, fmt::format("t{}", number));
  leave(150, R"({"path":"/api/sessions/complete","body":{"contentSessionId":"s"}})");
  directory_.write("spool/.00000000000000000001-1-00000000", "half of");
  directory_.write("spool/private/x", "");
  ASSERT_TRUE(spool.drain().ok());
  EXPECT_EQ(taken_, (std::vector<std::string>{"t4", "t30", "t100", "other", "t200"}));
  EXPECT_EQ(calls_, 1);
  EXPECT_EQ(waiting(), 0);
  EXPECT_TRUE(fs::exists(directory_.path() / "spool/.00000000000000000001-1-00000000"));
}

TEST_F(SpoolDrainTest, ManyAreTakenInBatches) {
  for (int number = 0; number < 200; ++number) leave_tool(number, fmt::format("t{}", number));
  SpoolDrain spool(directory_.path(), take());
  ASSERT_TRUE(spool.drain().ok());
  EXPECT_EQ(taken_.size(), 200);
  EXPECT_EQ(taken_.back(), "t199");
  EXPECT_EQ(calls_, 4);
}

TEST_F(SpoolDrainTest, InvalidEventsAreSetAsideAndDelayNothing) {
  leave(1, "{");
  leave(2, "[]");
  leave(3, R"({"path":"/api/other","body":{"contentSessionId":"s"}})");
  leave(4, R"({"path":"/api/sessions/observations","body":{"tool_name":"t"}})");
  leave_tool(5, "a");
  leave_tool(6, "refused");
  leave_tool(7, "b");
  SpoolDrain spool(directory_.path(), take());
  ASSERT_TRUE(spool.drain().ok());
  EXPECT_EQ(taken_, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(waiting(), 0);
  std::size_t bad = 0;
  for (const auto& entry : fs::directory_iterator(directory_.path() / "spool/bad")) {
    bad += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(bad, 5);
}

TEST_F(SpoolDrainTest, BadOnesAreKeptForAWeek) {
  const auto old = directory_.write("spool/bad/1.json", "old");
  const auto half = directory_.write("spool/1.json.0123.tmp", "old");
  const auto recent = directory_.write("spool/bad/2.json", "recent");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(24 * 8));
  fs::last_write_time(half, fs::file_time_type::clock::now() - std::chrono::hours(2));
  const SpoolDrain spool(directory_.path(), take());
  EXPECT_FALSE(fs::exists(old));
  EXPECT_FALSE(fs::exists(half));
  EXPECT_TRUE(fs::exists(recent));
}

TEST_F(SpoolDrainTest, MarksOfPrivateTurnsOutliveNoDeadSession) {
  const auto old = directory_.write("spool/private/a", "");
  const auto recent = directory_.write("spool/private/b", "");
  const auto day = std::chrono::hours(24);
  fs::last_write_time(old, fs::file_time_type::clock::now() - 31 * day);
  fs::last_write_time(recent, fs::file_time_type::clock::now() - 29 * day);
  const SpoolDrain spool(directory_.path(), take());
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(recent));
}

TEST_F(SpoolDrainTest, WhatCannotBeStoredWaits) {
  leave_tool(1, "a");
  leave_tool(2, "b");
  SpoolDrain spool(directory_.path(), take());
  failure_ = Error{ErrorCode::kIo, "the disk is full"};
  EXPECT_FALSE(spool.drain().ok());
  EXPECT_EQ(waiting(), 2);
  failure_.reset();
  ASSERT_TRUE(spool.drain().ok());
  EXPECT_EQ(taken_, (std::vector<std::string>{"a", "b"}));
}

TEST_F(SpoolDrainTest, WhatHooksLeaveIsTakenAsItComes) {
  leave_tool(1, "before");
  SpoolDrain spool(directory_.path(), take());
  spool.watch();
  const hook::Spool hooks(directory_.path());
  const auto wait_for = [this](std::size_t count) {
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, std::chrono::seconds(60),
                             [&] { return taken_.size() >= count; });
  };
  EXPECT_TRUE(wait_for(1));
  for (std::size_t i = 2; i < 5; ++i) {
    ASSERT_TRUE(hooks
                    .leave(R"({"path":"/api/sessions/observations",)"
                           R"("body":{"contentSessionId":"s","tool_name":"later"}})")
                    .ok());
    EXPECT_TRUE(wait_for(i));
  }
}

// The watch was one of a folder that is no more.
TEST_F(SpoolDrainTest, AFolderThatIsMadeAgainIsWatchedAgain) {
  SpoolDrain spool(directory_.path(), take());
  spool.watch();
  const hook::Spool hooks(directory_.path());
  for (std::size_t count = 1; count < 4; ++count) {
    ASSERT_TRUE(hooks
                    .leave(R"({"path":"/api/sessions/observations",)"
                           R"("body":{"contentSessionId":"s","tool_name":"later"}})")
                    .ok());
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        arrived_.wait_for(lock, std::chrono::seconds(60), [&] { return taken_.size() >= count; }));
    lock.unlock();
    testing::remove_in_use(directory_.path() / "spool");
  }
}

}  // namespace
}  // namespace codexmem::observe
