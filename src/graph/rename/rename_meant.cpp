// Tested by git/rename_test.py.
#include "graph/rename/rename_meant.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/text.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::graph {

Result<std::vector<Entity>> find_meant(Resolver& resolver, store::CodeReader& reader,
                                       const RenameQuery& query) {
  SymbolQuery wanted;
  wanted.symbol = query.symbol;
  wanted.file_path = query.file_path;
  wanted.limit = SIZE_MAX;
  CODEXMEM_ASSIGN(const SymbolAnswer found, find_symbols(reader, wanted));
  std::vector<Entity> meant;
  std::vector<std::string> near = found.suggestions;
  for (const SymbolMatch& match : found.results) {
    if (near.size() < 3) near.push_back(match.symbol.qualified_name());
    if (match.match != NameMatch::kExact) continue;
    if (const auto symbol = resolver.symbol(match.symbol.id)) meant.push_back(*symbol);
  }
  if (meant.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("there is no definition of \"{}\"{}", query.symbol,
                             near.empty() ? "" : "; near it are: " + join(near, ", "))};
  }
  // path::name, of a definition that is called so in full, means none that is inside another.
  const auto is_exact = [&](const Entity& each) {
    const std::string name = each.file->qualified_name(each.index);
    return query.symbol == each.file->path + "::" + name ||
           (query.file_path && query.symbol == name);
  };
  if (std::ranges::any_of(meant, is_exact)) std::erase_if(meant, std::not_fn(is_exact));
  return meant;
}

Error several_meant(const RenameQuery& query, const std::vector<Entity>& meant) {
  std::vector<std::string> names;
  for (const Entity& each : meant) {
    std::string name = each.file->path + "::" + each.file->qualified_name(each.index);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return several_definitions(query.symbol, std::move(names));
}

}  // namespace codexmem::graph
