// parse/facts/fingerprint.h - a short text that changes when the facts of a language may change.
#pragma once

#include <string>

#include "parse/rules/languages.h"

namespace codexmem::parse {

/// 16 hexadecimal digits that differ when the grammar, the queries, the runtime, the row of the
/// language or the format of packed facts do. Other changes of extraction must raise the index's
/// own version. Empty for a language without a grammar. Thread-safe.
std::string facts_fingerprint(const Language& language);

}  // namespace codexmem::parse
