// Words: the full-text index tells in one step where each word of the question stands, in documents
// of every kind; those of decisions are picked out. A word weighs log(1 + N / n) when n of N
// decisions have it. Vectors: those of decisions are few enough to be compared one by one, which
// makes filters exact.
//
// Tested by memory/decision_search_test.cpp.
#include "memory/decision_similarity.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/prose.h"
#include "base/text.h"
#include "base/words.h"
#include "embed/vector_codes.h"
#include "memory/json_lists.h"
#include "store/document_terms.h"

namespace codexmem::memory {
namespace {

constexpr char kDecisionsSql[] = R"sql(
SELECT d.key, d.status = 'active', d.created_at_ms FROM decisions AS d
WHERE ?1 IS NULL OR d.project_id IN (
  SELECT id FROM projects WHERE name IN (SELECT value FROM json_each(?1)))
ORDER BY d.key)sql";
constexpr char kVectorsSql[] = R"sql(
SELECT d.key, v.codes FROM decisions AS d CROSS JOIN vectors AS v
ON v.document = d.key * 4 + 3 AND v.model_id = (SELECT id FROM embedding_models WHERE name = ?1)
ORDER BY d.key)sql";

constexpr std::size_t kMaxWords = 32;
constexpr std::size_t kMaxMatches = 1'000'000;  // of a word
constexpr double kSaturation = 1.2;             // BM25's k1

struct Candidate {
  bool is_active = false;
  std::int64_t created_at_ms = 0;
  double similarity = 0;
};
using Candidates = std::unordered_map<std::int64_t, Candidate>;  // by key

Result<Candidates> list_candidates(store::Database& database,
                                   const std::vector<std::string>& projects) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kDecisionsSql));
  const std::string names = write_json_list(projects);
  if (!projects.empty()) query.bind(1, names);
  Candidates candidates;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (!more) return candidates;
    candidates.emplace(query.integer(0), Candidate{query.integer(1) != 0, query.integer(2), 0});
  }
}

// The stems of a question's words, each once; words that say nothing only when there are no others.
std::vector<std::string> list_stems(std::string_view text) {
  std::vector<std::string> stems, stop_stems;
  std::set<std::string, std::less<>> seen;
  for_each_prose_term(text, [&](const Term& term) {
    if (term.is_compound || !seen.emplace(term.text).second) return;
    const std::string word = to_lower_ascii(text.substr(term.begin, term.end - term.begin));
    (is_stop_word(word) ? stop_stems : stems).emplace_back(term.text);
  });
  if (stems.empty()) stems = std::move(stop_stems);
  if (stems.size() > kMaxWords) stems.resize(kMaxWords);
  return stems;
}

Result<void> compare_words(store::Database& database, std::string_view text,
                           Candidates& candidates) {
  const std::vector<std::string> words = list_stems(text);
  CODEXMEM_ASSIGN(const std::vector<store::TermMatches> matches,
                  store::match_terms(database, words, kMaxMatches));
  std::vector<std::vector<std::pair<Candidate*, double>>> found(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const store::TermMatch& match : matches[i].documents) {
      const auto document = static_cast<DocumentKey>(match.document);
      if (kind_of(document) != DocumentKind::kDecision) continue;
      const auto candidate = candidates.find(id_of(document));
      if (candidate == candidates.end()) continue;
      const auto count = static_cast<double>(match.count);
      found[i].emplace_back(&candidate->second, count / (count + kSaturation));
    }
  }
  double most = 0;
  std::vector<double> weights(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    weights[i] = std::log1p(static_cast<double>(candidates.size()) /
                            std::max(1.0, static_cast<double>(found[i].size())));
    most += weights[i];
  }
  if (most <= 0) return {};
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const auto& [candidate, part] : found[i]) {
      candidate->similarity += weights[i] * part / most;
    }
  }
  return {};
}

Result<void> compare_vectors(store::Database& database, std::string_view model,
                             const std::vector<float>& question, Candidates& candidates,
                             std::stop_token stop) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kVectorsSql));
  query.bind(1, model);
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (!more) return {};
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
    const auto candidate = candidates.find(query.integer(0));
    const std::string_view codes = query.blob(1);
    if (candidate == candidates.end() || codes.size() != question.size()) continue;
    double cosine = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto code = static_cast<unsigned char>(codes[i]);
      cosine += static_cast<double>(question[i]) * (code - embed::kZeroCode) / 200.0;
    }
    candidate->second.similarity = std::max(candidate->second.similarity, cosine);
  }
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
  CODEXMEM_ASSIGN(Candidates candidates, list_candidates(database, projects));
  CODEXMEM_TRY(compare_words(database, question.text, candidates));
  if (!question.vector.empty()) {
    CODEXMEM_TRY(compare_vectors(database, vectors_->embedder()->model_id(), question.vector,
                                 candidates, stop));
  }
  return SimilarDecisions{best(candidates, true, k), best(candidates, false, k)};
}

}  // namespace codexmem::memory
