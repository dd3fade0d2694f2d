// privacy/secret_words.h - the lists of words by which values and names are judged.
//
// They are src/privacy/secret_words.txt, compiled in and read when they are first needed. Immutable
// from then on; thread-safe.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace codexmem::privacy {

class WordList {
 public:
  void add(std::string_view word) { words_.push_back(word); }

  /// True when `text` is one of the words.
  bool has(std::string_view text) const;
  /// True when one of the words is in `text`.
  bool has_part_of(std::string_view text) const;
  /// True when `text` begins with one of the words.
  bool has_beginning_of(std::string_view text) const;

 private:
  std::vector<std::string_view> words_;
};

struct SecretWords {
  WordList references, strong_placeholders, whole_placeholders, weak_placeholders;
  WordList technical, examples, example_uuids, public_keys, hashes, sentence;
  WordList after_keyword, before_keyword, keyword_tails;  // of names
};
const SecretWords& secret_words();

/// Calls f(line, is_indented) for each line of a data file that is neither empty nor a comment,
/// without its two leading spaces.
template <typename F>
void for_each_data_line(std::string_view data, F&& f) {
  while (!data.empty()) {
    std::string_view line = data.substr(0, data.find('\n'));
    data.remove_prefix(std::min(line.size() + 1, data.size()));
    const bool is_indented = line.starts_with("  ");
    if (is_indented) line.remove_prefix(2);
    if (!line.empty() && line[0] != '#') f(line, is_indented);
  }
}

/// Calls f(word) for each word of "one|two|"; the last '|' may be missing.
template <typename F>
void for_each_listed_word(std::string_view list, F&& f) {
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find('|'));
    f(word);
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
}

}  // namespace codexmem::privacy
