// Decisions::reflect() reads the observations of a project first, all of 30 days, and then weighs
// its drafts in one transaction. A draft's evidence is every observation of its target since the
// first that it was made from, so that weighing twice gives the same. Once drafts on a target have
// ended, what was observed before counts no more.
//
// Tested by memory/reflection_test.cpp.
#include "memory/recall/reflection.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "memory/decisions/decision_text.h"
#include "memory/decisions/decisions.h"
#include "memory/entries/sessions.h"
#include "privacy/gate.h"

namespace codexmem::memory {
namespace {

constexpr std::array<std::string_view, 12> kFailures = {
    "test failed",   "tests failed",       "failed test",      "failing test",
    "test failure",  "tests are failing",  "command failed",   "build failed",
    "build failure", "compilation failed", "assertion failed", "does not compile"};
constexpr std::array<std::string_view, 10> kSuccesses = {
    "test passed", "tests passed", "test passes",    "tests pass",      "all tests pass",
    "tests green", "build passed", "build succeeds", "build succeeded", "command succeeded"};
// A number follows, or comes before; zero is a success.
constexpr std::array<std::string_view, 4> kCodes = {"exit code", "exited with code", "exit status",
                                                    "exited with status"};
constexpr std::array<std::string_view, 3> kCounted = {" failed", " failures", " failing"};

// What the numbers of `text` say: "exit code 1", "3 failed", "0 failures".
std::optional<bool> counted_error(std::string_view text) {
  std::optional<bool> is_error;
  for (const std::string_view name : kCodes) {
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      std::size_t i = at + name.size();
      while (i < text.size() && (text[i] == ' ' || text[i] == ':' || text[i] == '=')) ++i;
      if (i == text.size() || !is_digit(text[i])) continue;
      bool is_zero = true;
      for (; i < text.size() && is_digit(text[i]); ++i) is_zero = is_zero && text[i] == '0';
      is_error = is_error.value_or(false) || !is_zero;
    }
  }
  for (const std::string_view name : kCounted) {
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      bool any = false, is_zero = true;
      for (std::size_t i = at; i > 0 && is_digit(text[i - 1]); --i) {
        any = true;
        is_zero = is_zero && text[i - 1] == '0';
      }
      if (any) is_error = is_error.value_or(false) || !is_zero;
    }
  }
  return is_error;
}

template <std::size_t kSize>
bool contains_one(std::string_view text, const std::array<std::string_view, kSize>& phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&](std::string_view phrase) {
    return text.find(phrase) != std::string_view::npos;
  });
}

std::optional<bool> stated_error(const ObservedEntry& entry) {
  if (!entry.outcome.empty()) {
    const std::string outcome = to_lower_ascii(trim(entry.outcome));
    if (outcome == "error" || outcome == "failure" || outcome == "failed") return true;
    if (outcome == "success" || outcome == "passed") return false;
    return std::nullopt;
  }
  const std::string text = fold_whitespace(to_lower_ascii(fmt::format(
      "{} . {} . {} . {}", entry.title, entry.subtitle, entry.body, join(entry.facts, " . "))));
  const std::optional<bool> counted = counted_error(text);
  if (counted == true || contains_one(text, kFailures)) return true;
  if (entry.type == "bugfix") return true;
  if (counted == false || contains_one(text, kSuccesses)) return false;
  return std::nullopt;
}

}  // namespace

std::optional<Outcome> outcome_of(const ObservedEntry& entry) {
  const std::optional<bool> is_error = stated_error(entry);
  if (!is_error) return std::nullopt;
  Outcome outcome{*is_error, {}};
  if (!entry.target.empty()) {
    outcome.targets = {entry.target};
  } else if (!entry.files_modified.empty()) {
    outcome.targets = entry.files_modified;
  } else if (!entry.files_read.empty()) {
    outcome.targets = entry.files_read;
  } else {
    return std::nullopt;  // a title is no part of a project that could be guarded
  }
  if (outcome.targets.size() > kMaxTargets) outcome.targets.resize(kMaxTargets);
  return outcome;
}

double confidence_of(std::size_t errors, std::size_t successes) {
  if (errors <= successes) return 0;
  return static_cast<double>(errors - successes) / static_cast<double>(errors + successes + 1);
}

bool is_ready(const Decision& draft, std::int64_t now_ms) {
  return draft.status == DecisionStatus::kDraft && draft.source == DecisionSource::kReflection &&
         draft.confidence >= kReadyConfidence && now_ms - draft.first_observed_at_ms >= kReadyAgeMs;
}

std::vector<RivalText> rival_texts(std::string_view target, std::size_t errors,
                                   std::size_t successes, std::span<const std::string> examples) {
  std::string seen =
      fmt::format("{} failures and {} successes were observed on {}.", errors, successes, target);
  for (const std::string& example : examples) seen += "\n- " + example;
  return {
      {fmt::format("Guard changes to {}", target),
       seen + "\n\nIt breaks easily: test it before and after every change.",
       {fmt::format("{} is tested before and after it is changed", target)}},
      {fmt::format("Rework {}", target),
       seen + "\n\nThe failures may have one cause: find it and rework this part, instead of "
              "mending it once more.",
       {fmt::format("No more single repairs of {} before its cause is known", target)}},
  };
}

// ---- Decisions::reflect()

namespace {

constexpr std::string_view kReflectionRole = "reflection_engine";
constexpr std::int64_t kWindowMs = std::int64_t{30} * 24 * 3'600'000;
constexpr std::size_t kMaxExamples = 5;
constexpr std::size_t kMaxExampleBytes = 160;

struct Event {
  EntryId id{};
  bool is_error = false;
  std::int64_t at_ms = 0;
  std::string title;
};

// The observations of one target, oldest first by id.
struct TargetEvents {
  std::string target;       // as it was written last
  bool is_touched = false;  // by the session that has ended
  std::vector<Event> events;
};
using Observed = std::map<std::string, TargetEvents, std::less<>>;  // by target key

struct Tally {
  std::size_t errors = 0, successes = 0;
  std::vector<EntryId> ids;
  void add(const Event& event) {
    ++(event.is_error ? errors : successes);
    ids.push_back(event.id);
  }
};

Result<SessionRow> get_ended_session(store::Database& database,
                                     std::string_view content_session_id) {
  CODEXMEM_ASSIGN(auto session, find_session(database, content_session_id));
  if (session) return *std::move(session);
  return Error{ErrorCode::kNotFound, fmt::format("session {} not found", content_session_id)};
}

Result<Observed> list_observed(store::Database& database, const SessionRow& session,
                               std::int64_t now_ms) {
  Observed observed;
  const auto add = [&](const store::ObservedIn& in, const ObservedEntry& entry) {
    const std::optional<Outcome> outcome = outcome_of(entry);
    if (!outcome) return;
    std::set<std::string> keys;
    for (const std::string& target : outcome->targets) {
      const std::string key = target_key(target);
      if (key.empty() || !keys.insert(key).second) continue;
      TargetEvents& events = observed[key];
      if (events.target.empty()) events.target = std::string(trim_unicode(target));
      events.is_touched |= in.session == session.id;
      events.events.push_back({in.id, outcome->is_error, in.created_at_ms, entry.title});
    }
  };
  CODEXMEM_TRY(store::visit_observed(database, session.project_id, now_ms - kWindowMs, add));
  for (auto& [key, events] : observed) {
    std::sort(events.events.begin(), events.events.end(),
              [](const Event& a, const Event& b) { return a.id < b.id; });
  }
  return observed;
}

struct LiveDraft {
  Decision decision;
  std::int64_t weighed_at_ms = 0;
};

Result<std::vector<LiveDraft>> list_drafts(store::Database& database, ProjectId project) {
  CODEXMEM_ASSIGN(const auto weighed, store::list_reflection_drafts(database, project));
  std::vector<DecisionKey> keys;
  for (const store::WeighedDraft& draft : weighed) keys.push_back(draft.key);
  CODEXMEM_ASSIGN(std::vector<Decision> decisions, get_decisions(database, keys));
  std::vector<LiveDraft> drafts;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    drafts.push_back({std::move(decisions[i]), weighed[i].weighed_at_ms});
  }
  return drafts;
}

double rounded(double confidence) { return std::round(confidence * 10'000) / 10'000; }

// What was observed of a draft's target since the first of its evidence.
Tally tally_of(const Decision& draft, const Observed& observed) {
  Tally tally;
  const auto found = observed.find(draft.target_key);
  if (found == observed.end() || draft.evidence.empty()) return tally;
  const EntryId first = *std::min_element(draft.evidence.begin(), draft.evidence.end());
  for (const Event& event : found->second.events) {
    if (event.id >= first) tally.add(event);
  }
  return tally;
}

bool has_news(const Tally& tally, const Decision& draft) {
  const std::set<EntryId> known(draft.evidence.begin(), draft.evidence.end());
  return std::any_of(tally.ids.begin(), tally.ids.end(),
                     [&](EntryId id) { return known.count(id) == 0; });
}

// Weighs one draft; `rank` is its place among those on its target.
Result<void> weigh_draft(store::Database& database, const LiveDraft& draft, std::size_t rank,
                         const Observed& observed, std::int64_t now_ms, Reflection& done) {
  const Decision& decision = draft.decision;
  const Tally tally = tally_of(decision, observed);
  double confidence = decision.confidence;
  std::vector<EntryId> evidence = decision.evidence;
  std::string reason;
  if (has_news(tally, decision)) {
    confidence = rounded(confidence_of(tally.errors, tally.successes) *
                         std::pow(kRivalShare, static_cast<double>(rank)));
    evidence = tally.ids;
    reason = fmt::format("{} failures, {} successes", tally.errors, tally.successes);
  } else if (now_ms - draft.weighed_at_ms >= kDecayEveryMs) {
    confidence = rounded(std::max(0.0, confidence - kDecay));
    reason = "nothing new was observed";
  } else {
    return {};
  }
  CODEXMEM_TRY(store::weigh_draft(database, decision.key, confidence, evidence, now_ms));
  ++done.weighed;
  if (!tally.ids.empty() && is_falsified(tally.errors, tally.successes)) {
    done.falsified.push_back(decision.id);
    return change_status(database, decision, DecisionStatus::kFalsified, kReflectionRole, reason,
                         now_ms);
  }
  if (confidence >= kMinConfidence) return {};
  done.rejected.push_back(decision.id);
  return change_status(database, decision, DecisionStatus::kRejected, kReflectionRole,
                       fmt::format("confidence {:.2f}: {}", confidence, reason), now_ms);
}

// The drafts that the observations of a target ask for; none when they do not.
std::vector<Decision> draft_rivals(const TargetEvents& target, std::string_view key,
                                   std::int64_t after_ms) {
  Tally tally;
  std::vector<std::string> examples;
  for (const Event& event : target.events) {
    if (event.at_ms <= after_ms) continue;
    tally.add(event);
    if (event.is_error && !event.title.empty()) {
      examples.emplace_back(utf8_prefix(privacy::redacted(event.title), kMaxExampleBytes));
    }
  }
  std::vector<Decision> drafts;
  if (tally.errors < kErrorsForProposal || is_falsified(tally.errors, tally.successes)) {
    return drafts;
  }
  if (examples.size() > kMaxExamples) {
    examples.erase(examples.begin(), examples.end() - kMaxExamples);
  }
  // A text that is a secret by today's rules is not the name of a target.
  const std::string shown = privacy::redacted(target.target);
  if (shown != target.target) return drafts;
  for (RivalText& text : rival_texts(shown, tally.errors, tally.successes, examples)) {
    Decision draft;
    draft.status = DecisionStatus::kDraft;
    draft.source = DecisionSource::kReflection;
    draft.title = std::move(text.title);
    draft.target = shown;
    draft.target_key = key;
    draft.rationale = escape_marker(text.rationale);
    draft.consequences = std::move(text.consequences);
    draft.confidence = drafts.empty() ? kFirstConfidence : kRivalConfidence;
    draft.evidence = tally.ids;
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

}  // namespace

Result<Reflection> Decisions::reflect(std::string_view content_session_id) {
  const std::int64_t now_ms = options_.clock();
  SessionRow session;
  Observed observed;
  {
    CODEXMEM_ASSIGN(auto reader, store_->reader());
    CODEXMEM_ASSIGN(const auto snapshot, store::Transaction::begin_read(*reader));
    CODEXMEM_ASSIGN(session, get_ended_session(*reader, content_session_id));
    CODEXMEM_ASSIGN(observed, list_observed(*reader, session, now_ms));
  }
  Reflection done;
  {
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
    CODEXMEM_ASSIGN(const std::vector<LiveDraft> drafts, list_drafts(*writer, session.project_id));
    std::map<std::string, std::size_t, std::less<>> ranks;  // drafts seen of each target
    for (const LiveDraft& draft : drafts) {
      const std::size_t rank = ranks[draft.decision.target_key]++;
      CODEXMEM_TRY(weigh_draft(*writer, draft, rank, observed, now_ms, done));
    }
    for (const auto& [key, target] : observed) {
      if (!target.is_touched || ranks.count(key) > 0) continue;
      CODEXMEM_ASSIGN(const std::int64_t after_ms,
                      store::find_last_end(*writer, session.project_id, key));
      CODEXMEM_ASSIGN(const auto active, find_active(*writer, session.project, key));
      for (Decision& draft : draft_rivals(target, key, after_ms)) {
        draft.project = session.project;
        draft.created_at_ms = draft.first_observed_at_ms = now_ms;
        draft.id = new_decision_id(true, now_ms);
        if (active) draft.replaces = {active->id};
        CODEXMEM_ASSIGN(const DecisionKey made,
                        insert_decision(*writer, draft, kReflectionRole, "observed failures"));
        CODEXMEM_TRY(store::weigh_draft(*writer, made, draft.confidence, draft.evidence, now_ms));
        done.proposed.push_back(draft.id);
      }
    }
    CODEXMEM_TRY(writer.commit());
  }
  std::vector<std::string> changed = done.proposed;
  changed.insert(changed.end(), done.rejected.begin(), done.rejected.end());
  changed.insert(changed.end(), done.falsified.begin(), done.falsified.end());
  if (!changed.empty()) write_files(changed);
  return done;
}

}  // namespace codexmem::memory
