// Tested by git/rename_test.py.
#include "graph/rename/rename_meant.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/text.h"
#include "graph/rename/rename_family.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::graph {
namespace {

// True if a field or method among `meant` has the name of this method or field.
bool has_namesake(const Entity& each, const std::vector<Entity>& meant) {
  return std::ranges::any_of(meant, [&](const Entity& other) {
    return are_apart({each.file, each.index}, {other.file, other.index}) &&
           other.file->qualified_name(other.index) == each.file->qualified_name(each.index);
  });
}

}  // namespace

Result<std::vector<Entity>> find_meant(Resolver& resolver, store::CodeReader& reader,
                                       const RenameQuery& query) {
  if (!query.symbols.empty()) {
    std::vector<Entity> given;
    for (const store::SymbolId id : query.symbols) {
      if (const auto symbol = resolver.symbol(id)) given.push_back(*symbol);
    }
    if (!given.empty()) return given;
  }
  const bool is_call = query.symbol.ends_with("()");
  const std::string asked = query.symbol.substr(0, query.symbol.size() - (is_call ? 2 : 0));
  std::string plain = asked;
  std::ranges::replace(plain, '#', '.');
  SymbolQuery wanted;
  wanted.symbol = asked;
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
    return is_one_of(each.file->path + "::" + name, {asked, plain}) ||
           (query.file_path && is_one_of(name, {asked, plain}));
  };
  if (std::ranges::any_of(meant, is_exact)) std::erase_if(meant, std::not_fn(is_exact));
  // Of two that have one name, f() means the function and A#f the field.
  const auto is_of_sort = [&](const Entity& each) {
    return is_callable(symbol_of(each)) ? is_call : plain != asked;
  };
  const auto has_both = [&](const Entity& each) { return has_namesake(each, meant); };
  if (std::ranges::any_of(meant, is_of_sort) && std::ranges::any_of(meant, has_both)) {
    std::erase_if(meant, std::not_fn(is_of_sort));
  }
  return meant;
}

Error several_meant(const RenameQuery& query, const std::vector<Entity>& meant) {
  std::vector<std::string> names;
  for (const Entity& each : meant) {
    std::string name = each.file->path + "::" + each.file->qualified_name(each.index);
    const bool has_both = has_namesake(each, meant);
    if (has_both && is_callable(symbol_of(each))) {
      name += "()";
    } else if (const std::size_t dot = name.rfind('.'); has_both) {
      name[dot] = '#';
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return several_definitions(query.symbol, std::move(names));
}

}  // namespace codexmem::graph
