// search/query.h - reads a query as words, weighted terms and symbol names. Pure; thread-safe.
//
// The result contains only stems, compounds and identifiers: no character of a query has a special
// meaning in the full-text index.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// Further terms are dropped: a longer query is pasted text, and its first words suffice.
constexpr std::size_t kMaxQueryTerms = 64;

/// A stem or a compound of a query (text/words.h) and its weight, for texts and names.
struct QueryTerm {
  std::string text;
  double weight = 1;
};

struct Query {
  std::string text;
  /// Distinct stems first, in order of appearance: of all words except stop words, or of all words
  /// if only stop words are left. At most kMaxQueryTerms stems.
  std::vector<std::string> stems;
  /// The stems, in the order above, with weight 1, or 0.5 for words that describe a task (`add`,
  /// `support`) rather than a place; the compounds of runs with weight 1; the compounds of
  /// neighbouring words, and of a long word that may be written as two, with weight 0.6; each text
  /// once. At most kMaxQueryTerms.
  std::vector<QueryTerm> terms;
  /// The last name of the query if the whole query is a symbol (`a::b`, `a.b()`, `b`), else "".
  std::string symbol;
  /// The last names of the symbols inside any other query, each once.
  std::vector<std::string> inner_symbols;
};

/// Reads `text`. A text without a letter, digit or emoji gives no stems. Without `with_pairs` there
/// are no compounds of neighbouring words.
Query parse_query(std::string_view text, bool with_pairs = true);

/// True if two stems count as the same name: they are equal, or the shorter has at least four
/// letters and is a prefix of the longer.
bool stems_match(std::string_view a, std::string_view b);

}  // namespace codexmem::search
