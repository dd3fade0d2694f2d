// graph/core/code_text.h - small parsers of source text around an identifier.
//
// For details that are not facts: brackets, literals and assignments of C-like languages and
// Python, found in the text itself. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "graph/core/file_model.h"

namespace codexmem::graph {

bool is_identifier_byte(char c);

/// `text` without white space before it.
std::string_view without_blanks(std::string_view text);

/// The identifier that `text` begins with; ends with. Empty without one.
std::string_view first_word(std::string_view text);
std::string_view last_word(std::string_view text);

/// True for a name without a lower-case letter, as macros usually have.
bool is_upper_name(std::string_view name);

/// True if `word` is in `text` as a whole word.
bool has_word(std::string_view text, std::string_view word);

/// The content of the bracket that `text` begins with, and the text behind it.
struct Bracketed {
  std::string_view inside, behind;
};
Bracketed bracketed(std::string_view text);

/// True if `text` begins with a sign of assignment: = or +=, not ==.
bool begins_assignment(std::string_view text);

/// True if `before` ends with "=".
bool is_assigned_from(std::string_view before);

/// The text of a string literal without escapes; empty if `text` is not one.
std::string_view literal(std::string_view text);

/// The callee of the call around the end of `before`, and the number of arguments before it; an
/// empty name when there is no call between the statement's begin and that end.
struct CallAround {
  std::string_view callee;
  int arguments = 0;
};
CallAround call_around(std::string_view before);

/// The line of `text` around `offset`, and the offset in that line.
std::pair<std::string_view, std::size_t> line_around(std::string_view text, std::size_t offset);

/// The part of `text`; empty when the range is not in it.
std::string_view text_at(std::string_view text, const ByteRange& range);

}  // namespace codexmem::graph
