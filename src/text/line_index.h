// text/line_index.h - converts byte offsets to lines and columns.
//
// Built once per text in one pass; look-ups are a binary search. Immutable, so safe to share. The
// text must outlive the index.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/ranges.h"

namespace codexmem {

class LineIndex {
 public:
  /// Indexes `text`. A line ends after "\n", "\r\n" or a lone "\r".
  explicit LineIndex(std::string_view text);

  /// The number of lines; a final line ending does not begin another line, and an empty text has
  /// one.
  std::uint32_t line_count() const;

  /// The 1-based line that contains byte `offset`; an offset past the end is on the last line.
  std::uint32_t line_of(std::uint32_t offset) const;

  /// The position of byte `offset`, its column in UTF-16 code units.
  Position position_of(std::uint32_t offset) const;

  /// The byte offset of the first byte of 1-based `line`; past the last line, the text's size.
  std::uint32_t line_begin(std::uint32_t line) const;

  /// The text of 1-based `line` without its line ending; empty past the last line.
  std::string_view line_text(std::uint32_t line) const;

 private:
  // The number of UTF-16 code units before a byte that begins a code point.
  struct Checkpoint {
    std::uint32_t offset = 0;
    std::uint32_t units = 0;
  };

  std::size_t units_before(std::uint32_t offset) const;

  std::string_view text_;
  std::vector<std::uint32_t> begins_;    // ascending; begins_[0] == 0
  std::vector<Checkpoint> checkpoints_;  // ascending; empty for ASCII text
};

}  // namespace codexmem
