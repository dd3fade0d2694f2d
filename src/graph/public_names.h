// graph/public_names.h - the names that a folder of code offers to others.
//
// Stateless but for the shared cache. Design: docs/design/overview.md, "Names".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct PublicNames {
  std::string path;  // the module that exports them, or the folder of a package; empty: none found
  std::vector<std::string> names;  // in source order, types of a package first; each once
};

/// What the module at `entry`, if that is indexed, else the one that stands for `folder` or for the
/// folder nearest below it, exports and re-exports; in languages whose imports name folders what
/// the files of `folder` declare for others. What it takes from 20 other modules as a whole
/// (`export *`, `import *`) counts, too. Errors: those of the store.
Result<PublicNames> find_public_names(FactsCache& cache, store::CodeReader& reader,
                                      std::string_view folder, std::string_view entry);

/// At most `most` names of the main code below `folder`, or directly in it: those that most imports
/// of its most imported files name, else what these declare for others, types first. Looks at three
/// files. Errors: those of the store.
Result<std::vector<std::string>> find_used_names(FactsCache& cache, store::CodeReader& reader,
                                                 std::string_view folder, bool only_in_it,
                                                 std::size_t most);

}  // namespace codexmem::graph
