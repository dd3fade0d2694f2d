// search/scores.h - computes the numbers shown with a hit. Pure; thread-safe.
//
// A raw score orders the files of one answer but means little by itself. Two numbers have a
// meaning: shown_score() is on a scale where 0.7 separates hits worth reading from others;
// hit_probability() is the probability that the hit is an answer. Source of the constants, and
// their quality on other repositories: docs/how-it-works.md, "Search".
#pragma once

#include <cstddef>

namespace codexmem::search {

constexpr double kDefaultThreshold = 0.7;

/// An answer as a whole.
struct AnswerStrength {
  double best_raw = 0;  // the greatest raw score
  double known = 0;     // the share of the query's words that occur in any file (Ranking::known)
};

/// The shown score for a raw score. Increases with `raw`; 0 to 1.
double shown_score(double raw, AnswerStrength answer);

/// The parts of a file's score (search/ranking.h) that indicate whether it is an answer.
struct HitEvidence {
  double best_chunk = 0, dense_chunks = 0, definition_name = 0;
  double symbol = 0;  // including inner_symbol
};

/// The probability that the file at `rank` (1 for the best) is an answer, 0 to 1. `known` is the
/// answer's; `has_vectors` says whether dense_chunks can be other than 0. A later hit with stronger
/// evidence gets a higher value: the caller makes the values descend along an answer.
double hit_probability(const HitEvidence& evidence, std::size_t rank, double known,
                       bool has_vectors);

/// True if even the best hit is so weak that there is probably no answer.
bool is_weak(AnswerStrength answer);

}  // namespace codexmem::search
