#include "graph/nominal/type_files.h"

#include "base/path.h"

namespace codexmem::graph {

std::string path_of_type(const FileModel& file, std::uint32_t symbol, std::string_view new_name,
                         bool has_namespaces) {
  const parse::Symbol& at = file.facts.symbols[symbol];
  const std::uint32_t owner = file.owner_of(symbol);
  const bool is_outermost =
      owner == parse::kNoIndex ||
      (has_namespaces && file.facts.symbols[owner].type == parse::SymbolType::kType);
  if (!is_type_like(at) || !is_outermost || file_stem(file.path) != at.name) return {};
  const std::string_view folder = folder_of(file.path);
  const std::string_view path = file.path;
  return std::string(folder) + (folder.empty() ? "" : "/") + std::string(new_name) +
         std::string(path.substr(path.rfind('.')));
}

std::set<std::string> outermost_names(const parse::FileFacts& facts) {
  std::set<std::string> names;
  for (const parse::Symbol& symbol : facts.symbols) {
    if (symbol.parent == parse::kNoIndex) names.insert(symbol.name);
  }
  return names;
}

}  // namespace codexmem::graph
