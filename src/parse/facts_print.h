// parse/facts_print.h - FileFacts as text, for golden cases and `codexmem debug parse`.
//
// Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "parse/facts.h"

namespace codexmem::parse {

/// What `facts` says of `text`, a line each, in the order of the text: symbols, imports, exports,
/// scopes, bindings, references, then heritage, dynamic constructs, unparsed ranges and chunks. A
/// line begins with the 1-based line:column (UTF-16 code units) of what it is about.
std::string print_facts(const FileFacts& facts, std::string_view text);

}  // namespace codexmem::parse
