// Which documents of branches are seen. Git's answers are given here;
// tests/git/branch_memory_test.py asks the real git.
#include "memory/branches/branch_scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/decisions_fixture.h"
#include "memory/entries/entry_edit.h"
#include "memory/memory.h"
#include "memory/recall/timeline.h"
#include "memory/transfer/transfer.h"

namespace codexmem::memory::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class Branches : public ::testing::Test {
 protected:
  void SetUp() override {
    MemoryOptions options;
    options.directory = directory_.path() / "data";
    options.root = directory_.path();
    options.project = "demo";
    options.clock = [this] { return now_ms_ += 1'000; };
    options.decisions.cooldown_ms = 0;
    options.branches.stages_entries = [](const auto&) { return true; };
    options.branches.find_place = [this](const auto&) { return place_; };
    options.branches.look = [this](store::UserStore& store, const Clock&,
                                   const auto&) -> Result<BranchSight> {
      BranchSight sight{.place = place_};
      auto reader = store.reader();
      const auto stages = store::list_stages(**reader, "");
      for (const BranchStage& stage : *stages) {
        if (place_ && stage.place.branch == place_->branch) sight.seen.insert(stage.id);
      }
      return sight;
    };
    auto opened = Memory::open(std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    memory_ = *std::move(opened);
  }

  // From now on this branch is checked out; empty: the default one.
  void go_to(const std::string& branch, const std::string& head = "1") {
    place_.reset();
    if (!branch.empty()) place_ = BranchPlace{"/repository/.git/", branch, head, "", true};
    memory_->look_around({});
  }

  NewDecision about(const std::string& target, const std::string& title) const {
    NewDecision decision;
    decision.project = "demo";
    decision.target = target;
    decision.title = title;
    decision.rationale = "because it has to be like this";
    return decision;
  }
  std::string decide(const std::string& target, const std::string& title,
                     const std::vector<std::string>& olds = {}) {
    auto made = olds.empty() ? memory_->decisions().record(kAdmin, about(target, title))
                             : memory_->decisions().supersede(kAdmin, about(target, title), olds);
    EXPECT_TRUE(made.ok()) << made.error().message();
    return made.ok() ? *made : "";
  }
  std::vector<std::string> active() {
    DecisionFilter filter;
    filter.statuses = {DecisionStatus::kActive};
    std::vector<std::string> titles;
    const auto decisions = memory_->decisions().list(filter);
    for (const Decision& decision : *decisions) titles.push_back(decision.title);
    return titles;
  }
  std::vector<std::string> found(const std::string& query) {
    DecisionSearch search;
    search.query = query;
    search.mode = DecisionMode::kStrict;
    const auto answer = memory_->decisions().search(kAdmin, search);
    std::vector<std::string> titles;
    for (const DecisionHit& hit : answer->hits) titles.push_back(hit.title);
    return titles;
  }

  EntryId save(const std::string& text) {
    NewEntry entry;
    entry.project = "demo";
    entry.text = text;
    const auto saved = memory_->entries().save(std::move(entry));
    EXPECT_TRUE(saved.ok()) << saved.error().message();
    return saved.ok() ? saved->id : EntryId{};
  }
  std::vector<std::string> listed() {
    std::vector<std::string> texts;
    const auto entries = memory_->entries().list({});
    for (const Entry& entry : *entries) texts.push_back(entry.body);
    return texts;
  }
  std::size_t recalled(const std::string& query) {
    RecallRequest request;
    request.query = query;
    return memory_->recall().search(request)->hits.size();
  }

  // Git says that all stages of the branch were merged.
  void land(const std::string& branch) {
    auto writer = memory_->store().begin();
    const auto stages = store::list_stages(**writer, "");
    for (const BranchStage& stage : *stages) {
      if (stage.place.branch != branch) continue;
      const auto landed = land_stage(**writer, stage, "merged", now_ms_);
      EXPECT_TRUE(landed.ok()) << landed.error().message();
    }
    ASSERT_TRUE(writer->commit().ok());
    memory_->look_around({});
  }
  std::vector<std::string> waiting() {
    auto reader = memory_->store().reader();
    std::vector<std::string> reasons;
    const auto stages = store::list_stages(**reader, "");
    for (const BranchStage& stage : *stages) reasons.push_back(stage.why);
    return reasons;
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::int64_t now_ms_ = 1'767'323'050'000;
  std::optional<BranchPlace> place_;
  std::unique_ptr<Memory> memory_;
};

TEST_F(Branches, ADecisionHoldsOnItsBranchAndTheOldOneElsewhere) {
  const std::string old = decide("database", "Use files");
  go_to("sqlite");
  decide("database", "Use SQLite", {old});
  decide("cache", "Cache in memory");
  EXPECT_THAT(active(), UnorderedElementsAre("Use SQLite", "Cache in memory"));
  EXPECT_THAT(found("which database"), ElementsAre("Use SQLite"));
  EXPECT_EQ(memory_->decisions().get(old)->status, DecisionStatus::kSuperseded);
  go_to("other");
  EXPECT_THAT(active(), ElementsAre("Use files"));
  EXPECT_THAT(found("which database"), ElementsAre("Use files"));
  EXPECT_EQ(memory_->decisions().get(old)->status, DecisionStatus::kActive);
  EXPECT_THAT(memory_->decisions().get(old)->superseded_by, IsEmpty());
  // Here it is decided in another way, and there is no conflict.
  decide("cache", "Cache on disk");
  go_to("sqlite");
  const auto again = memory_->decisions().record(kAdmin, about("database", "Use Postgres"));
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message(), HasSubstr("CONFLICT"));
  EXPECT_EQ(memory_->decisions().list({})->front().branch, "sqlite");
}

TEST_F(Branches, AMergedDecisionSupersedesForEverybody) {
  const std::string old = decide("database", "Use files");
  go_to("sqlite");
  const std::string made = decide("database", "Use SQLite", {old});
  go_to("");
  land("sqlite");
  EXPECT_THAT(active(), ElementsAre("Use SQLite"));
  EXPECT_EQ(memory_->decisions().get(old)->superseded_by, made);
  EXPECT_THAT(memory_->decisions().get(made)->branch, IsEmpty());
  EXPECT_THAT(waiting(), IsEmpty());
}

TEST_F(Branches, WhatWasDecidedMeanwhileIsNotOverruled) {
  const std::string old = decide("database", "Use files");
  go_to("sqlite");
  const std::string made = decide("database", "Use SQLite", {old});
  const EntryId noted = save("SQLite is in Debian");
  go_to("");
  const std::string other = decide("database", "Use Postgres", {old});
  land("sqlite");
  EXPECT_THAT(active(), ElementsAre("Use Postgres"));
  ASSERT_THAT(waiting(), SizeIs(1));
  EXPECT_THAT(waiting().front(), HasSubstr(other));
  EXPECT_THAT(listed(), ElementsAre("SQLite is in Debian")) << static_cast<int>(noted);
  decide("database", "Use both", {made, other});
  land("sqlite");
  EXPECT_THAT(active(), ElementsAre("Use both"));
  EXPECT_THAT(waiting(), IsEmpty());
}

TEST_F(Branches, ALaterDecisionOfTheBranchMayBeMergedFirst) {
  const std::string old = decide("database", "Use files");
  go_to("sqlite", "1");
  const std::string first = decide("database", "Use SQLite", {old});
  go_to("sqlite", "2");
  const std::string second = decide("database", "Use DuckDB", {first});
  EXPECT_THAT(active(), ElementsAre("Use DuckDB"));
  {
    auto writer = memory_->store().begin();
    const auto stages = store::list_stages(**writer, "");
    ASSERT_THAT(*stages, SizeIs(2));
    ASSERT_TRUE(land_stage(**writer, stages->back(), "picked", now_ms_).ok());
    ASSERT_TRUE(writer->commit().ok());
  }
  go_to("");
  EXPECT_THAT(active(), ElementsAre("Use DuckDB"));
  land("sqlite");
  EXPECT_THAT(active(), ElementsAre("Use DuckDB"));
  EXPECT_EQ(memory_->decisions().get(first)->superseded_by, second);
  EXPECT_EQ(memory_->decisions().get(old)->superseded_by, first);
}

TEST_F(Branches, EntriesAreHiddenElsewhere) {
  save("everybody knows about turnips");
  go_to("feature");
  const EntryId mine = save("the branch knows about turnips");
  EXPECT_THAT(listed(), SizeIs(2));
  EXPECT_EQ(recalled("turnips"), 2U);
  EXPECT_EQ(memory_->branches().scope()->branch_of(document_key(mine)), "feature");
  go_to("");
  EXPECT_THAT(listed(), ElementsAre("everybody knows about turnips"));
  EXPECT_EQ(recalled("turnips"), 1U);
  TimelineRequest request;
  request.anchor = now_ms_;
  request.hidden = memory_->branches().scope()->hidden();
  EXPECT_THAT(timeline(memory_->store(), request)->items, SizeIs(1));
  // Who names it gets it.
  EXPECT_THAT(*memory_->entries().get(std::span(&mine, 1)), SizeIs(1));
  // An edit stays where the text was; said again here, it is everybody's.
  const auto edited =
      edit_entry(memory_->store(), memory_->entries(),
                 {.id = mine, .text = "the branch knows about beets"}, memory_->clock());
  ASSERT_TRUE(edited.ok()) << edited.error().message();
  memory_->look_around({});
  EXPECT_EQ(recalled("beets"), 0U);
  EXPECT_EQ(save("the branch knows about beets"), edited->id);
  memory_->look_around({});
  EXPECT_EQ(recalled("beets"), 1U);
}

TEST_F(Branches, AnExportTakesThemAlong) {
  const std::string old = decide("database", "Use files");
  go_to("feature");
  save("the branch knows about turnips");
  decide("database", "Use SQLite", {old});
  std::vector<std::string> lines;
  ASSERT_TRUE(export_memory(
                  memory_->store(),
                  [&](std::string_view line) -> Result<void> {
                    lines.emplace_back(line);
                    return {};
                  },
                  memory_->clock())
                  .ok());
  memory_.reset();
  std::filesystem::remove_all(directory_.path() / "data");
  SetUp();
  go_to("");
  std::size_t next = 0;
  const auto report = import_memory(
      memory_->store(), memory_->entries(), memory_->vectors(),
      [&]() -> Result<std::optional<std::string>> {
        return next == lines.size() ? std::nullopt : std::optional(lines[next++]);
      },
      memory_->clock(), true);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->refused, 0U);
  go_to("");
  EXPECT_THAT(listed(), IsEmpty());
  EXPECT_THAT(active(), ElementsAre("Use files"));
  go_to("feature");
  EXPECT_THAT(listed(), SizeIs(1));
  EXPECT_THAT(active(), ElementsAre("Use SQLite"));
}

}  // namespace
}  // namespace codexmem::memory::testing
