// parse/preprocess/c_words.h - classifies names by the word before them, in macros, where C's
// grammar cannot.
//
// Internal to parse.
#pragma once

#include <cstddef>
#include <string_view>

namespace codexmem::parse {

/// struct, union, enum.
bool is_tag_keyword(std::string_view word);

/// True if the last word before `at` is struct, union or enum.
bool is_behind_tag_keyword(std::string_view text, std::size_t at);

/// True if the last word before `at`, or before stars there, may be a type.
bool is_behind_type(std::string_view text, std::size_t at);

}  // namespace codexmem::parse
