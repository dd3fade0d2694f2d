// text/byte_pattern.h - a regular expression of this program, matched at one place of a text.
//
// Unlike LinePattern, which matches users' patterns, this class is for tables of patterns in the
// program. It works on bytes rather than characters, so it accepts broken text. Immutable once
// constructed, so safe to share between threads; time is linear.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "text/ranges.h"

namespace codexmem {

class BytePattern {
 public:
  /// RE2's syntax; `.` is any byte except a line feed. The program ends for an invalid pattern.
  explicit BytePattern(std::string_view pattern);
  ~BytePattern();
  BytePattern(BytePattern&&) noexcept;
  BytePattern& operator=(BytePattern&&) noexcept;

  static constexpr std::size_t kMaxGroups = 8;

  /// Matches at `begin`, reading no further than `end`: `groups[0]` is the whole match, `groups[n]`
  /// is group n, {0, 0} when it takes no part. Returns false, leaving `groups` unchanged, when
  /// nothing matches there. At most kMaxGroups groups.
  bool match(std::string_view text, std::size_t begin, std::size_t end,
             std::span<ByteRange> groups) const;

  /// The number of groups in the pattern, plus 1.
  std::size_t group_count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem
