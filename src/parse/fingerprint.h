// parse/fingerprint.h - what the facts of a language's files depend on, as one short text.
#pragma once

#include <string>

#include "parse/languages.h"

namespace codexmem::parse {

/// 16 hexadecimal digits that differ when the grammar, the queries, the runtime, the row of the
/// language or the form of packed facts do; what else a program does with a text is for the index's
/// own version to say. Empty of a language without a grammar. Thread-safe.
std::string facts_fingerprint(const Language& language);

}  // namespace codexmem::parse
