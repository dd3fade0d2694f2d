// ask/code/change_words.h - which files have the words of a change.
//
// Design: docs/how-it-works.md, "Impact".
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::ask {

/// What the words of a change say of a file.
struct WordScore {
  double sum = 0;     // 0 to 1: 1 for the file with the most
  double rarest = 0;  // 0 to 1: 1 for a word in one file alone
  std::string word;   // the rarest
};

using WordScores = std::unordered_map<store::FileId, WordScore>;

/// The files that have a word of `words`, except words in too many files. Errors: the store's.
Result<WordScores> score_words(store::CodeReader& reader, const std::vector<std::string>& words);

/// The share of two sorted lists' words that both have.
double likeness(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace codexmem::ask
