// fleet/candidates.h - fetches the files that may answer a query, with their pieces, from Chroma.
//
// Stateless; thread-safe. Design: docs/fleet.md, "A search".
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
  double cosine = 0;  // with the query
};

struct Candidate {
  FileRow file;
  double cosine = 0;                     // of the file's vector
  double cosines = 0;                    // sum over all its pieces, without negative ones
  std::vector<CandidatePiece> pieces;    // by index; for a long file those nearest to the query
  bool is_whole = true;                  // `pieces` has all of them
  std::vector<std::string> copies = {};  // "REPOSITORY/PATH" with the same content, if found
};

struct Candidates {
  std::vector<Candidate> files;  // by repository, then path, without duplicates
  std::optional<Error> failure;  // of a failed request; the others succeeded
};

/// Number of ranked files: more than an answer lists.
inline constexpr std::size_t kFilesRanked = 60;

/// The candidates for `question`. Errors: kIo when no server answers any request; kCancelled.
Result<Candidates> find_candidates(const View& view, const Question& question,
                                   const std::stop_token& stop);

}  // namespace codexmem::fleet
