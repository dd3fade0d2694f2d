// search/definition.h - definitions, reduced to the data that ranking by name uses. Stateless.
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
  bool is_function = false;   // a function or a method
};

/// The definitions of `file`, in source order. Errors: as the store.
Result<std::vector<Definition>> list_definitions(store::StoreReader& reader, store::FileId file);

/// The weight of a definition of this kind, 0 to 1 (docs/how-it-works.md, "Search").
float kind_weight(SymbolType type, std::string_view kind);

/// True if mentions of a definition of this kind in other files make its file central.
bool counts_for_centrality(SymbolType type, std::string_view kind);

}  // namespace codexmem::search
