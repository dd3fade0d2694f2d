// fleet/ranking.h - the order of candidates: the recipe of docs/design/search.md, on what Chroma
// gave. Pure; thread-safe.
//
// What stands on all files of a repository is as far as it is known: frequencies of words are those
// that pushes have counted (fleet/question.h), `centrality` that of the push that brought the file,
// and `importers` are those among the candidates.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "fleet/candidates.h"
#include "fleet/question.h"
#include "search/ranking.h"
#include "search/snippet.h"

namespace codexmem::fleet {

/// A place in a candidate's pieces.
struct PieceDefinition {
  std::size_t piece = 0, definition = 0;
};

struct RankedCandidate {
  std::size_t candidate = 0;  // its place in Candidates::files
  double score = 0;
  double prior = 1;
  std::array<double, search::kPartCount> parts{};  // by search::Part
  std::vector<double> piece_values;                // of its pieces: what speaks for each
  std::optional<PieceDefinition> symbol;           // the definition that the question names
};

struct FleetRanking {
  std::vector<RankedCandidate> files;  // best first, ties by repository and path
  double known = 0;                    // share of the question's words that some file has
  search::TermWeights weights;         // of its terms, for snippets
};

FleetRanking rank(const Question& question, const std::vector<Candidate>& candidates);

}  // namespace codexmem::fleet
