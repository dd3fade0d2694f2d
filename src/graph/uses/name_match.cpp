// Called for every name of a repository: cheap tests come first.
//
// Tested by graph/symbol_search_test.cpp.
#include "graph/uses/name_match.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/text.h"
#include "text/words.h"

namespace codexmem::graph {
namespace {

// The first letters of the words of `name`, lower case: gubi for getUserById.
std::string initials(std::string_view name) {
  std::string letters;
  for_each_word(name, [&](const Word& word) { letters += word.text.front(); });
  return letters;
}

// True when `query` is spelled by prefixes of the words of `name`, in order, the first word among
// them: getUsr -> getUserService by "get" + "us" + ... is not, getUsSe is.
bool spells_humps(std::string_view query, const std::vector<std::string>& words, std::size_t word,
                  std::size_t at) {
  if (at == query.size()) return true;
  if (word == words.size()) return false;
  std::size_t length = 0;
  while (length < words[word].size() && at + length < query.size() &&
         words[word][length] == query[at + length]) {
    ++length;
  }
  for (std::size_t taken = length; taken > 0; --taken) {
    if (spells_humps(query, words, word + 1, at + taken)) return true;
  }
  return word > 0 && spells_humps(query, words, word + 1, at);
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  for_each_word(name, [&](const Word& word) { words.emplace_back(word.text); });
  return words;
}

}  // namespace

std::string_view name_match_name(NameMatch match) {
  switch (match) {
    case NameMatch::kExact:
      return "exact";
    case NameMatch::kIgnoreCase:
      return "case";
    case NameMatch::kPrefix:
      return "prefix";
    case NameMatch::kCamelHump:
      return "camel";
    case NameMatch::kSubword:
      return "subword";
    case NameMatch::kInherited:
      return "inherited";
  }
  return "exact";
}

bool starts_with_ignoring_case(std::string_view name, std::string_view lower_prefix) {
  if (name.size() < lower_prefix.size()) return false;
  for (std::size_t i = 0; i < lower_prefix.size(); ++i) {
    if (to_lower(name[i]) != lower_prefix[i]) return false;
  }
  return true;
}

bool contains_ignoring_case(std::string_view name, std::string_view lower_part) {
  return std::search(name.begin(), name.end(), lower_part.begin(), lower_part.end(),
                     [](char a, char b) { return to_lower(a) == b; }) != name.end();
}

NameQuery::NameQuery(std::string_view text)
    : text_(text), lower_text_(to_lower_ascii(text)), words_(words_of(text)) {}

std::optional<std::pair<NameMatch, double>> NameQuery::match(std::string_view name) const {
  const double share = static_cast<double>(std::min(text_.size(), name.size())) /
                       static_cast<double>(std::max(text_.size(), name.size()));
  if (starts_with_ignoring_case(name, lower_text_)) {
    if (name.size() == text_.size()) return std::pair(NameMatch::kIgnoreCase, 0.95);
    if (text_.size() < 2) return std::nullopt;
    return std::pair(NameMatch::kPrefix, 0.6 + 0.3 * share);
  }
  if (text_.size() < 2 || name.empty()) return std::nullopt;
  const bool may_spell = text_.size() <= 32 && to_lower(name.front()) == lower_text_.front();
  const bool may_hold =
      !words_.empty() && std::all_of(words_.begin(), words_.end(), [&](const auto& word) {
        return contains_ignoring_case(name, word);
      });
  if (!may_spell && !may_hold) return std::nullopt;
  const std::vector<std::string> words = words_of(name);
  if (may_spell && words.size() > 1 && words.size() <= 12) {
    std::string spelled;
    for (const std::string& word : words_) spelled += word;
    if (spelled == initials(name) || spells_humps(spelled, words, 0, 0)) {
      return std::pair(NameMatch::kCamelHump, 0.45 + 0.25 * share);
    }
  }
  if (may_hold) {
    const bool all = std::all_of(words_.begin(), words_.end(), [&](const auto& wanted) {
      return std::find(words.begin(), words.end(), wanted) != words.end();
    });
    if (all) return std::pair(NameMatch::kSubword, 0.3 + 0.3 * share);
  }
  return std::nullopt;
}

}  // namespace codexmem::graph
