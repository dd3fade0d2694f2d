// parse/facts_codec.h - FileFacts as a packed blob, and back.
//
// The blob holds what the rows of the store do not: names, a skeleton of the symbols, scopes,
// bindings, imports, exports, occurrences, heritage, terms, dynamics, unparsed ranges. Chunks,
// docstrings, signatures and modifiers are rows. Thread-safe. The layout stands in facts_codec.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "parse/facts.h"

namespace codexmem::parse {

/// The version of the packed form. stored: raise it with any change of the layout.
inline constexpr std::uint8_t kFactsVersion = 16;

/// Packs `facts`; the result is the same for equal facts.
std::string encode_facts(const FileFacts& facts);

/// `payload`, which may be damaged, with a header and checksum that fit it: for tests that look
/// behind the checksum.
std::string seal_facts(std::string_view payload);

/// The plain payload of encode_facts(), for those who pack many together: no header, no checksum,
/// not compressed; `has_all` and `truncated` are not in it.
std::string facts_payload(const FileFacts& facts);

/// The facts of a payload, whoever made it. Everything is checked, as by decode_facts(). Errors:
/// kCorrupt.
Result<FileFacts> read_facts_payload(std::string_view payload);

/// Unpacks what encode_facts() packed: symbols come back with name, type, parent, range,
/// name_range, body, exported and term alone, chunks empty. Errors: kCorrupt on damaged or
/// truncated bytes, never a crash; kUnsupported on a newer format.
Result<FileFacts> decode_facts(std::string_view blob);

}  // namespace codexmem::parse
