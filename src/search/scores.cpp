// Tested by search/scores_test.cpp.
#include "search/scores.h"

#include <algorithm>
#include <cmath>

namespace codexmem::search {
namespace {

constexpr double kPassingShare = 0.42;  // of the best raw score
constexpr double kWeakStrength = 0.6;   // 1 of 170 answerable questions has a weaker best hit
constexpr double kStrengthScale = 0.8;  // raw score
constexpr double kKnownFloor = 0.3;     // what a raw score counts when no file has any of the words

// A logistic model of whether a hit is an answer.
constexpr double kIntercept = -1.0;
constexpr double kOfShare = 1.25;    // the share of the best raw score
constexpr double kOfRank = -2.0;     // ln(rank)
constexpr double kOfStrength = 1.7;  // ln(strength + kLeastStrength)
constexpr double kLeastStrength = 0.05;

// A question about something that the code does not have still has a best file; what gives it away
// is that its rare words are nowhere.
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

double hit_probability(double raw, std::size_t rank, AnswerStrength answer) {
  if (raw <= 0 || rank == 0 || answer.best_raw <= 0) return 0;
  const double logit = kIntercept + kOfShare * std::min(raw / answer.best_raw, 1.0) +
                       kOfRank * std::log(static_cast<double>(rank)) +
                       kOfStrength * std::log(strength_of(raw, answer.known) + kLeastStrength);
  return 1 / (1 + std::exp(-logit));
}

bool is_weak(AnswerStrength answer) {
  return strength_of(answer.best_raw, answer.known) < kWeakStrength;
}

}  // namespace codexmem::search
