// text/ranges.h - places in a text.
//
// Stored places are byte offsets in the indexed text (UTF-8, byte order mark removed);
// text/line_index.h converts them to lines and columns when an answer needs these.
#pragma once

#include <compare>
#include <cstdint>

namespace codexmem {

/// Bytes [begin, end) of a text.
struct ByteRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  bool contains(std::uint32_t offset) const { return begin <= offset && offset < end; }
  bool contains(const ByteRange& other) const { return begin <= other.begin && other.end <= end; }
  auto operator<=>(const ByteRange&) const = default;
};

/// A place as shown in editors: 1-based line, 1-based column in UTF-16 code units.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  auto operator<=>(const Position&) const = default;
};

}  // namespace codexmem
