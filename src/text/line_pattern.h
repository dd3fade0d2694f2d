// text/line_pattern.h - literal texts and regular expressions, matched line by line. The only user
// of RE2.
//
// Immutable once constructed, so safe to share between threads. Time is linear in the text for any
// pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "text/ranges.h"
#include "base/result.h"

namespace codexmem {

class LinePattern {
 public:
  struct Options {
    bool is_literal = false;  // the pattern is text, not a regular expression
    bool ignore_case = false;
    std::int64_t max_memory = 16 << 20;  // bytes for the pattern and its matching state
  };

  /// A pattern that matches within one line of a text.
  ///
  /// The syntax is RE2's, with ripgrep's meaning: `.` and classes never match a line feed; `^` and
  /// `$` are the ends of a line (a carriage return is part of it); \d, \s and \w know Unicode, and
  /// so does \b before or after an ASCII letter at the ends of the pattern; elsewhere \b uses
  /// ASCII. Errors: kInvalidArgument with RE2's message, also for a pattern that needs too much
  /// memory.
  static Result<LinePattern> make(std::string_view pattern, const Options& options);

  ~LinePattern();
  LinePattern(LinePattern&&) noexcept;
  LinePattern& operator=(LinePattern&&) noexcept;

  /// The first match in `text` from `begin` up to `end`, which must be the end of a line. Text
  /// after the last line feed of `text` is a line unless it is empty.
  std::optional<ByteRange> find(std::string_view text, std::size_t begin, std::size_t end) const;

  /// False if a text with this filter (text/trigrams.h) cannot match.
  bool may_match(std::string_view trigram_filter) const;

 private:
  struct Impl;
  explicit LinePattern(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// True when `text` has an upper case letter.
bool has_upper_case(std::string_view text);

}  // namespace codexmem
