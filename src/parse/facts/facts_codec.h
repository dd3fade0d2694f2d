// parse/facts/facts_codec.h - packs FileFacts into a blob and unpacks it.
//
// The blob holds the facts that have no rows in the store: names, a skeleton of the symbols,
// scopes, bindings, imports, exports, occurrences, heritage, terms, dynamics, unparsed ranges.
// Chunks, docstrings, signatures and modifiers are rows. Thread-safe. facts_codec.cpp describes the
// layout.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "parse/facts/facts.h"

namespace codexmem::parse {

/// The version of the packed form. stored: raise it with each change of the layout.
inline constexpr std::uint8_t kFactsVersion = 18;

/// Packs `facts`; the result is the same for equal facts, and decode_facts() reads it. Errors:
/// kUnsupported for facts that it would refuse.
Result<std::string> encode_facts(const FileFacts& facts);

/// Adds a matching header and checksum to `payload`, which may be damaged: for tests that need to
/// get past the checksum.
std::string seal_facts(std::string_view payload);

/// The plain payload of encode_facts(), for callers that pack many together: without header,
/// checksum and compression, and without `has_all` and `truncated`. Nothing is checked.
std::string facts_payload(const FileFacts& facts);

/// The facts in an untrusted payload. Everything is checked, as in decode_facts(). Errors:
/// kCorrupt.
Result<FileFacts> read_facts_payload(std::string_view payload);

/// Unpacks a result of encode_facts(). Symbols have only their name, type, parent, range,
/// name_range, body, exported and term; chunks are empty. Errors: kCorrupt on damaged or truncated
/// bytes, never a crash; kUnsupported on a newer format.
Result<FileFacts> decode_facts(std::string_view blob);

/// Only the package, names, symbols, scopes and imports, in a third of the time; the rest is not
/// checked. Errors: as decode_facts().
Result<FileFacts> decode_imports(std::string_view blob);

}  // namespace codexmem::parse
