// search/query.h - a question as words, weighted terms and symbol names. Pure; thread-safe.
//
// Whatever the text holds, what comes out is stems, compounds and identifiers: no character of a
// query has a meaning to the full-text index.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// Terms beyond this many are dropped: a longer question is a paste, and its first words tell.
constexpr std::size_t kMaxQueryTerms = 64;

/// A stem or a compound of a query (text/words.h) and how much it counts, against texts and names.
struct QueryTerm {
  std::string text;
  double weight = 1;
};

struct Query {
  std::string text;
  /// Distinct stems first, in order of appearance: of the words that are no stop words, or of all
  /// words when none is left. At most kMaxQueryTerms stems.
  std::vector<std::string> stems;
  /// The stems, in the order above, with weight 1, or 0.5 for words of a wish (`add`, `support`)
  /// that say little about where; the compounds of runs with weight 1; the compounds of
  /// neighbouring words, and of a long word that may be written as two, with weight 0.6; each text
  /// once. At most kMaxQueryTerms.
  std::vector<QueryTerm> terms;
  /// The last name of the query when the whole of it is a symbol (`a::b`, `a.b()`, `b`), else "".
  std::string symbol;
  /// The last names of the symbols inside a query that is none, each once.
  std::vector<std::string> inner_symbols;
};

/// Reads `text`. Nothing is found in a text without a letter, digit or emoji: stems are empty then.
/// Without `with_pairs` there are no compounds of neighbouring words.
Query parse_query(std::string_view text, bool with_pairs = true);

/// True when two stems count as the same name: equal, or the shorter has four or more letters and
/// is a prefix of the longer.
bool stems_match(std::string_view a, std::string_view b);

}  // namespace codexmem::search
