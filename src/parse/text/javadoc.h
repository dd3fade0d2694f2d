// parse/text/javadoc.h - reads names in Java documentation.
//
// Internal to parse. The names in {@link A#b(C)}, @see, @throws and similar tags become occurrences
// at their places, in a comment that is noted as documentation. Stateless.
#pragma once

#include <cstddef>
#include <string_view>

#include "parse/walk/builder.h"

namespace codexmem::parse {

class Javadoc : private Builder {
 public:
  explicit Javadoc(const Builder& base) : Builder(base) {}

  /// Reads a comment that the walk meets.
  void read_comment(ByteRange comment);

 private:
  std::size_t read_reference(std::string_view text, std::size_t at, std::uint32_t begin);
  void read_crefs(std::string_view text, ByteRange comment);
};

}  // namespace codexmem::parse
