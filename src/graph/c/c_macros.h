// graph/c/c_macros.h - macros of C and C++: the definition that a name means, and the value of a
// call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The row of symbol `symbol` of `file` if that is a macro, else nullptr.
const store::SymbolRow* macro_row(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

/// True if `row` is a macro that its file redefines: one of `rows`, all definitions of its name,
/// comes later and replaces it.
bool is_replaced(const store::SymbolRow& row, const std::vector<const store::SymbolRow*>& rows);

/// The meaning of the bare name at occurrence `index` if `file` itself defines it several times, or
/// further down, and only as macros: the earlier definitions that may be in force there. Empty when
/// all come later; nothing when the usual rules apply.
std::optional<Entities> own_macros(Resolver& resolver, const FileModel& file, std::uint32_t index);

/// True for a macro that `file` defines only if it is not defined yet: #ifndef A, #define A. An
/// earlier definition stays in force.
bool is_asked_for(Resolver& resolver, const FileModel& file, parse::NameId name);

/// The value of a call of `macro` with `arguments` in `file` if its body casts to a type that it
/// names, ((struct a *)(p)), or takes as an argument, ((type *)(p)), itself or through another
/// macro. Nothing for other symbols.
std::optional<Entities> cast_by(Resolver& resolver, const FileModel& file, const Entity& macro,
                                std::span<const parse::TermId> arguments);

}  // namespace codexmem::graph
