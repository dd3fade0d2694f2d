// memory/decisions_fixture.h - decisions on a store in a temporary directory, clocks set by hand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "memory/decisions/decisions.h"
#include "support/temporary_directory.h"

namespace codexmem::memory::testing {

inline const Caller kViewer{Role::kViewer};
inline const Caller kAgent{Role::kAgent};
inline const Caller kAdmin{Role::kAdmin};
inline const Caller kPerson{Role::kAdmin, true};

inline NewDecision about(std::string target, std::string title = "Use SQLite",
                         std::string rationale = "It is embedded and outlives power cuts") {
  NewDecision decision;
  decision.project = "demo";
  decision.title = std::move(title);
  decision.target = std::move(target);
  decision.rationale = std::move(rationale);
  return decision;
}

class DecisionsTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kMinuteMs = 60'000, kHourMs = 60 * kMinuteMs;

  DecisionsTest() {
    auto store = store::UserStore::open(directory_.path() / "data");
    EXPECT_TRUE(store.ok()) << store.error().message();
    store_ = *std::move(store);
    reopen();
  }

  DecisionOptions options() {
    DecisionOptions options;
    options.clock = [this] { return now_ms_; };
    options.monotonic_ms = [this] { return monotonic_ms_; };
    return options;
  }

  void reopen() { reopen(options()); }
  void reopen(DecisionOptions options) {
    decisions_ = std::make_unique<Decisions>(*store_, vectors_, std::move(options));
  }

  // For long histories: commits need not outlive a power cut.
  void quick() {
    auto writer = store_->writer();
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->execute("PRAGMA synchronous=OFF").ok());
  }

  void pass(std::int64_t ms) {
    now_ms_ += ms;
    monotonic_ms_ += ms;
  }

  // Records after the cooldown.
  std::string record(const Caller& caller, NewDecision decision) {
    pass(5'000);
    const auto id = decisions_->record(caller, std::move(decision));
    EXPECT_TRUE(id.ok()) << id.error().message();
    return id.ok() ? *id : "";
  }

  std::string supersede(const Caller& caller, NewDecision decision,
                        const std::vector<std::string>& old_ids) {
    pass(5'000);
    const auto id = decisions_->supersede(caller, std::move(decision), old_ids);
    EXPECT_TRUE(id.ok()) << id.error().message();
    return id.ok() ? *id : "";
  }

  std::string propose(const Caller& caller, NewDecision decision,
                      std::vector<std::string> replaces = {}) {
    NewProposal proposal;
    proposal.decision = std::move(decision);
    proposal.replaces = std::move(replaces);
    const auto id = decisions_->propose(caller, std::move(proposal));
    EXPECT_TRUE(id.ok()) << id.error().message();
    return id.ok() ? *id : "";
  }

  Decision get(const std::string& id) {
    auto decision = decisions_->get(id);
    EXPECT_TRUE(decision.ok()) << decision.error().message();
    return decision.ok() ? *std::move(decision) : Decision{};
  }

  std::string status(const std::string& id) { return std::string(status_name(get(id).status)); }

  std::vector<DecisionHit> search(std::string query, DecisionMode mode = DecisionMode::kBalanced,
                                  std::size_t limit = 5) {
    DecisionSearch search;
    search.query = std::move(query);
    search.mode = mode;
    search.limit = limit;
    auto answer = decisions_->search(kViewer, search);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? answer->hits : std::vector<DecisionHit>();
  }

  // Every row of decisions, their links and history, as text; not the audit log.
  std::string dump() {
    auto reader = store_->reader();
    EXPECT_TRUE(reader.ok());
    std::string all;
    for (const char* sql :
         {"SELECT group_concat(quote(key) || quote(id) || quote(kind) || quote(project_id) || "
          "quote(title) || quote(target) || quote(target_key) || quote(status) || "
          "quote(rationale) || quote(consequences) || quote(source) || quote(confidence) || "
          "quote(evidence) || quote(replaces) || quote(first_observed_at_ms) || "
          "quote(converted_to) || quote(created_at_ms), x'0a') FROM (SELECT * FROM decisions "
          "ORDER BY key)",
          "SELECT group_concat(new_key || '>' || old_key) FROM (SELECT * FROM decision_links "
          "ORDER BY new_key, old_key)",
          "SELECT group_concat(id || ' ' || decision_key || ' ' || coalesce(from_status, '') || "
          "' ' || to_status || ' ' || role || ' ' || reason || ' ' || at_ms, x'0a') FROM (SELECT "
          "* FROM decision_history ORDER BY id)",
          "SELECT count(*) || ' vectors' FROM vectors",
          "SELECT count(*) || ' projects' FROM projects"}) {
      auto query = (*reader)->statement(sql);
      EXPECT_TRUE(query.ok()) << query.error().message();
      EXPECT_TRUE(query->step().ok());
      all += std::string(query->text(0)) + "\n";
    }
    return all;
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::int64_t now_ms_ = 1'767'323'045'678;  // 2026-01-02 03:04:05.678 UTC
  std::int64_t monotonic_ms_ = 1'000'000;
  std::unique_ptr<store::UserStore> store_;
  DocumentVectors vectors_{nullptr, true};
  std::unique_ptr<Decisions> decisions_;
};

}  // namespace codexmem::memory::testing
