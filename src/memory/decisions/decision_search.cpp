// The answer has the near decisions, their successors, and the active ones on their targets: the
// active decision of a target that was found at all is in every answer. The end of a chain is as
// near as its nearest version, for that is what the question meant.
//
// Scores (spec/decisions.md, "Search & Ranking Policy"): active similarity + 1; superseded x 0.2,
// deprecated x 0.05, draft x 0.4, other proposals x 0.05; then 0.1 more for what a human decided.
// With similarities in [0, 1] every active one is above every other.
//
// Tested by memory/decision_search_test.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "memory/decisions/decision_text.h"
#include "memory/decisions/decisions.h"
#include "privacy/gate.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxLimit = 20;
constexpr std::size_t kCandidatesPerHit = 5;
constexpr std::size_t kPreviewCharacters = 240;
constexpr double kHumanBonus = 0.1;

constexpr std::array<std::string_view, 3> kModeNames = {"strict", "balanced", "audit"};

double score_of(const Decision& decision, double similarity) {
  double score = similarity;
  switch (decision.status) {
    case DecisionStatus::kActive:
      score += 1;
      break;
    case DecisionStatus::kSuperseded:
      score *= 0.2;
      break;
    case DecisionStatus::kDraft:
      score *= 0.4;
      break;
    case DecisionStatus::kDeprecated:
    case DecisionStatus::kAccepted:
    case DecisionStatus::kRejected:
    case DecisionStatus::kFalsified:
      score *= 0.05;
      break;
  }
  if (decision.source == DecisionSource::kHuman) score += kHumanBonus;
  return std::round(score * 10'000) / 10'000;
}

std::string preview_of(const Decision& decision) {
  const std::string whole = fold_whitespace(
      privacy::redacted(fmt::format("{}: {}", decision.title, without_marker(decision.rationale))));
  std::size_t characters = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(whole[i]) & 0xC0) != 0x80;
    if (begins && characters++ == kPreviewCharacters) return whole.substr(0, i) + "...";
  }
  return whole;
}

using Similarities = std::map<DecisionKey, double>;

void raise(Similarities& similarities, DecisionKey key, double similarity) {
  // Not a number compares false, and becomes 0.
  const double clamped = similarity > 0 ? std::min(similarity, 1.0) : 0.0;
  double& known = similarities.try_emplace(key, clamped).first->second;
  known = std::max(known, clamped);
}

// Adds the successors of the decisions found, and the active ones on their targets.
Result<void> add_later_ones(store::Database& database, const BranchScope& scope,
                            Similarities& similarities) {
  const Similarities found = similarities;
  for (const auto& [key, similarity] : found) {
    for (auto next = scope.successor_of(key); next; next = scope.successor_of(*next)) {
      raise(similarities, *next, similarity);
    }
    CODEXMEM_ASSIGN(const auto end, store::find_end_of_chain(database, key));
    if (end && *end != key) raise(similarities, *end, similarity);
    CODEXMEM_ASSIGN(const auto active, store::find_other_active(database, key));
    if (active) raise(similarities, *active, 0);
  }
  return {};
}

struct Found {
  Decision decision;
  double score = 0;
  bool is_active() const { return decision.status == DecisionStatus::kActive; }
};

bool is_before(const Found& a, const Found& b) {
  return std::tuple(b.score, b.decision.created_at_ms, b.decision.key) <
         std::tuple(a.score, a.decision.created_at_ms, a.decision.key);
}

// Superseded decisions stand aside for the ends of their chains, which were found with them; then
// the first of each target stays. `found` is in order, and its active ones are first.
void keep_one_a_target(std::vector<Found>& found) {
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(found, [&](const Found& one) {
    return one.decision.status == DecisionStatus::kSuperseded ||
           !seen.emplace(one.decision.project, one.decision.target_key).second;
  });
}

}  // namespace

std::string_view mode_name(DecisionMode mode) { return kModeNames[static_cast<std::size_t>(mode)]; }

std::optional<DecisionMode> parse_mode(std::string_view name) {
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    if (kModeNames[i] == name) return static_cast<DecisionMode>(i);
  }
  return std::nullopt;
}

Result<DecisionAnswer> Decisions::try_search(const DecisionSearch& search, std::stop_token stop) {
  const std::string query = privacy::cleaned(search.query);
  if (trim_unicode(query).empty()) {
    return Error{ErrorCode::kInvalidArgument, "query must have at least 1 character, got 0"};
  }
  if (search.limit < 1 || search.limit > kMaxLimit) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("limit must be from 1 to {}, got {}", kMaxLimit, search.limit)};
  }
  CODEXMEM_ASSIGN(const SimilaritySource::Question question, options_.similarity->ask(query));
  const auto scope = branches_->scope();
  CODEXMEM_ASSIGN(auto reader, store_->reader());
  CODEXMEM_ASSIGN(const auto snapshot, store::Transaction::begin_read(*reader));
  CODEXMEM_ASSIGN(const SimilarDecisions near,
                  options_.similarity->find_similar(
                      *reader, question, search.projects,
                      search.limit * kCandidatesPerHit + scope->hidden().size(), stop));
  Similarities similarities;
  for (const SimilarDecision& one : near.active) raise(similarities, one.key, one.similarity);
  for (const SimilarDecision& one : near.all) raise(similarities, one.key, one.similarity);
  CODEXMEM_TRY(add_later_ones(*reader, *scope, similarities));

  std::vector<DecisionKey> keys;
  for (const auto& [key, similarity] : similarities) keys.push_back(key);
  CODEXMEM_ASSIGN(std::vector<Decision> decisions, get_decisions(*reader, keys));
  std::vector<Found> found;
  for (Decision& decision : decisions) {
    if (scope->is_hidden(document_key(decision.key))) continue;
    scope->adapt(decision);
    const double score = score_of(decision, similarities[decision.key]);
    if (search.mode == DecisionMode::kStrict && decision.status != DecisionStatus::kActive) {
      continue;
    }
    found.push_back({std::move(decision), score});
  }
  std::sort(found.begin(), found.end(), is_before);
  if (search.mode == DecisionMode::kBalanced) keep_one_a_target(found);
  const auto passed_over = std::min(search.offset, found.size());
  found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(passed_over));
  DecisionAnswer answer;
  if (found.size() > search.limit) {
    answer.beyond = found.size() - search.limit;
    found.resize(search.limit);
  }
  answer.degraded = question.degraded;
  for (const Found& one : found) {
    const Decision& decision = one.decision;
    DecisionHit hit;
    hit.id = decision.id;
    hit.score = one.score;
    hit.status = status_name(decision.status);
    hit.kind = decision_kind(decision.status);
    hit.preview = preview_of(decision);
    hit.target = privacy::redacted(decision.target);
    hit.project = decision.project;
    hit.title = privacy::redacted(decision.title);
    hit.source = source_name(decision.source);
    hit.created_at_ms = decision.created_at_ms;
    hit.key = decision.key;
    hit.branch = scope->branch_of(document_key(decision.key));
    answer.hits.push_back(std::move(hit));
  }
  return answer;
}

}  // namespace codexmem::memory
