// memory/decisions/decision_similarity.h - how near decisions are to a question.
//
// Only what may be answered is looked at: a thousand superseded versions that match better crowd
// out no active one. Implementations are safe to use from many threads.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/records.h"
#include "store/database.h"

namespace codexmem::memory {

struct SimilarDecision {
  DecisionKey key{};
  double similarity = 0;  // outside of [0, 1] counts as its nearer end
};

/// The nearest decisions, best first, ties newer first.
struct SimilarDecisions {
  std::vector<SimilarDecision> active;  // among the active ones
  std::vector<SimilarDecision> all;     // among all
};

class SimilaritySource {
 public:
  virtual ~SimilaritySource() = default;

  struct Question {
    std::string text;
    std::vector<float> vector;  // empty: none
    std::string degraded;       // why it is missing though one is wanted
  };

  /// The part done before the store is read, because it may take time.
  virtual Result<Question> ask(std::string_view text) const = 0;

  /// At most `k` in each list, of `projects` (none: of all). Errors: the store's,
  /// kCancelled.
  virtual Result<SimilarDecisions> find_similar(store::Database& database, const Question& question,
                                                const std::vector<std::string>& projects,
                                                std::size_t k, std::stop_token stop) const = 0;
};

/// The greater of two: the cosine of the stored vectors, and the share of the question's words that
/// a decision has, each weighed by how rare it is among decisions and how often it is there
/// (BM25 without lengths, over what it could be at most).
class StoredSimilarity final : public SimilaritySource {
 public:
  /// `vectors` outlives this.
  explicit StoredSimilarity(const DocumentVectors& vectors) : vectors_(&vectors) {}
  Result<Question> ask(std::string_view text) const override;
  Result<SimilarDecisions> find_similar(store::Database& database, const Question& question,
                                        const std::vector<std::string>& projects, std::size_t k,
                                        std::stop_token stop) const override;

 private:
  const DocumentVectors* vectors_;
};

}  // namespace codexmem::memory
