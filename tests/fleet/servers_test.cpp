#include "fleet/servers.h"

#include <gtest/gtest.h>

#include "support/fake_chroma.h"

namespace codexmem::fleet {
namespace {

using State = testing::FakeChroma::State;

class FleetServers : public ::testing::Test {
 protected:
  explicit FleetServers(std::chrono::milliseconds rest = std::chrono::milliseconds(1))
      : servers_({.urls = {one_.url(), two_.url()},
                  .model = "m",
                  .hedge = std::chrono::milliseconds(20),
                  .rest = rest}) {
    for (testing::FakeChroma* const server : {&one_, &two_}) {
      server->make("things", {}, false);
      server->put("things", server == &one_ ? "of one" : "of two",
                  {{1, 0}, {{"repository", "r"}}, "text"});
    }
  }

  Servers::Records ask(std::stop_token stop = {}) {
    return servers_.ask(
        {0, 1}, "things",
        [](embed::Chroma& chroma, std::string_view id, std::stop_token token) {
          return chroma.list(id, {}, std::chrono::seconds(2), token);
        },
        stop);
  }

  testing::FakeChroma one_, two_;
  Servers servers_;
};

TEST_F(FleetServers, TheFirstOfTheOrderAnswers) {
  const auto records = ask();
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->size(), 1U);
}

TEST_F(FleetServers, OneThatIsDownOrSilentIsPassedOver) {
  for (const State state : {State::kDown, State::kSilent}) {
    one_.set_state(state);
    const auto records = ask();
    ASSERT_TRUE(records.ok());
    EXPECT_EQ(records->front().id, "of two");
  }
}

class FleetServersThatRest : public FleetServers {
 protected:
  FleetServersThatRest() : FleetServers(std::chrono::minutes(1)) {}
};

TEST_F(FleetServersThatRest, AreAskedAllTheSameBeforeAQuestionFails) {
  one_.set_state(State::kSilent);
  ASSERT_EQ(ask()->front().id, "of two");
  one_.set_state(State::kUp);
  two_.set_state(State::kDown);
  const auto records = ask();
  ASSERT_TRUE(records.ok()) << records.error().message();
  EXPECT_EQ(records->front().id, "of one");
}

TEST_F(FleetServers, WithoutAnyTheLastFailureIsReported) {
  one_.set_state(State::kDown);
  two_.set_state(State::kDown);
  const auto records = ask();
  ASSERT_FALSE(records.ok());
  EXPECT_EQ(records.error().code(), ErrorCode::kIo);
}

TEST_F(FleetServers, ACollectionThatWasMadeAgainIsFoundAgain) {
  ASSERT_TRUE(ask().ok());
  for (testing::FakeChroma* const server : {&one_, &two_}) {
    server->wipe();
    server->make("things", {}, false);
    server->put("things", "new", {{1, 0}, {{"repository", "r"}}, "text"});
  }
  const auto records = ask();
  ASSERT_TRUE(records.ok()) << records.error().message();
  EXPECT_EQ(records->front().id, "new");
}

TEST_F(FleetServers, ACollectionThatIsMissingIsEmpty) {
  one_.wipe();
  two_.wipe();
  const auto records = ask();
  ASSERT_TRUE(records.ok());
  EXPECT_TRUE(records->empty());
}

TEST_F(FleetServers, AStopEndsIt) {
  one_.set_state(State::kSilent);
  two_.set_state(State::kSilent);
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  const auto records = ask(stop.get_token());
  ASSERT_FALSE(records.ok());
  EXPECT_EQ(records.error().code(), ErrorCode::kCancelled);
}

}  // namespace
}  // namespace codexmem::fleet
