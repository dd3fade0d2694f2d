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

/// The parts of a file's score (search/ranking.h) that tell whether it is an answer.
struct HitEvidence {
  double best_chunk = 0, dense_chunks = 0, definition_name = 0;
  double symbol = 0;  // with inner_symbol
};

/// The chance that the file at `rank` of the files (1 for the best) is an answer, 0 to 1. `known`
/// is that of the answer; `has_vectors` tells whether dense_chunks could be other than 0. Where the
/// evidence of a later hit is stronger it rises: the caller keeps it falling along an answer.
double hit_probability(const HitEvidence& evidence, std::size_t rank, double known,
                       bool has_vectors);

/// True when even the best hit is so weak that most likely there is no answer.
bool is_weak(AnswerStrength answer);

}  // namespace codexmem::search
