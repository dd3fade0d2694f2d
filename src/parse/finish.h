// parse/finish.h - the end of a walk: facts in their final order, offsets turned into indices.
//
// Internal to parse. Pure; called by parse/fact_sink.h.
#pragma once

#include <string_view>
#include <vector>

#include "parse/facts.h"
#include "parse/languages.h"

namespace codexmem::parse {

/// Sorts the occurrences by offset.
void sort_occurrences(FileFacts* facts);

/// Sorts the rest, says what is exported, drops the terms that mean nothing, and fills `names` from
/// `texts`, by which names were numbered until now; among them are those of all symbols.
void finish_facts(FileFacts* facts, std::vector<std::string_view> texts, Visibility visibility);

}  // namespace codexmem::parse
