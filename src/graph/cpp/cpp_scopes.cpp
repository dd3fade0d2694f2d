// Tested by graph/cpp_test.cpp.
#include "graph/cpp/cpp_scopes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "config/path_kind.h"
#include "graph/c/c_files.h"
#include "graph/core/resolver_step.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ScopeKind;
using store::SymbolRow;

struct CppMemory : Resolver::Memory {
  std::unordered_map<std::string, std::vector<const SymbolRow*>> rows;  // by name
  std::unordered_map<const FileModel*, std::vector<UsedName>> used_names;
  std::unordered_map<std::string, bool> is_namespace;                     // by path
  std::map<std::pair<const FileModel*, std::string>, Entities> types;     // by path
  std::map<std::pair<const FileModel*, std::string>, Entities> declared;  // by path and name
  std::map<std::pair<const FileModel*, std::uint32_t>, std::vector<std::uint32_t>> enums;
  std::unordered_map<const FileModel*, std::string> texts;
};

struct Path {
  std::string_view container, name;
};

Path split_path(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {{}, path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

bool is_type_row(const SymbolRow& row) {
  return row.type == SymbolType::kClass || row.type == SymbolType::kInterface ||
         (row.type == SymbolType::kType && row.kind != "namespace" &&
          row.kind != "inline_namespace" && row.kind != "alias");
}

bool is_enumerator(const SymbolRow& row) { return row.kind == "enum_member"; }

// True for a symbol that is reached only through a type. (A nested type has a type as container.)
bool is_member_row(const SymbolRow& row) {
  return row.type == SymbolType::kMethod ||
         (row.type == SymbolType::kProperty && !is_enumerator(row));
}

// True for enum class.
bool is_scoped_enum(const SymbolRow& row) {
  return row.kind == "enum" && row.is(store::Modifier::kScoped);
}

// `rows` are sorted by id.
const SymbolRow* find_row(const std::vector<const SymbolRow*>& rows, store::SymbolId id) {
  const auto found = std::ranges::lower_bound(rows, id, {}, &SymbolRow::id);
  return found == rows.end() || (*found)->id != id ? nullptr : *found;
}

// True for an enumerator whose enum leaves it to the scope around.
bool is_unscoped(Resolver& resolver, const SymbolRow& enumerator) {
  if (!enumerator.parent) return true;
  const auto& enums = cpp_rows(resolver, split_path(enumerator.container).name);
  const SymbolRow* row = find_row(enums, *enumerator.parent);
  return row == nullptr || !is_scoped_enum(*row);
}

bool is_in(Resolver& resolver, const SymbolRow& row, std::string_view path) {
  if (is_macro(row)) return true;
  if (is_member_row(row)) return false;
  if (row.container == path) return true;
  return is_enumerator(row) && split_path(row.container).container == path &&
         is_unscoped(resolver, row);
}

// Of several definitions those that are not specialisations, if there are any; a namespace once.
Entities entities_of(Resolver& resolver, const std::vector<const SymbolRow*>& rows) {
  if (rows.size() > kMaxAlternatives) return {kUnknownEntity};
  Entities found;
  const auto is_special = [](const SymbolRow* row) { return row->kind == "specialization"; };
  const bool has_general = !std::ranges::all_of(rows, is_special);
  bool has_namespace = false;
  for (const SymbolRow* row : rows) {
    if (has_general && is_special(row)) continue;
    if (row->kind == "namespace" && std::exchange(has_namespace, true)) continue;
    if (const auto entity = resolver.symbol(row->id)) found.push_back(*entity);
  }
  return found;
}

constexpr std::string_view kLibraryUnit = "std";

// The library's declarations of that name in the namespace or class at `path`.
Entities in_library(Resolver& resolver, std::string_view path, std::string_view name) {
  Entities found;
  const FileModel* unit = resolver.library(semantics_of(family_of("cpp")), kLibraryUnit);
  const auto id = unit == nullptr ? std::nullopt : unit->find_name(name);
  if (!id) return found;
  std::uint32_t owner = kNoIndex;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const auto part = unit->find_name(path.substr(0, dot));
    const auto owners = part ? unit->members_of(owner, *part) : std::span<const std::uint32_t>();
    if (owners.empty()) return found;
    owner = owners.front();
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  for (const std::uint32_t member : unit->members_of(owner, *id)) {
    add(found, {EntityKind::kSymbol, unit, member});
  }
  return found;
}

template <typename Accepts>
Entities find_rows(Resolver& resolver, std::string_view name, Accepts accepts) {
  std::vector<const SymbolRow*> kept;
  for (const SymbolRow* row : cpp_rows(resolver, name)) {
    if (accepts(*row)) kept.push_back(row);
  }
  return entities_of(resolver, kept);
}

}  // namespace

const std::vector<const SymbolRow*>& cpp_rows(Resolver& resolver, std::string_view name) {
  auto& memory = resolver.memory<CppMemory>();
  const auto [at, is_new] = memory.rows.try_emplace(std::string(name));
  std::vector<const SymbolRow*>& rows = at->second;
  if (!is_new) return rows;
  for (const char* language : {"cpp", "c"}) {
    for (const SymbolRow& row : resolver.symbol_rows(family_of(language), std::string(name))) {
      rows.push_back(&row);
    }
  }
  std::ranges::sort(rows, {}, &SymbolRow::id);
  return rows;
}

const SymbolRow* row_of(Resolver& resolver, const Entity& symbol) {
  const auto& rows = cpp_rows(resolver, symbol_of(symbol).name);
  return find_row(rows, store::symbol_id(symbol.file->id, symbol.index));
}

std::string container_of(Resolver& resolver, const Entity& symbol) {
  if (symbol.file->is_library) {
    const std::string path = symbol.file->qualified_name(symbol.index);
    return std::string(split_path(path).container);
  }
  const SymbolRow* row = row_of(resolver, symbol);
  return row == nullptr ? std::string() : row->container;
}

std::string path_of(Resolver& resolver, const Entity& symbol) {
  std::string path = container_of(resolver, symbol);
  if (!path.empty()) path += '.';
  return path + symbol_of(symbol).name;
}

bool is_seen_from(Resolver& resolver, const FileModel& file, const SymbolRow& row) {
  return files_seen(resolver, file.id)->contains(store::file_of(row.id));
}

bool is_macro(Resolver& resolver, const Entity& entity) {
  if (entity.kind != EntityKind::kSymbol || entity.file->is_library) return false;
  const SymbolRow* row = row_of(resolver, entity);
  return row != nullptr && is_macro(*row);
}

std::vector<std::string> namespaces_of(Resolver& resolver, const Entity& entity) {
  if (entity.kind != EntityKind::kSymbol || symbol_of(entity).type != SymbolType::kType) return {};
  if (entity.file->is_library) {
    if (symbol_of(entity).kind == "namespace") return {path_of(resolver, entity)};
    return {};
  }
  const SymbolRow* row = row_of(resolver, entity);
  if (row == nullptr) return {};
  if (row->kind == "namespace") return {path_of(resolver, entity)};
  const parse::TermId term = symbol_of(entity).term;
  if (row->kind != "alias" || term == kNoIndex) return {};
  const parse::Term& named = entity.file->facts.terms[term];
  std::vector<std::string> paths;
  const Resolver::RecursionGuard guard(resolver);
  if (named.kind != parse::TermKind::kType || guard.over_limit()) return {};
  for (const Entity& meant : Entities(resolver.resolve(*entity.file, named.at))) {
    for (std::string& path : namespaces_of(resolver, meant)) paths.push_back(std::move(path));
  }
  return paths;
}

namespace {

bool is_namespace_path(Resolver& resolver, std::string_view path) {
  if (path.empty()) return true;
  auto& known = resolver.memory<CppMemory>().is_namespace;
  const auto [at, is_new] = known.try_emplace(std::string(path), false);
  if (!is_new) return at->second;
  const Path of = split_path(path);
  return at->second = std::ranges::any_of(cpp_rows(resolver, of.name), [&](const SymbolRow* row) {
           return row->kind == "namespace" && row->container == of.container;
         });
}

}  // namespace

Entities types_at(Resolver& resolver, const FileModel& file, std::string_view path) {
  const Path of = split_path(path);
  if (file.is_library) {
    Entities found = in_library(resolver, of.container, of.name);
    std::erase_if(found, [&](const Entity& entity) {
      return !is_type_like(symbol_of(entity)) || !namespaces_of(resolver, entity).empty();
    });
    return found;
  }
  const auto [known, is_new] =
      resolver.memory<CppMemory>().types.try_emplace({&file, std::string(path)});
  if (!is_new) return known->second;
  const auto matches = [&](const SymbolRow& row) {
    return is_type_row(row) && row.container == of.container;
  };
  Entities found = find_rows(resolver, of.name, [&](const SymbolRow& row) {
    return matches(row) && is_seen_from(resolver, file, row);
  });
  // A class of another program is not this namespace.
  if (found.empty() && !is_namespace_path(resolver, path)) {
    found = find_rows(resolver, of.name, matches);
  }
  return known->second = std::move(found);
}

Entities in_namespace(Resolver& resolver, const FileModel& file, std::string_view path,
                      std::string_view name) {
  if (file.is_library) return in_library(resolver, path, name);
  std::string key = std::string(path) + '\n' + std::string(name);
  const auto [known, is_new] =
      resolver.memory<CppMemory>().declared.try_emplace({&file, std::move(key)});
  if (!is_new) return known->second;
  Entities found = find_rows(resolver, name, [&](const SymbolRow& row) {
    return is_in(resolver, row, path) && is_seen_from(resolver, file, row);
  });
  const bool may_be_library =
      path.empty() ? name == kLibraryUnit : path == kLibraryUnit || path.starts_with("std.");
  if (found.empty() && may_be_library) found = in_library(resolver, path, name);
  return known->second = std::move(found);
}

Entities types_of_includers(Resolver& resolver, const FileModel& file, std::string_view path,
                            std::string_view name) {
  if (file.is_library) return {};
  return find_rows(resolver, name, [&](const SymbolRow& row) {
    return is_type_row(row) && row.container == path &&
           files_around(resolver, file.id)->contains(store::file_of(row.id));
  });
}

Entities in_any_namespace(Resolver& resolver, const FileModel& file, std::string_view name,
                          bool is_unseen) {
  if (file.is_library) return {};
  return find_rows(resolver, name, [&](const SymbolRow& row) {
    if (is_member_row(row) || is_enumerator(row)) return false;
    if (!is_macro(row) && !is_namespace_path(resolver, row.container)) return false;
    if (is_seen_from(resolver, file, row) == is_unseen) return false;
    if (!is_unseen) return true;
    // A test's own definitions are not called by the program.
    const store::FileRow* declarer = resolver.files().find(store::file_of(row.id));
    const bool is_for_tests = declarer != nullptr && is_test_path(declarer->path);
    return (row.exported || is_macro(row)) && (!is_for_tests || is_test_path(file.path));
  });
}

const std::vector<UsedName>& used_names(Resolver& resolver, const FileModel& file) {
  const auto [at, is_new] = resolver.memory<CppMemory>().used_names.try_emplace(&file);
  if (!is_new) return at->second;
  const auto& occurrences = file.facts.occurrences;
  for (std::uint32_t i = 0; i < occurrences.size(); ++i) {
    if (occurrences[i].role != parse::Role::kImport) continue;
    const parse::Scope& scope = file.facts.scopes[file.scope_at(occurrences[i].offset)];
    const bool is_local = scope.kind == ScopeKind::kFunction || scope.kind == ScopeKind::kBlock;
    at->second.push_back({i,
                          {is_local ? occurrences[i].offset : 0,
                           is_local ? scope.range.end : file.facts.scopes[0].range.end}});
  }
  return at->second;
}

Entities unscoped_enumerators(Resolver& resolver, const Entity& owner, std::string_view name) {
  const FileModel& file = *owner.file;
  auto& memory = resolver.memory<CppMemory>();
  const auto [at, is_new] = memory.enums.try_emplace({&file, owner.index});
  if (is_new) {
    for (const std::uint32_t member : file.all_members(owner.index)) {
      const SymbolType type = file.facts.symbols[member].type;
      // An enum without a name: the types and variables declared with it.
      if (type != SymbolType::kType && type != SymbolType::kProperty) continue;
      const Entity entity{EntityKind::kSymbol, &file, member};
      const SymbolRow* row = file.is_library ? nullptr : row_of(resolver, entity);
      if (row == nullptr || !is_scoped_enum(*row)) at->second.push_back(member);
    }
  }
  Entities found;
  const auto id = file.find_name(name);
  if (!id) return found;
  for (const std::uint32_t type : at->second) {
    for (const std::uint32_t inner : file.members_of(type, *id)) {
      const Entity entity{EntityKind::kSymbol, &file, inner};
      const SymbolRow* row = file.is_library ? nullptr : row_of(resolver, entity);
      if (row == nullptr || is_enumerator(*row)) add(found, entity);
    }
  }
  return found;
}

std::string_view text_before(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  if (file.is_library) return {};
  auto& texts = resolver.memory<CppMemory>().texts;
  const auto [at, is_new] = texts.try_emplace(&file);
  if (is_new) at->second = resolver.text_of(file.id).value_or(std::string());
  return std::string_view(at->second).substr(0, std::min<std::size_t>(offset, at->second.size()));
}

Entities class_members(Resolver& resolver, const Entities& receivers, std::string_view name) {
  Entities found = resolver.members(receivers, name);
  std::erase_if(found, [](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && is_constructor(*entity.file, entity.index);
  });
  return found;
}

}  // namespace codexmem::graph
