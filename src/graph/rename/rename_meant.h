// graph/rename/rename_meant.h - which definitions a rename is asked for.
#pragma once

#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/rename/rename.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// The definitions that `query` names, at least one. Errors: kNotFound, naming some near it; those
/// of find_symbols().
Result<std::vector<Entity>> find_meant(Resolver& resolver, store::CodeReader& reader,
                                       const RenameQuery& query);

/// The error for several that are not one symbol: what to type for each.
Error several_meant(const RenameQuery& query, const std::vector<Entity>& meant);

}  // namespace codexmem::graph
