// parse/whole_facts.h - all that a file's text says, as bytes, and back from whoever made them.
//
// What parse/facts_codec.h packs is what no row of a store holds. This holds the rest too: kinds,
// qualified names, signatures, docstrings, modifiers and chunks, so that what extract() gives need
// not be made again. Not compressed: many are packed together. Thread-safe. The layout stands in
// whole_facts.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "parse/facts.h"

namespace codexmem::parse {

/// The bytes of `facts`, which are not truncated; the same for equal facts, also when they were
/// read back from a store, whose rows keep no place of what is empty.
std::string encode_whole_facts(const FileFacts& facts);

/// No file of `text_bytes` bytes of text has more bytes of facts.
std::size_t most_whole_facts(std::size_t text_bytes);

/// The facts of the file whose text is `text` (UTF-8), from bytes that anybody may have made.
///
/// What comes back lies within the text, at the bounds of its characters, in the order and within
/// the numbers that extract() keeps; it takes memory in proportion to the text. Whether it is what
/// the text says is not known without a parse. Errors: kCorrupt.
Result<FileFacts> decode_whole_facts(std::string_view bytes, std::string_view text);

}  // namespace codexmem::parse
