// graph/unused/public_names.h - the names that a folder of code offers to others.
//
// Stateless except for the shared cache. Design: docs/how-it-works.md, "Overview".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct PublicNames {
  std::string path;  // the module that exports them, or the folder of a package; empty: none found
  std::vector<std::string> names;  // in source order, types of a package first; each once
};

/// The exports and re-exports of the module at `entry`, if that is indexed, else of the module that
/// represents `folder` or the nearest folder below it. In languages with imports that name folders:
/// the declarations in the files of `folder` for others. Star exports and imports (`export *`,
/// `import *`) count, too, of up to 20 modules. Errors: the store's errors.
Result<PublicNames> find_public_names(FactsCache& cache, store::CodeReader& reader,
                                      std::string_view folder, std::string_view entry);

/// At most `most` names of the main code below `folder`, or directly in it: the names that most
/// imports of its most imported files ask for, else the files' declarations for others, types
/// first. Looks at three files. Errors: the store's errors.
Result<std::vector<std::string>> find_used_names(FactsCache& cache, store::CodeReader& reader,
                                                 std::string_view folder, bool only_in_it,
                                                 std::size_t most);

}  // namespace codexmem::graph
