// What is asked of a small repository whose files, or facts, may be anything.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "graph/imports/dependencies.h"
#include "graph/uses/neighbours.h"
#include "graph/uses/references.h"
#include "store/code/code_reader.h"

namespace codexmem::fuzz {

inline constexpr std::size_t kMaxSymbols = 12;  // asked for in each file

inline void ask(store::CodeReader& reader) {
  graph::FactsCache cache;
  const graph::Surroundings shared(cache, reader);
  const auto files = reader.list_files();
  CODEXMEM_CHECK(files.ok());
  for (const store::FileRow& file : *files) {
    const auto around = graph::analyze_dependencies(reader, {file.path, 10, true});
    CODEXMEM_CHECK(around.ok());
    auto symbols = reader.list_symbols(file.id);
    CODEXMEM_CHECK(symbols.ok());
    if (symbols->size() > kMaxSymbols) symbols->resize(kMaxSymbols);
    for (const store::SymbolRow& symbol : *symbols) {
      if (symbol.name.empty()) continue;
      graph::ReferenceQuery query;
      query.symbol = symbol.name;
      query.min_confidence = graph::Confidence::kName;
      query.explain = true;
      const auto found = graph::find_references(cache, reader, query);
      CODEXMEM_CHECK(found.ok() || found.error().code() == ErrorCode::kInvalidArgument);
      CODEXMEM_CHECK(graph::list_callers(shared, symbol.id, 20).ok());
      CODEXMEM_CHECK(graph::list_callees(shared, symbol.id, 20).ok());
      CODEXMEM_CHECK(graph::list_supertypes(shared, symbol.id, 20).ok());
      CODEXMEM_CHECK(graph::list_subtypes(shared, symbol.id, 20).ok());
    }
  }
}

}  // namespace codexmem::fuzz
