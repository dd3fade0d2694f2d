// fleet/candidates.h - the files that may answer a question, fetched from Chroma with their pieces.
//
// Stateless; thread-safe. Design: docs/design/fleet.md, "A search".
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/fleet.h"
#include "fleet/question.h"

namespace codexmem::fleet {

struct CandidatePiece {
  PieceRow row;
  double cosine = 0;  // with the question
};

struct Candidate {
  FileRow file;
  double cosine = 0;                     // of the file's vector
  double cosines = 0;                    // of all its pieces, the sum of those above 0
  std::vector<CandidatePiece> pieces;    // by index; of a long file those nearest to the question
  bool is_whole = true;                  // these are all
  std::vector<std::string> copies = {};  // "REPOSITORY/PATH" of the same content, where found
};

struct Candidates {
  std::vector<Candidate> files;  // by repository, then path, of which each is there once
  std::optional<Error> failure;  // of a request that brought nothing; the rest of them did
};

/// So many files are ranked: more than an answer lists.
inline constexpr std::size_t kFilesRanked = 60;

/// The candidates for `question`. Errors: kIo when no server answers any request; kCancelled.
Result<Candidates> find_candidates(const View& view, const Question& question,
                                   const std::stop_token& stop);

}  // namespace codexmem::fleet
