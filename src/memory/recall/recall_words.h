// memory/recall/recall_words.h - which documents hold the words of a query, and what that is worth.
//
// BM25 over the full-text index: a word weighs the more the fewer of the documents that pass the
// filter hold it; a title counts twice. Worths are shares of what the whole query would be worth,
// so that they can be compared over queries. Belongs to one thread; the table must outlive it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/documents/document_table.h"
#include "memory/recall/recall_query.h"
#include "memory/entries/records.h"
#include "store/database.h"
#include "store/user/document_terms.h"

namespace codexmem::memory {

class WordMatches {
 public:
  using Test = std::function<bool(DocumentKey, const DocumentFacts&)>;

  /// Reads the documents of the words of `query`. `documents` is the number of those that `passes`
  /// is true of. Errors: the store's.
  static Result<WordMatches> read(store::Database& database, const RecallQuery& query,
                                  const DocumentTable& table, const Test& passes,
                                  std::size_t documents);

  struct Scored {
    DocumentKey key{};
    float worth = 0;
  };
  /// The documents that pass and hold a word, each with its own worth, in no special order.
  const std::vector<Scored>& matches() const { return matches_; }
  /// A word was in so many documents that not all were read.
  bool is_cut() const { return is_cut_; }

  std::size_t term_count() const { return weights_.size(); }

  /// How often each term occurs in `key`, titles counted twice, into `out` (term_count()).
  void read_counts(DocumentKey key, std::span<float> out) const;

  /// The value of these counts in a text of so many terms: 1 when each term occurs once in a text
  /// of usual length.
  double worth(std::span<const float> counts, double length) const;

  /// The share of the query's words, by rarity, that these counts hold; one that a neighbour
  /// lends counts for as much as it lends.
  double coverage(std::span<const float> counts) const;

  /// The share of the query's words, by rarity, that any document that passes holds.
  double known_share() const;

  /// Whether more than a fifth of many documents hold the stem `word` of the query.
  bool is_common(std::string_view word) const;

  /// Whether the title that `key` was given holds every term that any document holds.
  bool is_in_title(DocumentKey key) const;

  /// How many of the quoted phrases `key` holds, as a share; 0 without any.
  double quoted_share(DocumentKey key) const;

 private:
  struct Term {
    std::size_t first = 0, last = 0;  // of lists_
    std::size_t held = 0;             // documents that hold it
    std::string word;
  };

  const DocumentTable* table_ = nullptr;
  std::vector<store::TermMatches> lists_;  // of the terms' phrases, then of the quoted ones
  std::vector<Term> terms_;
  std::size_t quoted_ = 0;       // the first list of a quoted phrase
  std::vector<double> weights_;  // of the terms; sum 1
  std::vector<Scored> matches_;
  double mean_length_ = 1;
  std::size_t documents_ = 0;  // that pass
  bool is_cut_ = false;
};

}  // namespace codexmem::memory
