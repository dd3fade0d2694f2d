// search/pieces.h - selects and orders the pieces of the ranked files that an answer shows.
//
// Files are ranked first (search/ranking.h), then the chunks of a file by their own evidence: a
// chunk is usually one definition with its comment (parse/text/chunks.h). Stateless; safe from many
// threads, each with its own reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "search/definition_ranking.h"
#include "search/ranking.h"
#include "search/definition.h"
#include "search/snapshot.h"
#include "store/code/store_reader.h"
#include "store/code/code_rows.h"

namespace codexmem::search {

/// Number of files that come first, each with its best piece, before any second piece.
inline constexpr std::size_t kFilesBeforePieces = 3;
/// Maximum additional pieces of these files in an answer.
inline constexpr std::size_t kFurtherPieces = 2;
/// The same where filters leave at most kFilesBeforePieces files: who asks for one file wants all
/// that matches in it.
inline constexpr std::size_t kFurtherPiecesOfFew = 50;

/// One place of an answer.
struct RankedPiece {
  std::size_t file = 0;                // index in Ranking::files
  std::optional<std::uint32_t> chunk;  // an additional piece: this chunk; nothing: the best piece
  std::optional<std::uint32_t> definition;  // ordinal: this definition, whatever else
  double raw = 0;                           // raw score, which never increases along an answer
};

/// The evidence for a chunk compared with the others of its file.
struct PieceEvidence {
  double lex = 0, cosine = 0, coverage = 0;  // as in RankedChunk
  double terms = 0;                          // number of terms in its text
  bool begins_definition = false;
  bool begins_function = false, begins_type = false;
  double name = 0;  // the best similarity of these names to the query, 0 to 1
};

/// The value of a chunk: the weights are in pieces.cpp.
double piece_value(const PieceEvidence& evidence);

/// The chunk that contains byte `at`, or the last one before it; 0 if there are no chunks.
std::size_t chunk_at(const std::vector<store::ChunkRow>& chunks, std::uint32_t at);

/// The values of `chunks`, which must be all chunks of `ranked`: from their words and vectors, and
/// the file's `definitions` that begin in them. Comparable within an answer; a chunk with only word
/// evidence gets 0 to 1.
std::vector<double> piece_values(const Snapshot& snapshot, const Ranking& ranking,
                                 const RankedFile& ranked,
                                 const std::vector<store::ChunkRow>& chunks,
                                 const std::vector<Definition>& definitions);

/// The same with the definitions from the store. Errors: as the store.
Result<std::vector<double>> piece_values(store::StoreReader& reader, const Snapshot& snapshot,
                                         const Ranking& ranking, const RankedFile& ranked,
                                         const std::vector<store::ChunkRow>& chunks);

/// A place for each file of `ranking`, in order, and after the first kFilesBeforePieces files their
/// best additional pieces, at most `most_further`, if the next file matches far less than the
/// first. Errors: as the store.
Result<std::vector<RankedPiece>> arrange_pieces(store::StoreReader& reader,
                                                const Snapshot& snapshot, const Ranking& ranking,
                                                std::size_t most_further);

/// Shows the best of `definitions`, best first, for each file that has some, and at most
/// `most_further` others of the first files in place of their chunks. A far better one brings its
/// file to the front.
void show_definitions(const Ranking& ranking, std::span<const RankedDefinition> definitions,
                      std::size_t most_further, std::vector<RankedPiece>* pieces);

/// The same without additional pieces.
std::vector<RankedPiece> arrange_files(const Ranking& ranking);

}  // namespace codexmem::search
