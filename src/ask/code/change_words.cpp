// Tested by git/impact_test.py; measured by bench/impact.
#include "ask/code/change_words.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace codexmem::ask {

Result<WordScores> score_words(store::CodeReader& reader, const std::vector<std::string>& words) {
  constexpr std::size_t kMaxFiles = 2'000;  // a word in more says nothing
  double all_files = 0;
  CODEXMEM_TRY(reader.visit_files([&](const store::FileStamp&) { ++all_files; }));
  WordScores scores;
  double most = 0;
  for (const std::string& word : words) {
    // Documents as well: there a keyword of the language is not taken for a rare name.
    CODEXMEM_ASSIGN(const auto files, reader.list_files_with_word(word));
    if (files.empty() || files.size() > kMaxFiles) continue;
    const double rarity =
        std::log(all_files / static_cast<double>(files.size())) / std::log(all_files + 1);
    for (const store::WordFile& file : files) {
      WordScore& score = scores[file.id];
      score.sum += rarity;
      most = std::max(most, score.sum);
      if (rarity > score.rarest) {
        score.rarest = rarity;
        score.word = word;
      }
    }
  }
  for (auto& [file, score] : scores) score.sum /= std::max(most, 1e-9);
  return scores;
}

double likeness(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  const std::size_t all = a.size() + b.size() - both.size();
  return all > 0 ? static_cast<double>(both.size()) / static_cast<double>(all) : 0;
}

}  // namespace codexmem::ask
