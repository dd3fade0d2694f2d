#include "fleet/push.h"

#include <gtest/gtest.h>

#include "fleet/small_fleet.h"

namespace codexmem::fleet {
namespace {

using search::SmallFile;
using search::SmallIndex;
using State = testing::FakeChroma::State;

std::vector<std::string> ids_of(const std::map<std::string, testing::FakeChroma::Row>& rows) {
  std::vector<std::string> ids;
  for (const auto& [id, row] : rows) ids.push_back(id);
  return ids;
}

class FleetPush : public ::testing::Test {
 protected:
  FleetPush() { index_.add({cart_file(), charge_file()}, true); }

  SmallFleet small_;
  SmallIndex index_;
};

TEST_F(FleetPush, ASecondPushSendsNothing) {
  for (const PushReport& report : small_.push(index_, "shop")) {
    EXPECT_EQ(report.files_sent, 2U);
    EXPECT_EQ(report.pieces_sent, 3U);
    EXPECT_FALSE(report.failure);
  }
  for (const PushReport& report : small_.push(index_, "shop")) EXPECT_TRUE(report.was_current);
  EXPECT_EQ(small_.files(small_.one()).size(), 2U);
  EXPECT_EQ(ids_of(small_.pieces(small_.one())), ids_of(small_.pieces(small_.two())));
}

TEST_F(FleetPush, OnlyTheCommitIsNewAndNothingIsSent) {
  small_.push(index_, "shop");
  for (const PushReport& report : small_.push(index_, "shop", "cd34")) {
    EXPECT_FALSE(report.was_current);
    EXPECT_EQ(report.files_sent, 0U);
  }
  const auto state = small_.fleet().refresh({});
  ASSERT_TRUE(state.ok());
  EXPECT_EQ((*state)->repositories.front().revision, "cd34");
  EXPECT_TRUE((*state)->repositories.front().is_complete);
}

TEST_F(FleetPush, ChangesAreSentAndDeletionsAreRemoved) {
  small_.push(index_, "shop");
  SmallFile changed = cart_file();
  changed.content += "\ndef empty(cart):\n    cart.clear()\n";
  index_.replace(cart_file(), changed);
  index_.remove(charge_file());
  // Rows from replace() have no vectors: make them again.
  SmallIndex after;
  after.add({changed}, true);
  for (const PushReport& report : small_.push(after, "shop")) {
    EXPECT_EQ(report.files_sent, 1U);
    EXPECT_EQ(report.files_removed, 2U);
  }
  EXPECT_EQ(small_.files(small_.two()).size(), 1U);
  EXPECT_EQ(small_.pieces(small_.two()).size(), 3U);
}

TEST_F(FleetPush, AServerThatIsAwayIsBehindAndCatchesUp) {
  small_.one().set_state(State::kDown);
  const auto reports = small_.push(index_, "shop");
  EXPECT_TRUE(reports[0].failure);
  EXPECT_FALSE(reports[1].failure);
  EXPECT_EQ(small_.files(small_.two()).size(), 2U);
  small_.one().set_state(State::kUp);
  const auto again = small_.push(index_, "shop");
  EXPECT_EQ(again[0].files_sent, 2U);
  EXPECT_TRUE(again[1].was_current);
  EXPECT_EQ(ids_of(small_.pieces(small_.one())), ids_of(small_.pieces(small_.two())));
}

// It held a push for two minutes with each request (issue 47).
TEST_F(FleetPush, AServerThatNeverEndsItsAnswerIsAway) {
  small_.least_request = std::chrono::milliseconds(100);
  small_.one().set_state(State::kSilent);
  const auto reports = small_.push(index_, "shop");
  ASSERT_TRUE(reports[0].failure);
  EXPECT_EQ(reports[0].failure->code(), ErrorCode::kIo);
  EXPECT_NE(reports[0].failure->message().find("100 ms"), std::string::npos)
      << reports[0].failure->message();
}

TEST_F(FleetPush, WhatABrokenPushLeftIsRemovedByTheNext) {
  small_.push(index_, "shop");
  // As a push leaves it that is killed after the pieces of a file: the repository is not complete.
  const CollectionNames& names = small_.fleet().servers().all().front()->names();
  testing::FakeChroma& one = small_.one();
  one.put(names.pieces, "nofile.0", small_.pieces(one).begin()->second);
  auto repository = one.rows(names.repositories).at("shop");
  repository.metadata["complete"] = 0;
  one.put(names.repositories, "shop", repository);
  EXPECT_FALSE(small_.push(index_, "shop")[0].was_current);
  EXPECT_EQ(ids_of(small_.pieces(one)), ids_of(small_.pieces(small_.two())));
  EXPECT_TRUE(small_.push(index_, "shop")[0].was_current);
}

TEST_F(FleetPush, RemoveTakesOneRepositoryAway) {
  small_.push(index_, "shop");
  small_.push(index_, "site");
  const auto removed = remove_from(*small_.fleet().servers().all()[0], "shop", {}, {});
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(*removed, 2U);
  EXPECT_EQ(small_.files(small_.one()).size(), 2U);
  EXPECT_EQ(small_.files(small_.two()).size(), 4U);
}

}  // namespace
}  // namespace codexmem::fleet
