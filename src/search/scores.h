// search/scores.h - what the numbers beside a hit mean. Pure; thread-safe.
//
// A raw score orders the files of one answer and says little by itself. Two numbers do:
// shown_score() is a place on a scale where 0.7 is the line between worth reading and not;
// hit_probability() is the chance that the hit is what was asked for. Source of the constants and
// how well they hold on other repositories: docs/design/search.md, "Scores".
#pragma once

#include <cstddef>

namespace codexmem::search {

constexpr double kDefaultThreshold = 0.7;

/// An answer as a whole.
struct AnswerStrength {
  double best_raw = 0;  // the greatest raw score
  double known = 0;     // the share of the query's words that any file has (Ranking::known)
};

/// The score that is shown for a raw score. Rises with `raw`; 0 to 1.
double shown_score(double raw, AnswerStrength answer);

/// The chance that the hit at `rank` (1 for the best) is an answer. Falls along an answer; 0 to 1.
double hit_probability(double raw, std::size_t rank, AnswerStrength answer);

/// True when even the best hit is so weak that most likely there is no answer.
bool is_weak(AnswerStrength answer);

}  // namespace codexmem::search
