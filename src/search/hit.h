// search/hit.h - builds the displayed part of a found file: the piece, its lines, its definition.
//
// One thread, within the read transaction of the answer. Design: docs/how-it-works.md, "Search".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/exact_search.h"
#include "search/file_filter.h"
#include "search/pieces.h"
#include "search/ranking.h"
#include "search/search.h"
#include "search/snapshot.h"
#include "search/snippet.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// Makes the hits of one answer. It must not outlive its members' targets.
struct HitMaker {
  store::StoreReader& reader;
  const Snapshot& snapshot;
  const Ranking& ranking;
  TermWeights weights;
  std::size_t snippet_bytes;
  std::size_t max_matches;
  const FileFilter& filter;
  const ExactMatcher* exact = nullptr;      // null without exact parts
  const ExactFiles* exact_files = nullptr;  // of these
  ExactDeadline deadline = {};              // for these

  bool is_over() const { return deadline.is_over(); }
  /// The hit of `piece`, without scores. Errors: as the store.
  Result<SearchHit> make(const RankedPiece& piece);

 private:
  Result<void> show_best(const RankedPiece& piece, std::string& text, SearchHit* hit) const;
  Result<void> take_chunk_lines(store::FileId file, ByteRange range, SearchHit* hit) const;
  Result<void> show_exact(const RankedFile& ranked, std::string& text, SearchHit* hit) const;
  Result<std::optional<store::SymbolRow>> symbol_named(const RankedFile& ranked) const;
  Result<std::optional<store::SymbolRow>> definition_shown(const RankedPiece& piece) const;
  Result<std::optional<store::SymbolRow>> symbol_at(store::FileId file, std::string_view text,
                                                    std::uint32_t at) const;
};

}  // namespace codexmem::search
