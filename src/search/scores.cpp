// Tested by search/scores_test.cpp.
#include "search/scores.h"

#include <algorithm>
#include <cmath>

namespace codexmem::search {
namespace {

constexpr double kPassingShare = 0.42;  // of the best raw score
constexpr double kWeakStrength = 0.6;   // only 1 in 170 answerable queries has a weaker best hit
constexpr double kStrengthScale = 0.8;  // raw score
constexpr double kKnownFloor = 0.3;     // the weight of a raw score if no file has any of the words

// Logistic models of whether a hit's file is an answer: the contribution of each part if all words
// of the query are known. Fitted on annotated queries and on sentences that describe functions,
// half each, and rounded.
struct LogisticModel {
  double intercept;
  double of_best_chunk, of_dense_chunks, of_definition_name, of_symbol;
};
constexpr LogisticModel kWithVectors = {-1.0, 0.2, 1.8, 0.9, 0.5};
constexpr LogisticModel kByWords = {-0.3, 0.5, 0, 1.2, 0.6};
constexpr double kOfRank = -2.2;  // ln(rank)

// A query about something that the code does not have still has a best file; it can be recognised
// because its rare words do not occur.
double strength_of(double raw, double known) {
  return raw * (kKnownFloor + (1 - kKnownFloor) * known);
}

}  // namespace

double shown_score(double raw, AnswerStrength answer) {
  if (answer.best_raw <= 0) return 0;
  const double share = std::clamp(raw / answer.best_raw, 0.0, 1.0);
  const double strength = strength_of(answer.best_raw, answer.known);
  if (strength < kWeakStrength) return kDefaultThreshold * strength / kWeakStrength * share;
  const double best =
      kDefaultThreshold +
      (1 - kDefaultThreshold) * (1 - std::exp(-(strength - kWeakStrength) / kStrengthScale));
  if (share < kPassingShare) return kDefaultThreshold * share / kPassingShare;
  return kDefaultThreshold +
         (best - kDefaultThreshold) * (share - kPassingShare) / (1 - kPassingShare);
}

double hit_probability(const HitEvidence& evidence, std::size_t rank, double known,
                       bool has_vectors) {
  if (rank == 0) return 0;
  const LogisticModel& model = has_vectors ? kWithVectors : kByWords;
  const double logit = model.intercept + kOfRank * std::log(static_cast<double>(rank)) +
                       known * (model.of_best_chunk * evidence.best_chunk +
                                model.of_dense_chunks * evidence.dense_chunks +
                                model.of_definition_name * evidence.definition_name +
                                model.of_symbol * evidence.symbol);
  return 1 / (1 + std::exp(-logit));
}

bool is_weak(AnswerStrength answer) {
  return strength_of(answer.best_raw, answer.known) < kWeakStrength;
}

}  // namespace codexmem::search
