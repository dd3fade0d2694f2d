// parse/comment_run.h - the comment that documents a declaration.
//
// Internal to parse. Comments are noted as the walk meets them, so only the last can stand before
// the declaration that is met next.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/ranges.h"

namespace codexmem::parse {

class CommentRun {
 public:
  /// Begins a new file. When `is_run`, comments that follow each other line by line are one and any
  /// of them documents; else only a block that begins with two stars does.
  void reset(std::string_view text, bool is_run) { *this = CommentRun(text, is_run); }

  void note(ByteRange comment);

  /// The comment of the declaration that begins at `begin` and has its name at `name_begin`; empty
  /// when it has none.
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
