// fleet/ranking.h - ranks candidates as described in docs/how-it-works.md, "Search", with the data
// from Chroma. Pure; thread-safe.
//
// Data about all files of a repository is limited: word frequencies are counted by pushes
// (fleet/question.h), `centrality` is from the push that sent the file, and `importers` are found
// only among the candidates.
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
  std::size_t candidate = 0;  // its index in Candidates::files
  double score = 0;
  double prior = 1;
  std::array<double, search::kPartCount> parts{};  // by search::Part
  std::vector<double> piece_values;                // the values of its pieces
  std::optional<PieceDefinition> symbol;           // the definition named in the query
};

struct FleetRanking {
  std::vector<RankedCandidate> files;  // best first, ties by repository and path
  double known = 0;                    // share of the query's words that occur in a file
  search::TermWeights weights;         // of its terms, for snippets
};

FleetRanking rank(const Question& question, const std::vector<Candidate>& candidates);

}  // namespace codexmem::fleet
