// memory/recall/recall_score.h - what the parts of a candidate's score are worth together.
//
// Internal to recall. Pure. A note says by itself what it means, so that its vector is the better
// witness where words differ; a turn of a talk leaves out what was said before it, and is found by
// words, its own and those around it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "memory/recall/recall.h"
#include "memory/recall/recall_rows.h"

namespace codexmem::memory {

/// "Ann Lee" of "Ann Lee: what she said"; empty when the text does not begin so.
std::string_view speaker_of(std::string_view body);

/// Whether a text ends with a question.
bool ends_asking(std::string_view body);

/// Sets sum and score by the candidate's parts, as a turn or as a note.
void rescore(const RecallWeights& weights, RecallCandidate* candidate);

/// Sorts before it is known which candidates are turns: the first `count` are the best as notes and
/// the best as turns, alternating; none of the others has a greater score than these.
void sort_by_either(const RecallWeights& weights, std::size_t count,
                    std::vector<RecallCandidate>* candidates);

}  // namespace codexmem::memory
