// The guarantees of decisions over random histories: roles, targets, ids, times and similarities
// are drawn; after each step everything that is promised is checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "memory/decisions/decision_text.h"
#include "memory/decisions/decisions.h"
#include "memory/decisions_fixture.h"
#include "memory/entries/entries.h"

namespace codexmem::memory::testing {
namespace {

// Draws a similarity for each decision and question; some are out of bounds, as a cosine may be.
class DrawnSimilarity final : public SimilaritySource {
 public:
  Result<Question> ask(std::string_view text) const override {
    return Question{std::string(text), {}, ""};
  }

  Result<SimilarDecisions> find_similar(store::Database& database, const Question& question,
                                        const std::vector<std::string>&, std::size_t k,
                                        std::stop_token) const override {
    SimilarDecisions similar;
    CODEXMEM_ASSIGN(auto query, database.statement(
                                    "SELECT key, status = 'active' FROM decisions ORDER BY key"));
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, query.step());
      if (!more) break;
      const auto key = query.id<DecisionKey>(0);
      // Active ones are the worst matches, as often as not.
      const bool is_active = query.integer(1) != 0;
      const double drawn = draw(question.text, key);
      const double value = is_active && question.text.front() == 'x' ? drawn * 0.01 : drawn;
      if (is_active && question.text.front() == 'z') continue;
      if (std::isnan(value) || value > 0.2) similar.all.push_back({key, value});
      // To 'z' no active one is near: those are found by what they came from.
      if (is_active && question.text.front() != 'z') similar.active.push_back({key, value});
    }
    for (auto* list : {&similar.all, &similar.active}) {
      std::stable_sort(list->begin(), list->end(), [](const auto& a, const auto& b) {
        return (std::isnan(a.similarity) ? 0 : a.similarity) >
               (std::isnan(b.similarity) ? 0 : b.similarity);
      });
      if (list->size() > k) list->resize(k);
    }
    return similar;
  }

 private:
  static double draw(const std::string& question, DecisionKey key) {
    const auto hash =
        std::hash<std::string>{}(question + "/" + std::to_string(static_cast<std::int64_t>(key)));
    if (hash % 50 == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(hash % 1'000) / 500.0 - 0.6;  // -0.6 to 1.4
  }
};

class Histories : public DecisionsTest, public ::testing::WithParamInterface<int> {
 protected:
  using Place = std::pair<std::string, std::string>;  // project and target key

  Histories() : random_(static_cast<unsigned>(GetParam())) {
    quick();
    DecisionOptions drawn = options();
    drawn.similarity = &similarity_;
    reopen(std::move(drawn));
  }

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  template <typename T>
  const T& any_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  NewDecision any_decision() {
    static const std::vector<std::string> kTargets = {"db", " DB ", "Db", "ÄRGER", "ärger", "log"};
    static const std::vector<std::string> kProjects = {"demo", "demo", "other"};
    static const std::vector<std::string> kRationales = {"a long and good reason",
                                                         "a long and good reason",
                                                         "[via MCP] another good reason", "short"};
    NewDecision decision =
        about(any_of(kTargets), "Title " + std::to_string(below(1'000)), any_of(kRationales));
    decision.project = any_of(kProjects);
    return decision;
  }

  // Mostly an id that exists, often the active one of `decision`'s place.
  std::string any_id(const NewDecision& decision) {
    const Place place{decision.project, target_key(decision.target)};
    if (below(4) != 0 && active_.count(place) > 0) return active_[place];
    if (below(10) == 0 || ids_.empty()) return "decision_of_nobody";
    return any_of(ids_);
  }

  Caller any_caller() {
    static const std::vector<Caller> kCallers = {kViewer, kAgent, kAgent, kAgent,
                                                 kAdmin,  kAdmin, kPerson};
    return any_of(kCallers);
  }

  void pass_any_time() {
    static const std::vector<std::int64_t> kTimes = {0,     500,    1'000,       3'000,
                                                     3'000, 60'000, 20 * 60'000, kHourMs};
    pass(any_of(kTimes));
    if (below(15) == 0) pass(13 * kHourMs);
    if (below(20) == 0) now_ms_ -= kHourMs;  // somebody sets the clock back
  }

  std::vector<std::string> any_ids(const NewDecision& decision) {
    std::vector<std::string> ids;
    for (std::size_t i = 0, count = below(3); i <= count; ++i) ids.push_back(any_id(decision));
    return ids;
  }

  template <typename T>
  static std::string outcome(const Result<T>& result) {
    return result.ok() ? "" : result.error().message();
  }

  void observe() {
    NewEntry entry;
    entry.project = any_decision().project;
    entry.session = "session of " + entry.project;
    entry.text = "observation " + std::to_string(++observations_);
    entry.files_modified = {any_decision().target};
    entry.metadata = below(3) == 0 ? R"({"outcome":"success"})" : R"({"outcome":"error"})";
    EXPECT_TRUE(entries_.save(entry).ok());
  }

  // Does something and returns its error, empty when it was done.
  std::string step() {
    const NewDecision decision = any_decision();
    const Caller caller = any_caller();
    switch (below(9)) {
      case 0:
      case 1: {
        const auto id = decisions_->record(caller, decision);
        expect_record(caller, decision, outcome(id));
        return outcome(id);
      }
      case 2:
      case 3:
        return outcome(decisions_->supersede(caller, decision, any_ids(decision)));
      case 4: {
        NewProposal proposal{decision, {}, {}};
        if (below(2) == 0) proposal.replaces = {any_id(decision)};
        return outcome(decisions_->propose(caller, proposal));
      }
      case 5:
        return outcome(decisions_->accept(caller, any_id(decision)));
      case 6: {
        const auto id = any_id(decision);
        return outcome(below(3) == 0 ? decisions_->deprecate(caller, id, "")
                                     : decisions_->reject(caller, id, ""));
      }
      case 7:
        return outcome(decisions_->reflect("session of " + decision.project));
      default: {
        std::vector<std::string> drafts;  // newest first
        for (const std::string& id : ids_) {
          if (statuses_[id] == DecisionStatus::kDraft) drafts.push_back(id);
        }
        if (drafts.empty()) return "none";
        const std::string& draft = below(2) == 0 ? drafts.front() : any_of(drafts);
        return outcome(decisions_->accept(caller, draft));
      }
    }
  }

  // What record() must answer is known beforehand.
  void expect_record(const Caller& caller, const NewDecision& decision, const std::string& error) {
    const auto active = active_.find({decision.project, target_key(decision.target)});
    if (caller.role == Role::kViewer) {
      EXPECT_THAT(error, ::testing::StartsWith("Permission Denied"));
    } else if (decision.rationale == "short") {
      EXPECT_THAT(error, ::testing::StartsWith("rationale must have"));
    } else if (monotonic_ms_ < next_write_ms_) {
      EXPECT_THAT(error, ::testing::StartsWith("Rate limit exceeded: please wait"));
    } else if (active != active_.end()) {
      EXPECT_EQ(error, "CONFLICT: Active decisions for target '" +
                           std::string(trim_unicode(decision.target)) + "' exist: [" +
                           active->second + "]");
    } else {
      EXPECT_EQ(error, "");
    }
  }

  std::vector<Decision> list_all() {
    DecisionFilter all;
    all.limit = 1'000'000;
    auto decisions = decisions_->list(all);
    EXPECT_TRUE(decisions.ok());
    return decisions.ok() ? *std::move(decisions) : std::vector<Decision>();
  }

  static bool may_become(DecisionStatus from, DecisionStatus to) {
    if (from == to) return true;
    if (from == DecisionStatus::kActive) {
      return to == DecisionStatus::kDeprecated || to == DecisionStatus::kSuperseded;
    }
    return from == DecisionStatus::kDraft && is_proposal(to);
  }

  // At most one active decision per place; no way back; texts are unchanged; chains end; the
  // history is complete.
  void check_store() {
    std::map<Place, std::string> active;
    ids_.clear();
    for (const Decision& decision : list_all()) {
      ids_.push_back(decision.id);
      const Place place{decision.project, decision.target_key};
      if (decision.status == DecisionStatus::kActive) {
        EXPECT_TRUE(active.emplace(place, decision.id).second) << "two are active: " << decision.id;
      }
      const auto known = statuses_.find(decision.id);
      if (known == statuses_.end()) {
        EXPECT_TRUE(decision.status == DecisionStatus::kActive ||
                    decision.status == DecisionStatus::kDraft);
        if (decision.status == DecisionStatus::kActive) {
          next_write_ms_ = monotonic_ms_ + 2'000;
        }
      } else {
        EXPECT_TRUE(may_become(known->second, decision.status))
            << decision.id << " " << status_name(known->second) << " -> "
            << status_name(decision.status);
      }
      const bool changed = known == statuses_.end() || known->second != decision.status;
      statuses_[decision.id] = decision.status;
      const std::string text = decision.title + decision.target + decision.rationale;
      EXPECT_EQ(texts_.emplace(decision.id, text).first->second, text);
      EXPECT_EQ(decision.status == DecisionStatus::kSuperseded, !decision.superseded_by.empty());
      EXPECT_EQ(decision.status == DecisionStatus::kAccepted, !decision.converted_to.empty());
      if (decision.source == DecisionSource::kHuman) {
        EXPECT_FALSE(decision.rationale.starts_with("[via MCP]"));
      }
      if (changed) check_history(decision);
    }
    active_ = std::move(active);
  }

  void check_history(const Decision& decision) {
    const auto history = decisions_->history(decision.id);
    ASSERT_TRUE(history.ok());
    std::optional<DecisionStatus> status;
    for (const StatusChange& change : *history) {
      EXPECT_EQ(change.from, status);
      status = change.to;
    }
    EXPECT_EQ(status, decision.status);
    // Following what came after ends, at one that nothing superseded.
    std::set<std::string> seen;
    for (std::string id = decision.id; !id.empty(); id = get(id).superseded_by) {
      ASSERT_TRUE(seen.insert(id).second) << "a cycle through " << id;
    }
  }

  void check_search() {
    const std::string query = std::string(1, "xyz"[below(3)]) + std::to_string(below(1'000'000));
    const std::size_t limit = 1 + below(20);
    std::map<std::string, double> scores;
    for (const DecisionMode mode :
         {DecisionMode::kAudit, DecisionMode::kBalanced, DecisionMode::kStrict}) {
      const auto hits = search(query, mode, limit);
      EXPECT_LE(hits.size(), limit);
      std::map<Place, std::size_t> seen;
      double last = std::numeric_limits<double>::infinity();
      for (const DecisionHit& hit : hits) {
        const Decision decision = get(hit.id);
        const Place place{decision.project, decision.target_key};
        EXPECT_EQ(hit.status, status_name(decision.status));
        const bool is_active = decision.status == DecisionStatus::kActive;
        EXPECT_LE(hit.score, last);
        last = hit.score;
        EXPECT_EQ(is_active, hit.score >= 1) << hit.score;
        EXPECT_TRUE(is_active ? hit.score <= 2.1 : hit.score >= 0 && hit.score <= 0.5);
        EXPECT_EQ(scores.emplace(hit.id, hit.score).first->second, hit.score);
        // The active one of its target comes before all others.
        if (is_active) {
          EXPECT_EQ(seen.count(place), 0U);
        }
        if (!is_active && active_.count(place) > 0) {
          EXPECT_EQ(seen.count(place), 1U);
        }
        if (mode == DecisionMode::kStrict && query.front() != 'z') {
          EXPECT_TRUE(is_active);
        }
        if (mode == DecisionMode::kBalanced) {
          EXPECT_EQ(seen.count(place), 0U) << "two of a target";
          EXPECT_NE(decision.status, DecisionStatus::kSuperseded);
          EXPECT_EQ(is_active, active_.count(place) > 0);
        }
        ++seen[place];
      }
      if (mode == DecisionMode::kStrict && query.front() != 'z') {
        EXPECT_EQ(hits.size(), std::min(limit, active_.size())) << "an active one is crowded out";
      }
    }
  }

  std::mt19937 random_;
  DrawnSimilarity similarity_;
  Entries entries_{*store_, vectors_, [this] { return now_ms_; }};
  int observations_ = 0;
  std::vector<std::string> ids_;
  std::map<std::string, DecisionStatus> statuses_;
  std::map<std::string, std::string> texts_;
  std::map<Place, std::string> active_;
  std::int64_t next_write_ms_ = 0;
};

TEST_P(Histories, KeepTheGuarantees) {
  std::map<std::string, int> errors;  // how often each kind was met
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    pass_any_time();
    if (below(4) == 0) observe();
    const std::string before = dump();
    const std::string error = step();
    if (!error.empty()) {
      EXPECT_EQ(dump(), before) << error;
    }
    ++errors[error.substr(0, error.find_first_of(": "))];
    check_store();
    check_search();
  }
  for (const char* kind : {"", "CONFLICT", "Isolation", "PI1", "Permission", "Rate", "Decision"}) {
    EXPECT_GT(errors[kind], 0) << kind;
  }
  std::set<DecisionStatus> seen;
  for (const auto& [id, status] : statuses_) seen.insert(status);
  EXPECT_GE(seen.size(), 6U) << "the histories are dull";
}

INSTANTIATE_TEST_SUITE_P(Random, Histories, ::testing::Range(0, 5));

}  // namespace
}  // namespace codexmem::memory::testing
