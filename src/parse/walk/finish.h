// parse/walk/finish.h - the end of a walk: facts in their final order, offsets turned into indices.
//
// Internal to parse. Pure; called by parse/facts/fact_sink.h.
#pragma once

#include <string_view>
#include <vector>

#include "parse/facts/facts.h"
#include "parse/rules/languages.h"

namespace codexmem::parse {

/// Sorts the occurrences by offset.
void sort_occurrences(FileFacts* facts);

/// Sorts the other facts, sets which symbols are exported, drops meaningless terms, and fills
/// `names` from `texts`, in which names were numbered until now; the names of all symbols must be
/// among them.
void finish_facts(FileFacts* facts, std::vector<std::string_view> texts, Visibility visibility);

}  // namespace codexmem::parse
