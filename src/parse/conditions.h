// parse/conditions.h - C# as its grammar takes it: #if that divides a declaration or a statement.
#pragma once

#include <optional>
#include <string_view>

#include "parse/macros.h"

namespace codexmem::parse {

/// C# `text` with spaces in place of directives whose branches are no whole declarations,
/// statements or attributes, and of all their branches but the first that is not empty:
///
///     class A : B
///     #if HAS_C
///         , C
///     #endif
///     { }
///
/// Branches that are parts of a list, each with its comma, all stay. `ref partial struct`, which
/// the grammar does not know, loses its first word. Nothing when there is no such place. All
/// offsets stay. Time and memory grow with the text alone.
std::optional<BlankedText> blank_conditions(std::string_view text);

}  // namespace codexmem::parse
