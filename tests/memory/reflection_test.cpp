#include "memory/recall/reflection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/decisions_fixture.h"
#include "memory/entries/entries.h"

namespace codexmem::memory::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(OutcomeOf, IsReadFromMetadataThenTextThenType) {
  struct Case {
    const char* name;
    ObservedEntry entry;
    const char* want;  // error, success or nothing
  };
  std::vector<Case> cases;
  const auto add = [&](const char* name, const char* want) -> ObservedEntry& {
    cases.push_back({name, {}, want});
    cases.back().entry.title = "T";
    cases.back().entry.files_read = {"t.py"};
    return cases.back().entry;
  };
  add("nothing", "");
  add("bugfix", "error").type = "bugfix";
  add("metadata error", "error").outcome = "Error";
  add("metadata success beats bugfix", "success").outcome = "success";
  cases.back().entry.type = "bugfix";
  add("metadata says neither", "").outcome = "later";
  add("failed tests", "error").body = "Two Tests\nfailed in CI";
  add("passed tests", "success").facts = {"all tests passed"};
  add("3 failed, 10 passed", "error").body = "10 passed, 3 failed";
  add("0 failed", "success").body = "10 passed, 0 failed";
  add("exit code 0", "success").body = "exited with code 0";
  add("exit code 2", "error").body = "make: exit status: 2";
  add("build succeeded", "success").subtitle = "Build succeeded";
  add("failures of one, success of another", "error").body = "tests passed; build failed";
  for (const Case& one : cases) {
    const auto outcome = outcome_of(one.entry);
    EXPECT_EQ(!outcome            ? ""
              : outcome->is_error ? "error"
                                  : "success",
              std::string(one.want))
        << one.name;
  }
}

TEST(OutcomeOf, IsAboutWhatWasModifiedElseReadElseNothing) {
  ObservedEntry entry;
  entry.type = "bugfix";
  entry.title = "npm test";
  EXPECT_FALSE(outcome_of(entry).has_value());
  entry.files_read = {"a.ts"};
  EXPECT_THAT(outcome_of(entry)->targets, ElementsAre("a.ts"));
  entry.files_modified = {"1", "2", "3", "4", "5", "6"};
  EXPECT_THAT(outcome_of(entry)->targets, ElementsAre("1", "2", "3", "4", "5"));
  entry.target = "login";
  EXPECT_THAT(outcome_of(entry)->targets, ElementsAre("login"));
}

TEST(ConfidenceOf, IsTheFormula) {
  EXPECT_DOUBLE_EQ(confidence_of(3, 0), 0.75);
  EXPECT_DOUBLE_EQ(confidence_of(4, 0), 0.8);
  EXPECT_DOUBLE_EQ(confidence_of(3, 1), 0.4);
  EXPECT_DOUBLE_EQ(confidence_of(1, 5), 0);
  EXPECT_TRUE(is_falsified(1, 3));
  EXPECT_FALSE(is_falsified(1, 2));
}

class ReflectionTest : public DecisionsTest {
 protected:
  // Saves an observation of `session` on a file.
  EntryId observe(bool is_error, const std::string& file = "src/login.ts",
                  const std::string& session = "s1") {
    now_ms_ += 1'000;
    NewEntry entry;
    entry.project = "demo";
    entry.session = session;
    entry.type = is_error ? "bugfix" : "change";
    entry.title =
        (is_error ? "A test fails, number " : "The tests pass, number ") + std::to_string(++count_);
    entry.text = is_error ? "the login test failed" : "all tests passed";
    entry.files_modified = {file};
    entry.source = "observer";
    const auto saved = entries_.save(entry);
    EXPECT_TRUE(saved.ok()) << saved.error().message();
    return saved->id;
  }

  Reflection reflect(const std::string& session = "s1") {
    auto done = decisions_->reflect(session);
    EXPECT_TRUE(done.ok()) << done.error().message();
    return done.ok() ? *done : Reflection{};
  }

  // Three failures and the two drafts that they make.
  std::vector<std::string> make_drafts() {
    for (int i = 0; i < 3; ++i) observe(true);
    return reflect().proposed;
  }

  Entries entries_{*store_, vectors_, [this] { return now_ms_; }};
  int count_ = 0;
};

TEST_F(ReflectionTest, ThreeFailuresMakeTwoRivals) {
  observe(true);
  observe(true);
  EXPECT_THAT(reflect().proposed, IsEmpty());
  observe(true, "SRC/Login.ts");
  const Reflection done = reflect();
  ASSERT_EQ(done.proposed.size(), 2U);
  const Decision first = get(done.proposed[0]), rival = get(done.proposed[1]);
  EXPECT_EQ(first.status, DecisionStatus::kDraft);
  EXPECT_EQ(first.source, DecisionSource::kReflection);
  EXPECT_EQ(first.project, "demo");
  EXPECT_EQ(first.target_key, "src/login.ts");
  EXPECT_DOUBLE_EQ(first.confidence, 0.5);
  EXPECT_DOUBLE_EQ(rival.confidence, 0.4);
  EXPECT_EQ(first.evidence.size(), 3U);
  EXPECT_EQ(first.first_observed_at_ms, now_ms_);
  EXPECT_THAT(first.rationale, HasSubstr("3 failures"));
  EXPECT_NE(first.title, rival.title);
}

TEST_F(ReflectionTest, TwiceChangesNothingMore) {
  make_drafts();
  const std::string before = dump();
  const Reflection again = reflect();
  EXPECT_THAT(again.proposed, IsEmpty());
  EXPECT_EQ(again.weighed, 0U);
  EXPECT_EQ(dump(), before);
}

TEST_F(ReflectionTest, MoreFailuresMakeSurerAndReadyAfterTwelveHours) {
  const auto ids = make_drafts();
  observe(true, "src/login.ts", "s2");
  EXPECT_EQ(reflect("s2").weighed, 2U);
  EXPECT_DOUBLE_EQ(get(ids[0]).confidence, 0.8);
  EXPECT_DOUBLE_EQ(get(ids[1]).confidence, 0.64);
  EXPECT_EQ(get(ids[0]).evidence.size(), 4U);
  EXPECT_FALSE(is_ready(get(ids[0]), now_ms_ + 12 * kHourMs - 2'000));
  EXPECT_TRUE(is_ready(get(ids[0]), now_ms_ + 12 * kHourMs));
  EXPECT_FALSE(is_ready(get(ids[1]), now_ms_ + 12 * kHourMs));
}

TEST_F(ReflectionTest, SuccessesRejectAndFalsify) {
  const auto ids = make_drafts();
  observe(false);
  observe(false);  // (3 - 2) / 6
  const Reflection done = reflect();
  EXPECT_THAT(done.rejected, ElementsAre(ids[0], ids[1]));
  EXPECT_EQ(status(ids[0]), "rejected");

  for (int i = 0; i < 3; ++i) observe(true, "b.ts");
  const auto others = reflect().proposed;
  for (int i = 0; i < 7; ++i) observe(false, "b.ts");
  EXPECT_THAT(reflect().falsified, ElementsAre(others[0], others[1]));
  EXPECT_EQ(status(others[0]), "falsified");
}

TEST_F(ReflectionTest, DraftsOfWhichNothingIsHeardDecay) {
  const auto ids = make_drafts();
  observe(false, "other.ts", "s2");
  EXPECT_EQ(reflect("s2").weighed, 0U);  // too soon
  std::vector<std::string> rejected;
  for (int i = 0; i < 5; ++i) {
    now_ms_ += 12 * kHourMs;
    for (const std::string& id : reflect("s2").rejected) rejected.push_back(id);
    if (i == 0) {
      EXPECT_DOUBLE_EQ(get(ids[0]).confidence, 0.45);
    }
  }
  EXPECT_THAT(rejected, ElementsAre(ids[1], ids[0]));
}

TEST_F(ReflectionTest, WhatWasSettledNeedsNewFailures) {
  const auto ids = make_drafts();
  now_ms_ += kHourMs;
  for (const std::string& id : ids) ASSERT_TRUE(decisions_->reject(kAdmin, id, "no").ok());
  observe(true);
  EXPECT_THAT(reflect().proposed, IsEmpty());
  observe(true);
  observe(true);
  EXPECT_EQ(reflect().proposed.size(), 2U);
}

TEST_F(ReflectionTest, ADraftOnATakenTargetSupersedesWhenItIsAccepted) {
  const std::string active = record(kPerson, about("src/login.ts"));
  const auto ids = make_drafts();
  EXPECT_THAT(get(ids[0]).replaces, ElementsAre(active));
  pass(5'000);
  const auto early = decisions_->accept(kAdmin, ids[0]);
  ASSERT_FALSE(early.ok());
  EXPECT_THAT(early.error().message(), HasSubstr("PI1 Violation: "));
  pass(kHourMs);
  ASSERT_TRUE(decisions_->accept(kAdmin, ids[0]).ok());
  EXPECT_EQ(status(active), "superseded");
}

TEST_F(ReflectionTest, KeepsToTheProjectAndToObservations) {
  for (int i = 0; i < 3; ++i) observe(true);
  NewEntry other;
  other.project = "elsewhere";
  other.session = "s9";
  other.type = "bugfix";
  other.text = "one failure in another project";
  other.files_modified = {"src/login.ts"};
  ASSERT_TRUE(entries_.save(other).ok());
  EXPECT_THAT(reflect("s9").proposed, IsEmpty());
  const auto unknown = decisions_->reflect("nobody");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace codexmem::memory::testing
