// index/word_bags.h - the words of a file that its vectors are made from.
//
// Collected while the file's text is at hand, kept until the statistics of the whole repository are
// known, then turned into vectors: text is read once. Design: docs/embed.md, docs/index.md.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ranges.h"
#include "embed/static_model.h"
#include "embed/word_bag.h"
#include "store/code_rows.h"

namespace codexmem::index {

/// The bags of one file.
struct FileBags {
  embed::WordBag path;                 // of its base name and its folder's name
  std::vector<embed::WordBag> chunks;  // of each chunk's text
  embed::WordBag file;                 // of the names it defines, and twice its path's

  /// About how much memory they take.
  std::size_t size_bytes() const;
};

/// What a file's bags are made from; everything is borrowed.
struct BagSource {
  std::string_view path;
  std::string_view text;
  std::span<const ByteRange> chunks;
  std::span<const std::string_view> names;  // of all its definitions
};

/// Collects the bags of `source`; the collector's open bag must be empty.
FileBags collect_bags(embed::WordBagCollector& collector, const BagSource& source);

/// The vectors of the file `id`: one for each chunk, then the file's own (kFileVectorIndex).
/// Errors: those of embed::encode_vectors().
Result<std::vector<store::VectorRow>> make_vectors(const embed::StaticModel& model,
                                                   const embed::DocumentWeights& weights,
                                                   store::FileId id, const FileBags& bags);

}  // namespace codexmem::index
