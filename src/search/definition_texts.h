// search/definition_texts.h - how often the definitions of a file have the words of a query.
//
// A file's text is split into terms once; each counts for every definition around it. One object
// serves one query on one thread, within the read transaction of an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "search/query.h"
#include "search/ranking.h"
#include "search/snapshot.h"
#include "store/code/code_rows.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// A definition and its words.
struct DefinitionText {
  store::SymbolRow row;
  ByteRange text;                     // with its documentation
  std::size_t length = 0;             // words
  std::vector<std::uint16_t> counts;  // by term of the query
  RankedChunk best;                   // by part: the best evidence of the chunks that it overlaps
};

struct DefinitionTexts {
  std::string text;                         // of the file; empty if it was not read
  std::vector<DefinitionText> definitions;  // in source order
  RankedChunk outside;                      // by part: the best evidence outside of all of them
};

/// What the place of a definition's file in a ranking is worth, from 0 on: 1 / (1 + 0.15 x rank).
double rank_share(std::size_t rank);
/// ln(1 + words) / 8, at most 1: a short definition is rarely meant.
double length_share(std::size_t words);

class DefinitionCounter {
 public:
  DefinitionCounter(store::StoreReader& reader, const Snapshot& snapshot, const Query& query);

  /// The definitions of `file` that `accepts` takes; none if the file is too large, or if the files
  /// read so far are. `ranked` is its place in the ranking, or null. Errors: as the store.
  Result<DefinitionTexts> read(FileNumber file, const RankedFile* ranked,
                               const std::function<bool(const store::SymbolRow&)>& accepts);

  /// The share of a name's words that the query has, by how rare they are; 0 to 1.
  double name_share(std::string_view name) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  void count_terms(DefinitionTexts* read) const;
  Result<void> add_chunks(FileNumber file, const RankedFile& ranked, DefinitionTexts* read) const;

  store::StoreReader& reader_;
  const Snapshot& snapshot_;
  const Query& query_;
  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> numbers_;  // of terms
  std::size_t bytes_ = 0;                                                            // read so far
};

}  // namespace codexmem::search
