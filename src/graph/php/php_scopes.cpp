// Tested by graph/php_test.cpp.
#include "graph/php/php_scopes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "graph/core/project_tree.h"
#include "graph/core/resolver_step.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ScopeKind;

struct PhpMemory final : Resolver::Memory {
  std::map<const FileModel*, std::map<std::string, std::vector<std::uint32_t>>> imports;
  std::map<std::tuple<PhpSort, std::string, std::string>, Entities> names;  // in lower case
};

bool row_is_of_sort(const store::SymbolRow& row, PhpSort sort) {
  switch (sort) {
    case PhpSort::kType:
      return (row.type == SymbolType::kClass || row.type == SymbolType::kInterface ||
              row.type == SymbolType::kType) &&
             row.kind != "namespace";
    case PhpSort::kFunction:
      return row.type == SymbolType::kFunction;
    case PhpSort::kConstant:
      return row.type == SymbolType::kVariable && row.kind == "constant";
  }
  return false;
}

// What the library declares, all of it in the global name space: a class is a unit, functions are
// one together.
Entities library_names(Resolver& resolver, std::string_view name, PhpSort sort) {
  if (sort == PhpSort::kConstant) return {};
  const std::string_view unit = sort == PhpSort::kType ? name : std::string_view("functions");
  const FileModel* file = resolver.library(semantics_of(family_of("php")), unit);
  const auto id = file == nullptr ? std::nullopt : file->find_name(name);
  Entities found;
  if (!id) return found;
  for (const std::uint32_t symbol : file->members_of(kNoIndex, *id)) {
    if (is_of_sort(file->facts.symbols[symbol], sort)) {
      add(found, {EntityKind::kSymbol, file, symbol});
    }
  }
  return found;
}

bool begins_with_path(std::string_view container, std::string_view path) {
  return same_name(container.substr(0, path.size()), path) &&
         (container.size() == path.size() || path.empty() || container[path.size()] == '.');
}

// True for what a function declares when it runs: it is of the function's namespace.
bool is_made_in_function(const Entity& declared, std::string_view path) {
  const std::uint32_t owner = declared.file->owner_of(declared.index);
  return owner != kNoIndex && is_callable(declared.file->facts.symbols[owner]) &&
         same_name(namespace_around(*declared.file, symbol_of(declared).range.begin).path, path);
}

}  // namespace

bool is_of_sort(const parse::Symbol& symbol, PhpSort sort) {
  switch (sort) {
    case PhpSort::kType:
      return is_type_like(symbol) && symbol.kind != "namespace";
    case PhpSort::kFunction:
      return symbol.type == SymbolType::kFunction;
    case PhpSort::kConstant:
      return symbol.type == SymbolType::kVariable && symbol.kind == "constant";
  }
  return false;
}

Entities namespace_names(Resolver& resolver, std::string_view path, std::string_view name,
                         PhpSort sort, const FileModel* importer) {
  if (importer != nullptr && importer->is_library) return library_names(resolver, name, sort);
  auto& known = resolver.memory<PhpMemory>().names;
  const bool has_case = sort == PhpSort::kConstant;
  const auto key =
      std::tuple(sort, to_lower_ascii(path), has_case ? std::string(name) : to_lower_ascii(name));
  const auto [at, is_new] = known.try_emplace(key);
  if (is_new) {
    Entities all;
    const auto& rows =
        has_case ? resolver.symbol_rows(family_of("php"), std::string(name))
                 : resolver.symbol_rows_ignoring_case(family_of("php"), to_lower_ascii(name));
    for (const store::SymbolRow& row : rows) {
      if (!row_is_of_sort(row, sort) || !begins_with_path(row.container, path)) continue;
      const auto symbol = resolver.symbol(row.id);
      const bool is_inside = row.container.size() > path.size();
      if (!symbol || (is_inside && !is_made_in_function(*symbol, path))) continue;
      add(all, *symbol);
      if (all.size() > kMaxAlternatives) break;
    }
    if (all.empty() && path.empty()) all = library_names(resolver, name, sort);
    known[key] = std::move(all);
  }
  Entities found = known.at(key);
  if (found.size() < 2 || importer == nullptr) return found;
  std::size_t best = 0;
  const auto nearness = [&](const Entity& entity) {
    return entity.file == importer ? importer->path.size()
                                   : shared_folders(entity.file->path, importer->path);
  };
  for (const Entity& entity : found) best = std::max(best, nearness(entity));
  std::erase_if(found, [&](const Entity& entity) { return nearness(entity) < best; });
  return found;
}

Entities qualified_names(Resolver& resolver, std::string_view path, PhpSort sort,
                         const FileModel* importer) {
  const std::string whole = dotted_path(path);
  const std::size_t dot = whole.rfind('.');
  if (dot == std::string::npos) return namespace_names(resolver, "", whole, sort, importer);
  const std::string_view all = whole;
  return namespace_names(resolver, all.substr(0, dot), all.substr(dot + 1), sort, importer);
}

PhpNamespace namespace_around(const FileModel& file, std::uint32_t offset) {
  std::uint32_t scope = file.scope_at(offset);
  while (scope != 0 && file.facts.scopes[scope].kind != ScopeKind::kNamespace) {
    scope = file.facts.scopes[scope].parent;
  }
  const std::uint32_t symbol = scope == 0 ? kNoIndex : file.facts.scopes[scope].symbol;
  return {symbol == kNoIndex ? std::string() : file.qualified_name(symbol), scope};
}

const std::vector<std::uint32_t>& imports_named(Resolver& resolver, const FileModel& file,
                                                std::string_view name) {
  static const std::vector<std::uint32_t> kNone;
  const auto [at, is_new] = resolver.memory<PhpMemory>().imports.try_emplace(&file);
  if (is_new) {
    for (std::uint32_t i = 0; i < file.facts.bindings.size(); ++i) {
      const parse::Binding& binding = file.facts.bindings[i];
      if (binding.kind != parse::BindingKind::kImport) continue;
      at->second[to_lower_ascii(file.name(binding.name))].push_back(i);
    }
  }
  if (at->second.empty()) return kNone;
  const auto found = at->second.find(to_lower_ascii(name));
  return found == at->second.end() ? kNone : found->second;
}

std::string dotted_path(std::string_view path) {
  if (path.starts_with('\\')) path.remove_prefix(1);
  std::string dotted(path);
  std::ranges::replace(dotted, '\\', '.');
  return dotted;
}

}  // namespace codexmem::graph
