// search/definition.h - definitions, as far as names rank them. Stateless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/symbol_type.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

struct Definition {
  std::string name;
  std::uint32_t ordinal = 0;  // of its SymbolId
  std::uint32_t begin = 0;    // byte offset of the declaration
  float weight = 0;           // of its kind
  bool is_central = false;    // a kind that counts for centrality
  bool is_function = false;   // it does something: a function or a method
};

/// Those of `file`, in the order of the source. Errors: those of the store.
Result<std::vector<Definition>> list_definitions(store::StoreReader& reader, store::FileId file);

/// How much a definition of this kind counts, 0 to 1 (docs/design/search.md, "Name table").
float kind_weight(SymbolType type, std::string_view kind);

/// Whether a file is central for others that mention its definition of this kind.
bool counts_for_centrality(SymbolType type, std::string_view kind);

}  // namespace codexmem::search
