// search/spelling.h - corrects half-remembered words of a query by the names in the index.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/snapshot.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

struct Correction {
  std::string from, to;  // lower case
};

struct Spelling {
  std::string text;  // the corrected query; the case of first letters is kept
  std::vector<Correction> corrections;
};

/// Replaces each word of `query` that does not occur in the index and is unknown to the built-in
/// model with the nearest word of a definition's name: one edit away, or two for words of eight
/// letters or more. Words of fewer than five letters are kept. If nothing is replaced, the usual
/// case, the cost is an index look-up for each word that no name contains; otherwise a pass over
/// all names. Errors: as the store.
Result<Spelling> correct_spelling(store::StoreReader& reader, const Snapshot& snapshot,
                                  std::string_view query);

}  // namespace codexmem::search
