// graph/jvm/jvm_modules.h - which files imports of Java and Kotlin mean.
#pragma once

#include <memory>

#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {

/// Finds the files of either language that imports of either mean.
std::unique_ptr<ModuleFinder> make_jvm_module_finder(ProjectTree& tree);

}  // namespace codexmem::graph
