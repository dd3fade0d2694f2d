// Decisions are few, also where a million memories stand next to them: their texts and vectors are
// read and compared one by one, which makes filters exact and reads no other documents.
// A word weighs log(1 + N / n) when n of N decisions have it.
//
// Tested by memory/decision_search_test.cpp.
#include "memory/decisions/decision_similarity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "text/prose.h"
#include "base/text.h"
#include "text/words.h"
#include "embed/vector_codes.h"
#include "memory/decisions/decision_text.h"
#include "store/document_vectors.h"
#include "store/user/decisions.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxWords = 32;
constexpr double kSaturation = 1.2;  // BM25's k1

struct Candidate {
  bool is_active = false;
  std::int64_t created_at_ms = 0;
  double similarity = 0;
};
using Candidates = std::unordered_map<std::int64_t, Candidate>;  // by key; they stay in place

// The stems of a question's words with their places, each once; words that say nothing only when
// there are no others.
using Stems = std::map<std::string, std::size_t, std::less<>>;

Stems list_stems(std::string_view text) {
  Stems stems, stop_stems;
  for_each_prose_term(text, [&](const Term& term) {
    if (term.is_compound) return;
    const std::string word = to_lower_ascii(text.substr(term.begin, term.end - term.begin));
    Stems& into = is_stop_word(word) ? stop_stems : stems;
    if (into.size() < kMaxWords) into.try_emplace(std::string(term.text), into.size());
  });
  return stems.empty() ? stop_stems : stems;
}

// The candidates, compared with the words of the question.
Result<Candidates> list_similar_decisions(store::Database& database, std::string_view question,
                                          const std::vector<std::string>& projects,
                                          std::stop_token stop) {
  const Stems stems = list_stems(question);
  std::vector<std::vector<std::pair<Candidate*, double>>> found(stems.size());
  std::vector<std::size_t> counts(stems.size());
  const auto count_stems = [&](std::string_view text) {
    for_each_prose_term(text, [&](const Term& term) {
      if (term.is_compound) return;
      if (const auto known = stems.find(term.text); known != stems.end()) ++counts[known->second];
    });
  };
  Candidates candidates;
  const auto compare = [&](const store::DecisionTexts& decision) -> Result<void> {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
    Candidate& candidate = candidates[static_cast<std::int64_t>(decision.key)];
    candidate = {decision.is_active, decision.created_at_ms, 0};
    std::fill(counts.begin(), counts.end(), 0);
    count_stems(decision.title);
    count_stems(decision.target);
    count_stems(without_marker(decision.rationale));
    for (const std::string& consequence : decision.consequences) count_stems(consequence);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      const auto count = static_cast<double>(counts[i]);
      found[i].emplace_back(&candidate, count / (count + kSaturation));
    }
    return {};
  };
  CODEXMEM_TRY(store::visit_decisions(database, projects, compare));
  double most = 0;
  std::vector<double> weights;
  for (const auto& of_one : found) {
    weights.push_back(std::log1p(static_cast<double>(candidates.size()) /
                                 std::max(1.0, static_cast<double>(of_one.size()))));
    most += weights.back();
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& [candidate, part] : found[i]) {
      candidate->similarity += weights[i] * part / most;
    }
  }
  return candidates;
}

Result<void> compare_vectors(store::Database& database, std::string_view model,
                             const std::vector<float>& question, Candidates& candidates,
                             std::stop_token stop) {
  const auto compare = [&](std::int64_t key, std::string_view codes) -> Result<void> {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
    const auto candidate = candidates.find(key);
    if (candidate == candidates.end() || codes.size() != question.size()) return {};
    double cosine = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto code = static_cast<unsigned char>(codes[i]);
      cosine += static_cast<double>(question[i]) * (code - embed::kZeroCode) / 200.0;
    }
    candidate->second.similarity = std::max(candidate->second.similarity, cosine);
    return {};
  };
  return store::visit_decision_vectors(database, model, compare);
}

std::vector<SimilarDecision> best(const Candidates& candidates, bool only_active, std::size_t k) {
  std::vector<Candidates::const_pointer> found;
  for (const auto& candidate : candidates) {
    if (candidate.second.similarity > 0 && (candidate.second.is_active || !only_active)) {
      found.push_back(&candidate);
    }
  }
  const auto is_better = [](Candidates::const_pointer a, Candidates::const_pointer b) {
    return std::tuple(b->second.similarity, b->second.created_at_ms, b->first) <
           std::tuple(a->second.similarity, a->second.created_at_ms, a->first);
  };
  k = std::min(k, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(k), found.end(),
                    is_better);
  std::vector<SimilarDecision> nearest;
  for (std::size_t i = 0; i < k; ++i) {
    nearest.push_back(
        {static_cast<DecisionKey>(found[i]->first), std::min(1.0, found[i]->second.similarity)});
  }
  return nearest;
}

}  // namespace

Result<SimilaritySource::Question> StoredSimilarity::ask(std::string_view text) const {
  Question question{std::string(text), {}, ""};
  const embed::Embedder* const embedder = vectors_->embedder();
  if (embedder == nullptr) return question;
  auto vector = embedder->embed_query(text);
  if (vector.ok()) {
    question.vector = *std::move(vector);
  } else {
    question.degraded = vector.error().message();
  }
  return question;
}

Result<SimilarDecisions> StoredSimilarity::find_similar(store::Database& database,
                                                        const Question& question,
                                                        const std::vector<std::string>& projects,
                                                        std::size_t k, std::stop_token stop) const {
  CODEXMEM_ASSIGN(Candidates candidates,
                  list_similar_decisions(database, question.text, projects, stop));
  if (!question.vector.empty()) {
    CODEXMEM_TRY(compare_vectors(database, vectors_->embedder()->model_id(), question.vector,
                                 candidates, stop));
  }
  return SimilarDecisions{best(candidates, true, k), best(candidates, false, k)};
}

}  // namespace codexmem::memory
