#include "graph/cross_imports.h"

namespace codexmem::graph {

Result<std::vector<store::DependencyRow>> find_cross_imports(store::UnitedReader&,
                                                             std::span<const std::filesystem::path>,
                                                             const std::stop_token&) {
  return std::vector<store::DependencyRow>();
}

}  // namespace codexmem::graph
