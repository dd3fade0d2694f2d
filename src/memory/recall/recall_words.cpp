// Lists are read whole up to kMaxMatches documents each: 0.1 us a document. The rest is older
// numbers first, so of a word that is cut the newest are missing; they are found by the words that
// are not cut, and such a word says little.
//
// Source of the formula: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009). k1
// and b: own measurement (bench/memory.md).
//
// Tested by tests/memory/recall_test.cpp.
#include "memory/recall/recall_words.h"

#include <algorithm>
#include <cmath>

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxMatches = 400'000;
constexpr double kWordSaturation = 0.5;  // k1
constexpr double kLengthShare = 0.3;     // b
constexpr float kTitleBonus = 1.0F;      // a title's word counts once more
constexpr std::size_t kCommon = 20;      // documents at least, and
constexpr std::size_t kCommonPart = 5;   // one in so many, that hold a word that says little

const store::TermMatch* find_match(const store::TermMatches& list, DocumentKey key) {
  const auto document = static_cast<std::int64_t>(key);
  const auto found = std::lower_bound(
      list.documents.begin(), list.documents.end(), document,
      [](const store::TermMatch& match, std::int64_t value) { return match.document < value; });
  return found != list.documents.end() && found->document == document ? &*found : nullptr;
}

float count_of(const store::TermMatch& match) {
  return static_cast<float>(match.count) + kTitleBonus * static_cast<float>(match.title_count);
}

double saturated(double count, double length_factor) {
  return count <= 0 ? 0 : count * (kWordSaturation + 1) / (count + kWordSaturation * length_factor);
}

double length_factor(double length, double mean) {
  return 1 - kLengthShare + kLengthShare * length / mean;
}

}  // namespace

Result<WordMatches> WordMatches::read(store::Database& database, const RecallQuery& query,
                                      const DocumentTable& table, const Test& passes,
                                      std::size_t documents) {
  WordMatches words;
  words.table_ = &table;
  words.mean_length_ = std::max(1.0, table.mean_length());
  std::vector<std::string> phrases;
  for (const QueryTerm& term : query.terms) {
    words.terms_.push_back({phrases.size(), phrases.size() + term.phrases.size(), 0, term.word});
    phrases.insert(phrases.end(), term.phrases.begin(), term.phrases.end());
  }
  words.quoted_ = phrases.size();
  phrases.insert(phrases.end(), query.quoted.begin(), query.quoted.end());
  CODEXMEM_ASSIGN(words.lists_, store::match_terms(database, phrases, kMaxMatches));

  // Only what passes is kept.
  std::size_t greatest = 0;
  for (store::TermMatches& list : words.lists_) {
    words.is_cut_ |= list.is_cut;
    std::erase_if(list.documents, [&](const store::TermMatch& match) {
      const auto key = static_cast<DocumentKey>(match.document);
      const DocumentFacts& facts = table.facts(key);
      return !facts.exists || !passes(key, facts);
    });
    if (!list.documents.empty()) {
      greatest = std::max(greatest, static_cast<std::size_t>(list.documents.back().document));
    }
  }
  const auto total = static_cast<double>(documents);
  double sum = 0;
  words.documents_ = documents;
  for (Term& term : words.terms_) {
    for (std::size_t i = term.first; i < term.last; ++i) {
      term.held = std::max(term.held, words.lists_[i].documents.size());
    }
    const auto n = static_cast<double>(term.held);
    double weight = std::log1p((std::max(total, n) - n + 0.5) / (n + 0.5));
    if (term.held == 0 && term.word.starts_with('=')) weight = 0;
    words.weights_.push_back(weight);
    sum += weight;
  }
  if (sum > 0) {
    for (double& weight : words.weights_) weight /= sum;
  }

  // What each phrase of each term is worth in each of its documents.
  std::size_t sum_of_lists = 0;
  for (std::size_t i = 0; i < words.quoted_; ++i) sum_of_lists += words.lists_[i].documents.size();
  const auto visit = [&](auto&& f) {
    for (std::size_t t = 0; t < words.terms_.size(); ++t) {
      const Term& term = words.terms_[t];
      for (std::size_t i = term.first; i < term.last; ++i) {
        for (const store::TermMatch& match : words.lists_[i].documents) {
          const auto key = static_cast<DocumentKey>(match.document);
          // The first phrase that is in a document represents the term there.
          bool is_counted = false;
          for (std::size_t j = term.first; j < i && !is_counted; ++j) {
            is_counted = find_match(words.lists_[j], key) != nullptr;
          }
          if (is_counted) continue;
          const double length = length_factor(table.facts(key).length, words.mean_length_);
          f(key, static_cast<float>(1e-9 + words.weights_[t] * saturated(count_of(match), length)));
        }
      }
    }
  };
  if (sum_of_lists < greatest / 64) {
    visit([&](DocumentKey key, float worth) { words.matches_.push_back({key, worth}); });
    std::sort(words.matches_.begin(), words.matches_.end(),
              [](const Scored& a, const Scored& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < words.matches_.size(); ++i) {
      if (kept != 0 && words.matches_[kept - 1].key == words.matches_[i].key) {
        words.matches_[kept - 1].worth += words.matches_[i].worth;
      } else {
        words.matches_[kept++] = words.matches_[i];
      }
    }
    words.matches_.resize(kept);
    return words;
  }
  std::vector<float> worths(greatest == 0 ? 0 : greatest + 1);  // by DocumentKey
  visit([&](DocumentKey key, float worth) {
    float& sum_of_document = worths[static_cast<std::size_t>(key)];
    if (sum_of_document == 0) words.matches_.push_back({key, 0});
    sum_of_document += worth;
  });
  for (Scored& match : words.matches_) match.worth = worths[static_cast<std::size_t>(match.key)];
  return words;
}

void WordMatches::read_counts(DocumentKey key, std::span<float> out) const {
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    out[t] = 0;
    for (std::size_t i = terms_[t].first; i < terms_[t].last && out[t] == 0; ++i) {
      if (const store::TermMatch* match = find_match(lists_[i], key)) out[t] = count_of(*match);
    }
  }
}

double WordMatches::worth(std::span<const float> counts, double length) const {
  double sum = 0;
  const double factor = length_factor(length, mean_length_);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    sum += weights_[t] * saturated(static_cast<double>(counts[t]), factor);
  }
  return sum;
}

double WordMatches::coverage(std::span<const float> counts) const {
  double sum = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    sum += weights_[t] * std::min(1.0, static_cast<double>(counts[t]));
  }
  return sum;
}

double WordMatches::known_share() const {
  double sum = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) sum += terms_[t].held != 0 ? weights_[t] : 0;
  return sum;
}

bool WordMatches::is_common(std::string_view word) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    return term.word == word && term.held >= kCommon && term.held * kCommonPart > documents_;
  });
}

bool WordMatches::is_in_title(DocumentKey key) const {
  std::size_t held = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    bool is_known = false, exists = false;
    for (std::size_t i = terms_[t].first; i < terms_[t].last && !exists; ++i) {
      is_known |= !lists_[i].documents.empty();
      const store::TermMatch* const match = find_match(lists_[i], key);
      exists = match != nullptr && match->title_count > 0;
    }
    if (is_known && !exists) return false;
    held += exists ? 1 : 0;
  }
  return held != 0;
}

double WordMatches::quoted_share(DocumentKey key) const {
  const std::size_t count = lists_.size() - quoted_;
  if (count == 0) return 0;
  std::size_t held = 0;
  for (std::size_t i = quoted_; i < lists_.size(); ++i) {
    if (find_match(lists_[i], key) != nullptr) ++held;
  }
  return static_cast<double>(held) / static_cast<double>(count);
}

}  // namespace codexmem::memory
