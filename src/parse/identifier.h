// parse/identifier.h - which bytes names are made of.
#pragma once

#include "base/ascii.h"

namespace codexmem::parse {

/// A letter, a digit, '_', '$' or a byte of a character beyond ASCII.
constexpr bool is_identifier_char(char c) {
  return is_word_char(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace codexmem::parse
