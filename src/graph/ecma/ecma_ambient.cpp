// Ambient declarations of TypeScript: globals, modules declared by name, and declarations that
// merge with another file's (`declare module "./x" { interface A { ... } }`).
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "graph/core/project_tree.h"
#include "base/path.h"
#include "graph/core/resolver_step.h"
#include "graph/ecma/ecma_semantics.h"
#include "graph/ecma/ecmascript_resolver.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// Cached lookups.
struct AmbientMemory final : Resolver::Memory {
  std::unordered_map<std::string, Entities> symbols_named;
  std::unordered_map<std::string, Entities> globals;
  std::map<std::pair<const FileModel*, std::uint32_t>, Entities> augmentations;
};

AmbientMemory& ambient_memory(Resolver& resolver) { return resolver.memory<AmbientMemory>(); }

// Symbols called `name` of files of this family, each with its file.
const Entities& symbols_named(Resolver& resolver, std::string_view name) {
  const auto [known, is_new] =
      ambient_memory(resolver).symbols_named.try_emplace(std::string(name));
  Entities& found = known->second;
  if (is_new) found = resolver.list_symbols(Family::kEcmaScript, name);
  return found;
}

// True for `declare module "x"`: its name is no identifier.
bool is_module_declaration(const Entity& entity) {
  const parse::Symbol& symbol = symbol_of(entity);
  return symbol.type == SymbolType::kType && !symbol.name_range.empty() &&
         entity.file->occurrence_at(symbol.name_range.begin) == kNoIndex;
}

// The file that `module`, a declaration of a module by name, merges with.
const FileModel* augmented_file(Resolver& resolver, const Entity& module) {
  const FileModel& file = *module.file;
  const std::string& path = symbol_of(module).name;
  for (const store::DependencyRow& row : resolver.dependencies(file.id)) {
    const bool is_same = row.import_index < file.facts.imports.size() &&
                         file.facts.imports[row.import_index].path == path;
    if (is_same && row.target) return resolver.model(*row.target);
  }
  return nullptr;
}

// True for declarations that merge with others: in a declared module, or for all files.
bool may_merge(const Entity& entity) {
  const FileModel& file = *entity.file;
  const std::uint32_t owner = file.owner_of(entity.index);
  if (owner != kNoIndex) return is_module_declaration({EntityKind::kSymbol, &file, owner});
  if (file.is_script()) return true;
  const std::uint32_t binding = file.binding_at(symbol_of(entity).name_range.begin);
  return binding != kNoIndex &&
         file.facts.scopes[file.facts.bindings[binding].scope].kind == parse::ScopeKind::kGlobal;
}

bool is_class_or_interface(const parse::Symbol& symbol) {
  return symbol.type == SymbolType::kInterface || symbol.type == SymbolType::kClass;
}

// class A {}, interface A { ... }: one type.
Entities merged_in_file(const Entity& type) {
  const FileModel& file = *type.file;
  Entities found;
  const auto name = file.find_name(symbol_of(type).name);
  if (!name) return found;
  for (const std::uint32_t other : file.members_of(file.owner_of(type.index), *name)) {
    if (other != type.index && is_class_or_interface(file.facts.symbols[other])) {
      add(found, {EntityKind::kSymbol, &file, other});
    }
  }
  return found;
}

// The declarations in other files that merge with a class or interface.
const Entities& augmentations(Resolver& resolver, const Entity& type) {
  const auto [known, is_new] =
      ambient_memory(resolver).augmentations.try_emplace({type.file, type.index});
  if (!is_new) return known->second;
  Entities found;
  const Entity self{EntityKind::kSymbol, type.file, type.index};
  const std::string& name = symbol_of(type).name;
  for (const Entity& entity : symbols_named(resolver, name)) {
    if (entity == self || !is_type_like(symbol_of(entity)) || !may_merge(entity)) continue;
    const Entities merged = resolver.merged_with(*entity.file, entity.index);
    if (std::find(merged.begin(), merged.end(), self) != merged.end()) add(found, entity);
  }
  return ambient_memory(resolver).augmentations[{type.file, type.index}] = std::move(found);
}

}  // namespace

// The meaning of a name that no scope of a module binds: a global declaration.
Entities global_name(Resolver& resolver, std::string_view name) {
  const auto [known, is_new] = ambient_memory(resolver).globals.try_emplace(std::string(name));
  if (!is_new) return known->second;
  Entities found;
  for (const Entity& entity : symbols_named(resolver, name)) {
    const FileModel& file = *entity.file;
    const std::uint32_t binding = file.binding_at(symbol_of(entity).name_range.begin);
    if (binding == kNoIndex) continue;
    const std::uint32_t scope = file.facts.bindings[binding].scope;
    const bool is_global = file.facts.scopes[scope].kind == parse::ScopeKind::kGlobal;
    const bool is_ambient = scope == 0 && file.is_script() && is_declaration_file(file.path);
    if (is_global || is_ambient) add(found, entity);
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return ambient_memory(resolver).globals[std::string(name)] = found;
}

Entities members_of_interfaces(Resolver& resolver, std::string_view type, std::string_view name) {
  Entities found;
  for (const Entity& entity : symbols_named(resolver, type)) {
    if (symbol_of(entity).type != SymbolType::kInterface) continue;
    const auto id = entity.file->find_name(name);
    if (!id) continue;
    for (const std::uint32_t member : entity.file->members_of(entity.index, *id)) {
      add(found, {EntityKind::kSymbol, entity.file, member});
    }
  }
  return found;
}

// The entities that other files get when they import `name` from a module declared by name; empty
// without such a declaration.
Entities ambient_import(Resolver& resolver, std::string_view path, std::string_view name) {
  Entities modules;
  const bool is_platform = is_platform_module(path);
  if (path.starts_with("node:")) path.remove_prefix(5);
  Entities additions;  // to a package that is not seen, which has the say what its names are
  for (const Entity& entity : symbols_named(resolver, path)) {
    if (!is_module_declaration(entity)) continue;
    // (The platform's names are there for certain.)
    const bool is_whole = is_platform || entity.file->is_script();
    (is_whole ? modules : additions).push_back(entity);
  }
  const std::size_t dot = path.rfind('.');
  if (modules.empty() && dot != std::string_view::npos) {
    // declare module "*.md"
    for (const Entity& entity : symbols_named(resolver, "*" + std::string(path.substr(dot)))) {
      if (is_module_declaration(entity)) modules.push_back(entity);
    }
  }
  const auto whole = [&] {
    if (!modules.empty() || additions.empty()) return modules;
    add(additions, kExternalEntity);
    return additions;
  };
  if (name == "*") return whole();
  Entities found;
  for (const Entity& module : modules.empty() ? additions : modules) {
    const FileModel& file = *module.file;
    const auto id = file.find_name(name);
    if (!id) continue;
    for (const std::uint32_t index : file.exports_named(*id)) {
      const parse::Export& entry = file.facts.exports[index];
      if (!symbol_of(module).range.contains(entry.offset)) continue;
      if (entry.symbol != kNoIndex) {
        add(found, {EntityKind::kSymbol, &file, entry.symbol});
      } else if (entry.local != kNoIndex) {
        add_all(found, resolver.lookup(file, file.scope_at(entry.offset), entry.local));
      }
    }
    for (const std::uint32_t member : file.members_of(module.index, *id)) {
      add(found, {EntityKind::kSymbol, &file, member});
    }
  }
  if (modules.empty() && !found.empty()) add(found, kExternalEntity);
  // import http from "http", of a module that the declaration only adds to.
  return found.empty() && name == "default" ? whole() : found;
}

Entities EcmaSemantics::merged_with(Resolver& resolver, const FileModel& file,
                                    std::uint32_t symbol) const {
  Entities found;
  const std::uint32_t owner = file.owner_of(symbol);
  const std::string& name = file.facts.symbols[symbol].name;
  if (owner != kNoIndex && is_module_declaration({EntityKind::kSymbol, &file, owner})) {
    if (const FileModel* target = augmented_file(resolver, {EntityKind::kSymbol, &file, owner})) {
      for (const Entity& entity : resolver.exported(*target, name)) {
        if (entity.kind == EntityKind::kSymbol) add(found, entity);
      }
    }
    return found;
  }
  // A member of a declaration that is merged is a member of the other one.
  if (owner != kNoIndex) return found;
  const Entities globals = global_name(resolver, name);
  const Entity self{EntityKind::kSymbol, &file, symbol};
  if (std::find(globals.begin(), globals.end(), self) == globals.end()) return found;
  for (const Entity& entity : globals) {
    if (entity != self) add(found, entity);
  }
  return found;
}

// A declaration for a type of the platform or of a package adds members to its values, and their
// types are unknown here.
std::string EcmaSemantics::tied_outside(Resolver& resolver, const FileModel& file,
                                        std::uint32_t symbol) const {
  const std::uint32_t type = file.owner_of(symbol);
  if (type == kNoIndex || !is_type_like(file.facts.symbols[type])) return {};
  const Entity owner{EntityKind::kSymbol, &file, type};
  if (!may_merge(owner)) return {};
  const std::uint32_t module = file.owner_of(type);
  const std::string& name = symbol_of(owner).name;
  bool is_added = false;
  if (module != kNoIndex && is_module_declaration({EntityKind::kSymbol, &file, module})) {
    is_added = !file.is_script() &&
               augmented_file(resolver, {EntityKind::kSymbol, &file, module}) == nullptr;
  } else {
    is_added = resolver.library(*this, "global/" + name) != nullptr || library().find_type(name) ||
               library().has("globals", name);
  }
  return is_added ? "it is added to " + name + ", which is declared outside of the repository" : "";
}

Entities EcmaSemantics::merged_members(Resolver& resolver, const Entity& owner,
                                       std::string_view name, const Entity& receiver) const {
  const FileModel& file = *owner.file;
  if (!is_class_or_interface(symbol_of(owner))) return {};
  Entities found = exported_by_component(resolver, owner, name);
  if (!found.empty()) return found;
  if (const auto wanted = file.find_name(name)) {
    for (const Entity& other : merged_in_file(owner)) {
      for (const std::uint32_t member : file.members_of(other.index, *wanted)) {
        add(found,
            {EntityKind::kSymbol, &file, member, resolver.member_environment(owner, receiver)});
      }
    }
    if (!found.empty()) return found;
  }
  for (const Entity& other : augmentations(resolver, owner)) {
    const auto name_there = other.file->find_name(name);
    if (!name_there) continue;
    for (const std::uint32_t member : other.file->members_of(other.index, *name_there)) {
      add(found, {EntityKind::kSymbol, other.file, member});
    }
  }
  return found;
}

Entities EcmaSemantics::merged_types(Resolver& resolver, const Entity& owner) const {
  if (!is_class_or_interface(symbol_of(owner))) return {};
  Entities found = merged_in_file(owner);
  add_all(found, augmentations(resolver, owner));
  return found;
}

}  // namespace codexmem::graph
