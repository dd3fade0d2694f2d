// search/pieces.h - which pieces of the ranked files an answer shows, and in what order.
//
// Files are ranked first (search/ranking.h), then the chunks of a file by their own evidence: a
// chunk is mostly one definition with its comment (parse/chunks.h). Stateless; safe from many
// threads, each with its own reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "search/ranking.h"
#include "search/definition.h"
#include "search/snapshot.h"
#include "store/code/store_reader.h"
#include "store/code/code_rows.h"

namespace codexmem::search {

/// Files that come first, each with its best piece, before any second piece.
inline constexpr std::size_t kFilesBeforePieces = 3;
/// Most further pieces of these files in an answer.
inline constexpr std::size_t kFurtherPieces = 2;

/// What stands at one place of an answer.
struct RankedPiece {
  std::size_t file = 0;                // index in Ranking::files
  std::optional<std::uint32_t> chunk;  // a further piece: this chunk; nothing: the best piece
  double raw = 0;                      // raw score, which never rises along an answer
};

/// What speaks for a chunk beside the others of its file.
struct PieceEvidence {
  double lex = 0, cosine = 0, coverage = 0;  // as RankedChunk has them
  double terms = 0;                          // in its text
  bool begins_definition = false;
  bool begins_function = false, begins_type = false;
  double name = 0;  // the best name of these functions and types beside the query, 0 to 1
};

/// The value of a chunk; docs/design/search.md, "Pieces".
double piece_value(const PieceEvidence& evidence);

/// The chunk that holds byte `at`, or the last one before it; 0 when there is none.
std::size_t chunk_at(const std::vector<store::ChunkRow>& chunks, std::uint32_t at);

/// What speaks for each of `chunks`, all those of `ranked`: its words and its vector, and which of
/// the file's `definitions` begin in it. Comparable within an answer; a chunk of nothing but words
/// earns 0 to 1 for them.
std::vector<double> piece_values(const Snapshot& snapshot, const Ranking& ranking,
                                 const RankedFile& ranked,
                                 const std::vector<store::ChunkRow>& chunks,
                                 const std::vector<Definition>& definitions);

/// The same with the definitions that the store has. Errors: those of the store.
Result<std::vector<double>> piece_values(store::StoreReader& reader, const Snapshot& snapshot,
                                         const Ranking& ranking, const RankedFile& ranked,
                                         const std::vector<store::ChunkRow>& chunks);

/// A place for each file of `ranking`, in its order, and behind the first kFilesBeforePieces of
/// them the best further pieces of these, where the next file matches far less than the first.
/// Errors: those of the store.
Result<std::vector<RankedPiece>> arrange_pieces(store::StoreReader& reader,
                                                const Snapshot& snapshot, const Ranking& ranking);

/// The same without further pieces.
std::vector<RankedPiece> arrange_files(const Ranking& ranking);

}  // namespace codexmem::search
