// parse/facts/facts_print.h - prints FileFacts as text, for golden cases and `codexmem debug
// parse`.
//
// Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "parse/facts/facts.h"

namespace codexmem::parse {

/// Prints `facts` of `text`, a line each, in source order: symbols, imports, exports, scopes,
/// bindings, references, then heritage, dynamic constructs, unparsed ranges and chunks. A line
/// begins with the 1-based line:column (UTF-16 code units) of the fact.
std::string print_facts(const FileFacts& facts, std::string_view text);

}  // namespace codexmem::parse
