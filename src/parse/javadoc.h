// parse/javadoc.h - names that Java's documentation mentions.
//
// Internal to parse. Of {@link A#b(C)}, @see, @throws and the like the names become occurrences at
// their places, in a comment that is noted as documentation. Stateless.
#pragma once

#include <cstddef>
#include <string_view>

#include "parse/builder.h"

namespace codexmem::parse {

class Javadoc : private Builder {
 public:
  explicit Javadoc(const Builder& base) : Builder(base) {}

  /// A comment that the walk meets.
  void read_comment(ByteRange comment);

 private:
  std::size_t read_reference(std::string_view text, std::size_t at, std::uint32_t begin);
  void read_crefs(std::string_view text, ByteRange comment);
};

}  // namespace codexmem::parse
