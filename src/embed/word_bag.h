// embed/word_bag.h - the known words of a text with their counts, and in how many chunks each
// occurs.
//
// The indexer collects a bag for each chunk in its one pass over a file, sums the statistics, and
// computes the vectors from the bags when the statistics of the whole repository are known: text is
// read once. A bag takes 4 bytes for each distinct word, about 250 bytes for a chunk of 1600.
//
// Values: distinct objects may be used from distinct threads; WordStatistics of several threads are
// summed with add(). Design: docs/embed.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

class StaticModel;

/// The position of a word in its model's table, which is in byte order.
using WordId = std::uint16_t;

/// A word and how often a text has it; the count stops at 65535.
struct WordCount {
  WordId id = 0;
  std::uint16_t count = 0;
  bool operator==(const WordCount&) const = default;
};

/// The known words of a text, ascending by id, each once.
using WordBag = std::vector<WordCount>;

/// Collects bags, one after the other. Keep one for each thread: it holds two bytes a model word.
class WordBagCollector {
 public:
  /// `model` must outlive the collector.
  explicit WordBagCollector(const StaticModel& model);

  /// Adds `times` times the words of `text` (text/words.h) that the model knows to the open bag.
  void add(std::string_view text, std::uint32_t times = 1);

  /// The open bag; the next one is empty.
  WordBag take();

 private:
  const StaticModel* model_;
  std::vector<std::uint16_t> counts_;  // of each model word in the open bag
  std::vector<WordId> seen_;           // the words whose count is not 0
};

/// In how many chunks each word of the model occurs.
class WordStatistics {
 public:
  /// No chunks, for a model of `word_count` words.
  explicit WordStatistics(std::size_t word_count) : chunks_with_(word_count) {}

  std::uint32_t chunk_count() const { return chunk_count_; }
  std::size_t word_count() const { return chunks_with_.size(); }
  /// The chunks that have word `id`, which is less than word_count().
  std::uint32_t chunks_with(WordId id) const { return chunks_with_[id]; }

  /// Counts one chunk; `bag` is that of its text alone, without words of its path.
  void add_chunk(std::span<const WordCount> bag);

  /// Takes back a chunk that was counted with the same bag.
  void remove_chunk(std::span<const WordCount> bag);

  /// Adds the chunks of `other`, whose model is the same.
  void add(const WordStatistics& other);

  /// The statistics as bytes to store, 30 to 45 KiB for a large repository; see word_bag.cpp.
  std::string serialize() const;

  /// The inverse of serialize(). Errors: kCorrupt when `bytes` are damaged or were made with a
  /// model of another number of words.
  static Result<WordStatistics> parse(std::string_view bytes, std::size_t word_count);

  bool operator==(const WordStatistics&) const = default;

 private:
  std::uint32_t chunk_count_ = 0;
  std::vector<std::uint32_t> chunks_with_;
};

/// True when the vectors of a repository that were weighted at `chunks_then` chunks are due to be
/// computed again at `chunks_now`: when the number has changed by a fifth or more.
bool vectors_are_outdated(std::uint32_t chunks_then, std::uint32_t chunks_now);

/// The parts of a path whose words count as words of the file.
struct PathNames {
  std::string_view base_name;  // without the last extension: "app.test" of "src/app.test.ts"
  std::string_view parent;     // the parent directory's name; empty at the root
};

/// The names in `path`, which is relative to the indexed root, its separator '/'.
PathNames path_names(std::string_view path);

}  // namespace codexmem::embed
