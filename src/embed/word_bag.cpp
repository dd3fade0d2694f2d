#include "embed/word_bag.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "text/words.h"
#include "embed/static_model.h"

namespace codexmem::embed {
WordBagCollector::WordBagCollector(const StaticModel& model)
    : model_(&model), counts_(model.word_count()) {}

void WordBagCollector::add(std::string_view text) {
  for_each_word(text, [&](const Word& word) {
    const std::optional<WordId> id = model_->find_word(word.text);
    if (!id) return;
    std::uint16_t& count = counts_[*id];
    if (count == 0) seen_.push_back(*id);
    if (count < std::numeric_limits<std::uint16_t>::max()) ++count;
  });
}

WordBag WordBagCollector::take() {
  std::sort(seen_.begin(), seen_.end());
  WordBag bag;
  bag.reserve(seen_.size());
  for (const WordId id : seen_) bag.push_back({id, std::exchange(counts_[id], std::uint16_t{0})});
  seen_.clear();
  return bag;
}

}  // namespace codexmem::embed
