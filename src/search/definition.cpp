// Tested by search/segment_test.cpp.
#include "search/definition.h"

namespace codexmem::search {

Result<std::vector<Definition>> list_definitions(store::StoreReader& reader, store::FileId file) {
  std::vector<Definition> definitions;
  CODEXMEM_TRY(reader.visit_definitions(file, [&](const store::DefinitionName& row) {
    definitions.push_back({std::string(row.name), store::ordinal_of(row.id), row.begin,
                           kind_weight(row.type, row.kind),
                           counts_for_centrality(row.type, row.kind),
                           row.type == SymbolType::kFunction || row.type == SymbolType::kMethod});
  }));
  return definitions;
}

float kind_weight(SymbolType type, std::string_view kind) {
  if (kind == "namespace" || kind == "module") return 0.4F;
  if (kind == "prototype") return 0.6F;
  if (kind == "macro") return 0.8F;
  if (kind == "include_guard") return 0.1F;  // does not describe the code after it
  switch (type) {
    case SymbolType::kFunction:
    case SymbolType::kClass:
    case SymbolType::kInterface:
      return 1.0F;
    case SymbolType::kType:
      return kind == "enum" ? 1.0F : 0.9F;
    case SymbolType::kMethod:
      return 0.9F;
    case SymbolType::kVariable:
      return 0.7F;
    case SymbolType::kProperty:
      return 0.5F;
  }
  return 0;
}

bool counts_for_centrality(SymbolType type, std::string_view kind) {
  switch (type) {
    case SymbolType::kFunction:
    case SymbolType::kClass:
    case SymbolType::kInterface:
    case SymbolType::kMethod:
      return kind != "prototype";
    case SymbolType::kType:
      return kind != "namespace" && kind != "module";
    case SymbolType::kVariable:
    case SymbolType::kProperty:
      return kind == "macro";
  }
  return false;
}

}  // namespace codexmem::search
