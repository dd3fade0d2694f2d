// search/exact_query.h - finds the exact parts of a query: quoted phrases and regular expressions.
// Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// A text that a file must contain, or a regular expression that must match in it.
struct ExactPart {
  std::string text;  // without its delimiters
  bool is_regex = false;
  bool ignore_case = false;
};

struct ExactQuery {
  std::vector<ExactPart> parts;
  /// The text for ranking: the query, with phrases without quotes and only the words of
  /// expressions.
  std::string words;
  bool has_other_words = false;  // there is text other than exact parts
};

/// Splits `query` into exact parts and other text.
///
/// A phrase is text between two `"`. The first must be at the start or after white space, the last
/// at the end or before white space, optionally with one of .,;:?! between; `\"` in it is a quote.
/// Case is ignored unless the phrase contains an upper-case letter. An expression is text between
/// two `/`, with `i` after the last to ignore case, delimited in the same way. As in a JavaScript
/// literal, only `\/` and `[/]` are slashes inside it, so /api/users/ is not an expression; neither
/// is text that begins or ends with a space, or begins with `*` like a comment. Neither form spans
/// lines. Everything else is plain text.
ExactQuery read_exact_query(std::string_view query);

}  // namespace codexmem::search
