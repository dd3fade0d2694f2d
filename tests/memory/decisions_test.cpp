#include "memory/decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/decisions_fixture.h"

namespace codexmem::memory::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

using RecordDecision = DecisionsTest;

TEST_F(RecordDecision, IsActiveAndFound) {
  const std::string id = record(kAgent, about("Database Policy"));
  EXPECT_THAT(id, MatchesRegex("decision_20260102_030410_678[0-9]{3}_[0-9a-f]{8}\\.md"));
  const Decision decision = get(id);
  EXPECT_EQ(decision.status, DecisionStatus::kActive);
  EXPECT_EQ(decision.rationale, "[via MCP] It is embedded and outlives power cuts");
  EXPECT_EQ(decision.source, DecisionSource::kAgent);
  const auto hits = search("which database outlives power cuts");
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].id, id);
  EXPECT_GE(hits[0].score, 1);
  EXPECT_EQ(hits[0].preview, "Use SQLite: It is embedded and outlives power cuts");
}

TEST_F(RecordDecision, ATakenTargetIsAConflictThatNamesItsDecision) {
  const std::string id = record(kAgent, about("Database Policy"));
  pass(5'000);
  const auto second = decisions_->record(kAgent, about("  database POLICY "));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kBlocked);
  EXPECT_EQ(second.error().message(),
            "CONFLICT: Active decisions for target 'database POLICY' exist: [" + id + "]");
}

using SupersedeDecision = DecisionsTest;

TEST_F(SupersedeDecision, TakesThePlaceOfTheOldOne) {
  const std::string old = record(kAgent, about("db"));
  const std::string now = supersede(kAgent, about("DB", "Use Postgres"), {old});
  EXPECT_EQ(status(old), "superseded");
  EXPECT_EQ(get(old).superseded_by, now);
  EXPECT_THAT(get(now).supersedes, ElementsAre(old));
}

using AcceptProposal = DecisionsTest;

TEST_F(AcceptProposal, MakesADecisionOfADraftAfterAnHour) {
  const std::string draft = propose(kAgent, about("db"));
  pass(kHourMs);
  const auto accepted = decisions_->accept(kAdmin, draft);
  ASSERT_TRUE(accepted.ok()) << accepted.error().message();
  EXPECT_EQ(status(draft), "accepted");
  EXPECT_EQ(get(draft).converted_to, accepted->decision_id);
  EXPECT_THAT(get(accepted->decision_id).rationale, HasSubstr(draft));
}

}  // namespace
}  // namespace codexmem::memory::testing
