// parse/preprocess/conditions.h - adapts C# for its grammar where #if divides a declaration or
// statement.
#pragma once

#include <optional>
#include <string_view>

#include "parse/preprocess/macros.h"

namespace codexmem::parse {

/// Blanks directives in C# `text` if their branches are not whole declarations, statements or
/// attributes, and all their branches except the first that is not empty:
///
///     class A : B
///     #if HAS_C
///         , C
///     #endif
///     { }
///
/// Branches that are parts of a list, each with its comma, all stay. `ref partial struct`, which
/// the grammar does not know, loses its first word. Returns nothing if the text has no such place.
/// All offsets stay the same. Time and memory grow with the text only.
std::optional<BlankedText> blank_conditions(std::string_view text);

}  // namespace codexmem::parse
