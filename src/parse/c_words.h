// parse/c_words.h - what the word before a name says of it, where C's grammar does not: in macros.
//
// Internal to parse.
#pragma once

#include <cstddef>
#include <string_view>

namespace codexmem::parse {

/// struct, union, enum.
bool is_tag_keyword(std::string_view word);

/// True if such a word is the last before `at`.
bool is_behind_tag_keyword(std::string_view text, std::size_t at);

/// True if the last word before `at`, or before stars there, may be a type.
bool is_behind_type(std::string_view text, std::size_t at);

}  // namespace codexmem::parse
