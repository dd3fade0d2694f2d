// graph/rust/rust_pastes.h - uses of names that macros put together: paste! { [<get_ $name>] }
#pragma once

#include <string>
#include <vector>

#include "graph/core/language_semantics.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The places that give a macro what it makes `name` of, likely ones.
std::vector<UnwrittenUse> rust_uses_by_paste(Resolver& resolver, parse::Family family,
                                             const std::string& name);

}  // namespace codexmem::graph
