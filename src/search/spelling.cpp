// Tested by search/spelling_test.cpp.
#include "search/spelling.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "text/text_hash.h"
#include "text/words.h"
#include "embed/static_model.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMinLetters = 5;
constexpr std::size_t kTwoEditWord = 8;  // may be two edits away
constexpr std::size_t kMaxWords = 4;

// A query word that does not occur, and the best replacement so far.
struct Unknown {
  std::string word;
  ByteRange range;  // of the query
  std::string best;
  std::size_t distance = 0;  // of `best`; without one, the first distance that is too large
  std::size_t uses = 0;      // number of names that contain `best`
};

bool is_letters(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

Result<bool> is_in_text(store::StoreReader& reader, const std::string& term) {
  bool found = false;
  const auto visit = [&](const store::ChunkMatch&) {
    found = true;
    return false;
  };
  CODEXMEM_TRY(reader.match_chunks(std::span(&term, 1), visit));
  return found;
}

Result<std::vector<Unknown>> find_unknown(store::StoreReader& reader, const Snapshot& snapshot,
                                          std::string_view query) {
  CODEXMEM_ASSIGN(const auto model, embed::StaticModel::built_in());
  std::vector<Unknown> unknown;
  for_each_word(query, [&](const Word& word) {
    if (word.text.size() < kMinLetters || !is_letters(word.text)) return;
    if (unknown.size() == kMaxWords || is_stop_word(word.text)) return;
    if (model->find_word(word.text).has_value()) return;
    if (snapshot.has_stem(stem(word.text))) return;
    const std::size_t edits = word.text.size() < kTwoEditWord ? 1 : 2;
    unknown.push_back({std::string(word.text), {word.begin, word.end}, "", edits + 1, 0});
  });
  std::vector<Unknown> nowhere;
  for (Unknown& one : unknown) {
    CODEXMEM_ASSIGN(const bool found, is_in_text(reader, stem(one.word)));
    if (!found) nowhere.push_back(std::move(one));
  }
  return nowhere;
}

// The number of names for each sufficiently long word.
TextMap<std::size_t> words_of_names(const Snapshot& snapshot) {
  TextMap<std::size_t> words;
  snapshot.visit_names([&](std::string_view name) {
    for_each_word(name, [&](const Word& word) {
      if (word.text.size() + 1 >= kMinLetters) ++words[std::string(word.text)];
    });
  });
  return words;
}

void try_word(const std::string& word, std::size_t uses, Unknown* unknown) {
  const std::size_t longer = std::max(word.size(), unknown->word.size());
  const std::size_t shorter = std::min(word.size(), unknown->word.size());
  if (longer - shorter > unknown->distance) return;
  const std::size_t distance = edit_distance(unknown->word, word);
  if (distance > unknown->distance) return;
  if (distance == unknown->distance) {
    const bool is_better = !unknown->best.empty() &&
                           (uses != unknown->uses ? uses > unknown->uses : word < unknown->best);
    if (!is_better) return;
  }
  unknown->best = word;
  unknown->distance = distance;
  unknown->uses = uses;
}

}  // namespace

Result<Spelling> correct_spelling(store::StoreReader& reader, const Snapshot& snapshot,
                                  std::string_view query) {
  Spelling spelling;
  CODEXMEM_ASSIGN(std::vector<Unknown> unknown, find_unknown(reader, snapshot, query));
  if (!unknown.empty()) {
    for (const auto& [word, uses] : words_of_names(snapshot)) {
      for (Unknown& one : unknown) try_word(word, uses, &one);
    }
  }
  std::size_t copied = 0;
  for (Unknown& one : unknown) {
    if (one.best.empty()) continue;
    spelling.text += query.substr(copied, one.range.begin - copied);
    std::string word = one.best;
    if (query[one.range.begin] >= 'A' && query[one.range.begin] <= 'Z') {
      word.front() = static_cast<char>(word.front() - 'a' + 'A');
    }
    spelling.text += word;
    copied = one.range.end;
    spelling.corrections.push_back({std::move(one.word), std::move(one.best)});
  }
  spelling.text += query.substr(copied);
  return spelling;
}

}  // namespace codexmem::search
