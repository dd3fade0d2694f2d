// search/exact_query.h - the exact parts of a question: quoted phrases and regular expressions.
// Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// Text that must stand in a file, or a regular expression that must match in it.
struct ExactPart {
  std::string text;  // without the marks around it
  bool is_regex = false;
  bool ignore_case = false;
};

struct ExactQuery {
  std::vector<ExactPart> parts;
  /// What is ranked by: the question, a phrase without its quotes, of an expression its words.
  std::string words;
  bool has_other_words = false;  // there is more than exact parts
};

/// Takes `query` apart.
///
/// A phrase is text between two `"`, of which the first stands at the start or after white space,
/// the last at the end or before white space, perhaps with one of .,;:?! between; `\"` in it is a
/// quote. Case is ignored unless the phrase has an upper case letter. An expression is text between
/// two `/`, with `i` behind the last to ignore case, that stands alone in the same way; as in a
/// literal of JavaScript only `\/` and `[/]` are slashes of its own, so /api/users/ is none, nor is
/// what begins or ends with a space, or begins with `*` as a comment does. Neither spans lines.
/// Whatever has no such form is plain text.
ExactQuery read_exact_query(std::string_view query);

}  // namespace codexmem::search
