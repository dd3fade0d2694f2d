// parse/text/quoted_text.h - finds comments, strings and regular expressions in a text, by the
// marks of its language.
//
// Scans the text, for places without facts from a parse. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parse/rules/languages.h"

namespace codexmem::parse {

class QuotedText {
 public:
  /// Both arguments must outlive this object.
  QuotedText(const Language& language, std::string_view text);

  /// True if byte `offset` of the text is in a comment, a string or a regular expression. Call it
  /// with ascending offsets. In a language whose strings end with the line, an unclosed quote is
  /// ignored.
  bool holds(std::size_t offset);
  /// True if it is in a comment. The same rules.
  bool comment_holds(std::size_t offset) {
    return holds(offset) && end_of_comment(begin_) > begin_;
  }

 private:
  // The end of what begins at `at`; `at` if nothing of the kind does.
  std::size_t end_of_quoted(std::size_t at) const;
  std::size_t end_of_comment(std::size_t at) const;
  std::size_t end_of_regex(std::size_t at) const;
  std::size_t end_of_percent(std::size_t at) const;
  std::size_t behind(std::string_view mark, std::size_t at) const;
  std::size_t end_of_raw(std::size_t at) const;
  std::size_t end_of_string(std::size_t at) const;

  const Language& language_;
  std::string_view text_;
  std::string_view block_end_;
  std::string marks_;                // the bytes that may begin a comment or a string
  std::size_t at_ = 0;               // the text before this was scanned
  std::size_t begin_ = 0, end_ = 0;  // the last comment or string before at_
};

}  // namespace codexmem::parse
