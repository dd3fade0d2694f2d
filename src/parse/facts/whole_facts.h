// parse/facts/whole_facts.h - packs all facts of a file into bytes, and reads such bytes from
// untrusted sources.
//
// parse/facts/facts_codec.h packs only the facts without rows in a store. This format also contains
// kinds, qualified names, signatures, docstrings, modifiers and chunks, so that extract() need not
// run again. Not compressed, because many are packed together. Thread-safe. whole_facts.cpp
// describes the layout.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "parse/facts/facts.h"

namespace codexmem::parse {

/// The bytes of `facts`, which must not be truncated. Equal facts give equal bytes, even after a
/// store has dropped the places of empty ranges.
std::string encode_whole_facts(const FileFacts& facts);

/// Maximum bytes of facts for a file with `text_bytes` bytes of text.
std::size_t most_whole_facts(std::size_t text_bytes);

/// The facts of the file whose text is `text` (UTF-8), from untrusted bytes.
///
/// The result is within the text, at the bounds of its characters, in the order and within the
/// limits of extract(); it takes memory in proportion to the text. Only a parse could show whether
/// it matches the text. Errors: kCorrupt.
Result<FileFacts> decode_whole_facts(std::string_view bytes, std::string_view text);

}  // namespace codexmem::parse
