// graph/c/c_files.h - what files of C and C++ see of each other through includes.
//
// Internal to the two languages. Nothing is kept but in the Resolver's memory.
#pragma once

#include <string_view>
#include <unordered_set>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

using FileSet = std::unordered_set<store::FileId>;

/// The file and all that it includes, as far as they are in the repository.
const FileSet& files_seen(Resolver& resolver, store::FileId id);

/// The file and all that include it.
const FileSet& files_around(Resolver& resolver, store::FileId id);

inline bool is_macro(const store::SymbolRow& row) { return row.kind == "macro"; }
inline bool is_prototype(const store::SymbolRow& row) { return row.kind == "prototype"; }

/// The symbol of a row; kUnknown where its file cannot be read.
Entity entity_of(Resolver& resolver, const store::SymbolRow& row);

}  // namespace codexmem::graph
