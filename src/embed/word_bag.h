// embed/word_bag.h - the known words of a text, with their counts.
//
// Values: distinct objects may be used from distinct threads. Design: docs/how-it-works.md,
// "Vectors".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace codexmem::embed {

class StaticModel;

/// The position of a word in its model's table, which is sorted by bytes.
using WordId = std::uint16_t;

/// A word and its number of occurrences in a text, at most 65535.
struct WordCount {
  WordId id = 0;
  std::uint16_t count = 0;
  bool operator==(const WordCount&) const = default;
};

/// The known words of a text, ascending by id, each once.
using WordBag = std::vector<WordCount>;

/// Collects consecutive bags. Keep one for each thread: it holds two bytes per word of the model.
class WordBagCollector {
 public:
  /// `model` must outlive the collector.
  explicit WordBagCollector(const StaticModel& model);

  /// Adds the words of `text` (text/words.h) that the model knows to the open bag.
  void add(std::string_view text);

  /// Returns the open bag; the next one is empty.
  WordBag take();

 private:
  const StaticModel* model_;
  std::vector<std::uint16_t> counts_;  // of each model word in the open bag
  std::vector<WordId> seen_;           // the words whose count is not 0
};

}  // namespace codexmem::embed
