// graph/c/c_pastes.h - uses of names that macros make: CMD(add) of #define CMD(n) cmd_##n.
#pragma once

#include <string>
#include <vector>

#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The uses where a macro pastes `name` from its arguments: placed at the longest word among the
/// arguments, or at the macro's name. Covers macros with a fixed beginning or end, and macros that
/// others pass their parameters to; for macros used in very many files, only uses in a file that
/// contains the word. Valid as long as the Resolver.
const std::vector<UnwrittenUse>& uses_by_paste(Resolver& resolver, const std::string& name);

}  // namespace codexmem::graph
