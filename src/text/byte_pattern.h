// text/byte_pattern.h - a regular expression of ours, matched at one place of a text.
//
// Unlike LinePattern, whose patterns are a user's, this one is for tables of patterns in the
// program: it knows bytes and not characters, so that no text is too broken for it. Immutable once
// made, so safe to share between threads; time is linear.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "text/ranges.h"

namespace codexmem {

class BytePattern {
 public:
  /// RE2's syntax; `.` is any byte but a line feed. The program ends when it is no pattern.
  explicit BytePattern(std::string_view pattern);
  ~BytePattern();
  BytePattern(BytePattern&&) noexcept;
  BytePattern& operator=(BytePattern&&) noexcept;

  static constexpr std::size_t kMaxGroups = 8;

  /// What the match that begins at `begin` holds, looking no further than `end`: `groups[0]` is all
  /// of it, `groups[n]` group n, {0, 0} when it takes no part. False, and `groups` as they were,
  /// when nothing matches there. At most kMaxGroups groups.
  bool match(std::string_view text, std::size_t begin, std::size_t end,
             std::span<ByteRange> groups) const;

  /// The number of groups in the pattern, and 1.
  std::size_t group_count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem
