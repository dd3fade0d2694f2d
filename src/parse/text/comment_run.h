// parse/text/comment_run.h - finds the comment that documents a declaration.
//
// Internal to parse. Comments are noted as the walk meets them, so only the last one can precede
// the next declaration.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/ranges.h"

namespace codexmem::parse {

class CommentRun {
 public:
  /// Begins a new file. With `is_run`, comments on consecutive lines are one, and any comment
  /// documents; otherwise only a block comment that begins with two stars does.
  void reset(std::string_view text, bool is_run) { *this = CommentRun(text, is_run); }

  void note(ByteRange comment);

  /// The comment of the declaration that begins at `begin`, with its name at `name_begin`; empty
  /// without one.
  ByteRange before(std::uint32_t begin, std::uint32_t name_begin) const;

  CommentRun() = default;

 private:
  CommentRun(std::string_view text, bool is_run) : text_(text), is_run_(is_run) {}
  std::string_view text_of(ByteRange range) const {
    return text_.substr(range.begin, range.size());
  }
  bool is_next_line(ByteRange between) const;

  std::string_view text_;
  bool is_run_ = false;
  ByteRange last_;
};

}  // namespace codexmem::parse
