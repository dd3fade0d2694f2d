// Ambient declarations of TypeScript: globals, modules declared by name, and declarations that
// merge with those of another file (`declare module "./x" { interface A { ... } }`).
#include <algorithm>

#include "graph/ecma/ecmascript_resolver.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

}  // namespace

// Symbols called `name` of ECMAScript files, each with its file.
const Entities& Resolver::symbols_named(std::string_view name) {
  const auto [known, is_new] = symbols_named_.try_emplace(std::string(name));
  Entities& found = known->second;
  if (!is_new) return found;
  const auto rows = reader_.list_symbols_named(name);
  if (!rows.ok()) {
    if (status_.ok()) status_ = rows.error();
    return found;
  }
  for (const store::SymbolRow& row : *rows) {
    const store::FileRow* file_row = files_->find(store::file_of(row.id));
    if (file_row == nullptr || family_of(file_row->language) != Family::kEcmaScript) continue;
    const FileModel* file = model(file_row->id);
    const std::uint32_t symbol = store::ordinal_of(row.id);
    if (file == nullptr || symbol >= file->facts.symbols.size()) continue;
    found.push_back({EntityKind::kSymbol, file, symbol});
  }
  return found;
}

// What a name that no scope of a module binds means: a declaration for all files.
Entities Resolver::global_name(std::string_view name) {
  const auto [known, is_new] = globals_.try_emplace(std::string(name));
  if (!is_new) return known->second;
  Entities found;
  for (const Entity& entity : symbols_named(name)) {
    const FileModel& file = *entity.file;
    const std::uint32_t binding = file.binding_at(symbol_of(entity).name_range.begin);
    if (binding == kNoIndex) continue;
    const std::uint32_t scope = file.facts.bindings[binding].scope;
    const bool is_global = file.facts.scopes[scope].kind == parse::ScopeKind::kGlobal;
    const bool is_ambient = scope == 0 && file.is_script() && is_declaration_file(file.path);
    if (is_global || is_ambient) add(found, entity);
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return globals_[std::string(name)] = found;
}

// True for `declare module "x"`: its name is no identifier.
bool Resolver::is_module_declaration(const Entity& entity) const {
  const parse::Symbol& symbol = symbol_of(entity);
  return symbol.type == SymbolType::kType && !symbol.name_range.empty() &&
         entity.file->occurrence_at(symbol.name_range.begin) == kNoIndex;
}

// What other files get when they import `name` from a module that is declared by name; empty when
// there is no such declaration.
Entities Resolver::ambient_import(std::string_view path, std::string_view name) {
  Entities modules;
  const bool is_platform = is_platform_module(path);
  if (path.starts_with("node:")) path.remove_prefix(5);
  for (const Entity& entity : symbols_named(path)) {
    // In a module it adds to a package that is not seen, which has the say what its names are; the
    // platform's are there for certain.
    if (is_module_declaration(entity) && (is_platform || entity.file->is_script())) {
      modules.push_back(entity);
    }
  }
  const std::size_t dot = path.rfind('.');
  if (modules.empty() && dot != std::string_view::npos) {
    // declare module "*.md"
    for (const Entity& entity : symbols_named("*" + std::string(path.substr(dot)))) {
      if (is_module_declaration(entity)) modules.push_back(entity);
    }
  }
  if (name == "*") return modules;
  Entities found;
  for (const Entity& module : modules) {
    const FileModel& file = *module.file;
    const auto id = file.find_name(name);
    if (!id) continue;
    for (const std::uint32_t index : file.exports_named(*id)) {
      const parse::Export& entry = file.facts.exports[index];
      if (!symbol_of(module).range.contains(entry.offset)) continue;
      if (entry.symbol != kNoIndex) {
        add(found, {EntityKind::kSymbol, &file, entry.symbol});
      } else if (entry.local != kNoIndex) {
        add_all(found, lookup(file, file.scope_at(entry.offset), entry.local));
      }
    }
    for (const std::uint32_t member : file.members_of(module.index, *id)) {
      add(found, {EntityKind::kSymbol, &file, member});
    }
  }
  // import http from "http", of a module that the declaration only adds to.
  return found.empty() && name == "default" ? modules : found;
}

// The file whose declarations those in `module`, a declaration of a module by name, merge with.
const FileModel* Resolver::augmented_file(const Entity& module) {
  const FileModel& file = *module.file;
  const std::string& path = symbol_of(module).name;
  for (const store::DependencyRow& row : dependencies(file.id)) {
    const bool is_same = row.import_index < file.facts.imports.size() &&
                         file.facts.imports[row.import_index].path == path;
    if (is_same && row.target) return model(*row.target);
  }
  if (!path.starts_with('.')) return nullptr;
  const auto joined = join_path(folder_of(file.path), path);
  if (!joined || joined->empty()) return nullptr;
  std::string base = *joined;
  if (base.ends_with(".js")) base.resize(base.size() - 3);
  for (const char* ending :
       {"", ".ts", ".tsx", ".d.ts", ".mts", ".cts", "/index.ts", "/index.tsx", "/index.d.ts"}) {
    if (const store::FileRow* row = files_->find(base + ending)) return model(row->id);
  }
  return nullptr;
}

Entities Resolver::merged_with(const FileModel& file, std::uint32_t symbol) {
  Entities found;
  if (file.family != Family::kEcmaScript) return found;
  const std::uint32_t owner = file.owner_of(symbol);
  const std::string& name = file.facts.symbols[symbol].name;
  if (owner != kNoIndex && is_module_declaration({EntityKind::kSymbol, &file, owner})) {
    if (const FileModel* target = augmented_file({EntityKind::kSymbol, &file, owner})) {
      for (const Entity& entity : exported(*target, name)) {
        if (entity.kind == EntityKind::kSymbol) add(found, entity);
      }
    }
    return found;
  }
  // A member of a declaration that is merged is a member of the other one.
  if (owner != kNoIndex) return found;
  const Entities globals = global_name(name);
  const Entity self{EntityKind::kSymbol, &file, symbol};
  if (std::find(globals.begin(), globals.end(), self) == globals.end()) return found;
  for (const Entity& entity : globals) {
    if (entity != self) add(found, entity);
  }
  return found;
}

// True for declarations that merge with others: in a declared module, or for all files.
bool Resolver::may_merge(const Entity& entity) const {
  const FileModel& file = *entity.file;
  const std::uint32_t owner = file.owner_of(entity.index);
  if (owner != kNoIndex) return is_module_declaration({EntityKind::kSymbol, &file, owner});
  if (file.is_script()) return true;
  const std::uint32_t binding = file.binding_at(symbol_of(entity).name_range.begin);
  return binding != kNoIndex &&
         file.facts.scopes[file.facts.bindings[binding].scope].kind == parse::ScopeKind::kGlobal;
}

// The declarations in other files that merge with a class or interface.
const Entities& Resolver::augmentations(const Entity& type) {
  const auto [known, is_new] = augmentations_.try_emplace({type.file, type.index});
  if (!is_new) return known->second;
  Entities found;
  const Entity self{EntityKind::kSymbol, type.file, type.index};
  const std::string& name = symbol_of(type).name;
  for (const Entity& entity : symbols_named(name)) {
    if (entity == self || !is_type_like(symbol_of(entity)) || !may_merge(entity)) continue;
    const Entities merged = merged_with(*entity.file, entity.index);
    if (std::find(merged.begin(), merged.end(), self) != merged.end()) add(found, entity);
  }
  return augmentations_[{type.file, type.index}] = std::move(found);
}

}  // namespace codexmem::graph
