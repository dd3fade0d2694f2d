// search/spelling.h - half-remembered words of a query, mended by the names in the index.
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
  std::string text;  // the query with the corrections made; case of first letters is kept
  std::vector<Correction> corrections;
};

/// `query` with each word that is nowhere in the index, and is no word that the built-in model
/// knows, replaced by the nearest word of a definition's name: one edit away, or two for eight
/// letters and more. Words of fewer than five letters stay. When nothing is replaced, which is most
/// often, the cost is a look at the index for each word that no name has; else a pass over all
/// names. Errors: those of the store.
Result<Spelling> correct_spelling(store::StoreReader& reader, const Snapshot& snapshot,
                                  std::string_view query);

}  // namespace codexmem::search
