// search/definition_ranking.h - chooses the functions and types of the first files that a sentence
// describes.
//
// Stateless; safe from many threads, each with its own reader. Design: docs/how-it-works.md,
// "Search".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embed/embedder.h"
#include "search/query.h"
#include "search/ranking.h"
#include "search/snapshot.h"
#include "store/code/store_reader.h"
#include "text/ranges.h"

namespace codexmem::search {

/// A shorter query names a topic, and a file answers it; a longer one describes what code does.
inline constexpr std::size_t kMinDescriptionWords = 4;

/// True if `query` describes code: its definitions can be ranked.
inline bool is_description(const Query& query) {
  return query.symbol.empty() && query.stems.size() >= kMinDescriptionWords;
}

/// The evidence for a definition, each 0 to 1.
enum class DefinitionPart : std::uint8_t {
  kFile,      // score of its file, of the best file's
  kFileRank,  // 1 / (1 + 0.15 x rank of its file)
  kName,      // how much of its name the query has
  kHolder,    // the same of the definition around it
  kChunk,     // the best lex() of a chunk that it overlaps
  kDense,     // the best cosine of one
  kMeaning,   // cosine of its own text; the model's, of few definitions
  kLength,    // ln(1 + words) / 8
  kType,      // 1 for a type
  kCoverage,  // the best coverage of the query by a chunk that it overlaps
};
inline constexpr std::size_t kDefinitionParts = 10;

/// Weights, by DefinitionPart. All but the last were fitted to functions by their doc comments and
/// to functions that a fix changes; the last was chosen for documented functions (bench/search.md).
inline constexpr std::array<double, kDefinitionParts> kDefinitionWeights = {
    2.4, 1.6, 1.0, 3.4, 4.2, 5.6, 5.0, 0.6, -0.8, 2.0};

struct RankedDefinition {
  std::size_t file = 0;       // index in Ranking::files
  std::uint32_t ordinal = 0;  // of its SymbolId
  double value = 0;
  ByteRange range;            // of its declaration
  bool has_evidence = false;  // of its own: a chunk that it overlaps has some
};

/// The functions and types of the first files of `ranking`, best first. A file whose best piece is
/// outside of all of them has none. `embedder` made the vectors that `ranking` used; null: its
/// words alone count. Errors: as the store and the embedder.
Result<std::vector<RankedDefinition>> rank_definitions(store::StoreReader& reader,
                                                       const Snapshot& snapshot, const Query& query,
                                                       const Ranking& ranking,
                                                       const embed::Embedder* embedder);

}  // namespace codexmem::search
