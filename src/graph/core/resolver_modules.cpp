// Imports, exports and packages: what a name of another file means.
#include <algorithm>

#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

std::string join_module(std::string_view path, std::string_view name) {
  std::string joined(path);
  if (!joined.ends_with(".")) joined += '.';
  joined += name;
  return joined;
}

}  // namespace

// A name that no scope of a Python file binds: one of a star import's, or a built-in.
Entities Resolver::module_name(const FileModel& file, std::string_view name) {
  Entities found;
  for (const std::uint32_t import : file.star_imports())
    add_all(found, star_import(file, import, name));
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

Entities Resolver::star_import(const FileModel& file, std::uint32_t import, std::string_view name) {
  for (const store::DependencyRow& row : dependencies(file.id)) {
    if (row.import_index != import) continue;
    const FileModel* target = row.target ? model(*row.target) : nullptr;
    if (target == nullptr || target == &file) return {};
    if (target->facts.has_all) {
      const auto id = target->find_name(name);
      if (!id || target->exports_named(*id).empty()) return {};
    } else if (name.starts_with("_")) {
      return {};
    }
    const Step step(*this);
    if (step.is_too_far()) return {};
    Entities entities = exported(*target, name);
    entities.erase(std::remove(entities.begin(), entities.end(), kUnknownEntity), entities.end());
    return entities;
  }
  return {};
}

Entities Resolver::resolve_import(const FileModel& file, std::uint32_t import,
                                  std::uint32_t name_index) {
  const Step step(*this);
  if (step.is_too_far() || import >= file.facts.imports.size()) return {kUnknownEntity};
  const parse::Import& statement = file.facts.imports[import];
  const bool has_name = name_index < statement.names.size();
  const std::string_view name =
      has_name ? std::string_view(file.name(statement.names[name_index].imported)) : "*";

  const store::DependencyRow* base = nullptr;
  const store::DependencyRow* submodule = nullptr;
  for (const store::DependencyRow& row : dependencies(file.id)) {
    if (row.import_index != import) continue;
    if (row.is_external) {
      Entities declared;
      if (file.family == Family::kEcmaScript) declared = ambient_import(statement.path, name);
      return declared.empty() ? Entities{kExternalEntity} : declared;
    }
    if (!row.target) continue;
    if (file.family == Family::kPython && statement.from_import && row.package != statement.path) {
      if (row.package == join_module(statement.path, name)) submodule = &row;
    } else if (base == nullptr) {
      base = &row;
    }
  }
  if (file.family == Family::kPython) {
    if (statement.from_import && name != "*") {
      const FileModel* package = base == nullptr ? nullptr : model(*base->target);
      if (package != nullptr && package != &file) {
        Entities entities = exported(*package, name);
        if (!has_kind(entities, EntityKind::kUnknown) && !entities.empty()) return entities;
      }
      const FileModel* module = submodule == nullptr ? nullptr : model(*submodule->target);
      if (module != nullptr) return {{EntityKind::kModule, module, 0}};
      return {kUnknownEntity};
    }
    if (base == nullptr) return {kUnknownEntity};
    if (statement.binds_top_package) return top_package(statement, *base);
    const FileModel* module = model(*base->target);
    if (module == nullptr) return {kUnknownEntity};
    return {{EntityKind::kModule, module, 0}};
  }

  const FileModel* target = base == nullptr ? nullptr : model(*base->target);
  if (target == nullptr) {
    Entities declared = ambient_import(statement.path, name);
    if (!declared.empty()) return declared;
    // Data or a stylesheet: whatever it gives, it is no symbol of ours.
    return {base != nullptr ? kExternalEntity : kUnknownEntity};
  }
  if (name == "*") return commonjs_module(*target);
  Entities entities = exported(*target, name);
  if (name == "default" && entities.empty()) return commonjs_module(*target);
  // const { a } = require(...) of a module whose exports are an object: a member of that object.
  if (entities.empty()) entities = members(commonjs_module(*target), name);
  if (entities.empty()) entities.push_back(kUnknownEntity);
  return entities;
}

// What require() of a file gives: module.exports where it is assigned, and the module itself, whose
// named exports are members.
Entities Resolver::commonjs_module(const FileModel& file) {
  Entities entities;
  if (const auto name = file.find_name("default")) {
    for (const std::uint32_t index : file.exports_named(*name)) {
      if (file.facts.exports[index].commonjs) add_all(entities, resolve_export(file, index));
    }
  }
  add(entities, {EntityKind::kModule, &file, 0});
  return entities;
}

// `import a.b.c` binds a: the package that lies as many folders above c as there are dots.
Entities Resolver::top_package(const parse::Import& import, const store::DependencyRow& row) {
  const store::FileRow* target = files_->find(*row.target);
  if (target == nullptr) return {kUnknownEntity};
  std::string_view folder = target->path;
  const std::string_view base = base_name(folder);
  if (base == "__init__.py" || base == "__init__.pyi") folder = folder_of(folder);
  const auto dots = std::count(import.path.begin(), import.path.end(), '.');
  if (dots == 0) {
    const FileModel* module = model(target->id);
    if (module == nullptr) return {kUnknownEntity};
    return {{EntityKind::kModule, module, 0}};
  }
  for (std::ptrdiff_t i = 0; i < dots; ++i) folder = folder_of(folder);
  const std::string_view name = base_name(folder);
  return folder_member(folder_of(folder), name);
}

// Module or package `name` in a folder.
Entities Resolver::folder_member(std::string_view folder, std::string_view name) {
  std::string path =
      folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
  for (const char* ending : {"/__init__.py", "/__init__.pyi", ".py", ".pyi"}) {
    const store::FileRow* row = files_->find(path + ending);
    if (row == nullptr) continue;
    if (const FileModel* module = model(row->id)) return {{EntityKind::kModule, module, 0}};
  }
  if (files_->has_folder(path)) return {{EntityKind::kFolder, nullptr, intern_folder(path)}};
  return {};
}

Entities Resolver::resolve_export(const FileModel& file, std::uint32_t index) {
  const Step step(*this);
  if (step.is_too_far()) return {kUnknownEntity};
  const parse::Export& entry = file.facts.exports[index];
  if (entry.import != kNoIndex && entry.import < file.facts.imports.size()) {
    const parse::Import& import = file.facts.imports[entry.import];
    for (std::uint32_t i = 0; i < import.names.size(); ++i) {
      if (import.names[i].imported == entry.local) return resolve_import(file, entry.import, i);
    }
    return resolve_import(file, entry.import, kNoIndex);  // export * as ns from
  }
  if (entry.symbol != kNoIndex) {
    Entities entities = {{EntityKind::kSymbol, &file, entry.symbol}};
    // Overloads and merged declarations share the name.
    if (file.owner_of(entry.symbol) == kNoIndex && entry.local != kNoIndex) {
      for (const std::uint32_t other : file.members_of(kNoIndex, entry.local)) {
        add(entities, {EntityKind::kSymbol, &file, other});
      }
    }
    return entities;
  }
  if (entry.local != kNoIndex) {
    Entities entities = bindings_of(file, 0, entry.local);
    if (entities.empty()) entities.push_back(kUnknownEntity);
    return entities;
  }
  // var app = module.exports = {...}: what the variable holds, with the members that it is given.
  // The name of the module elsewhere is not the variable's.
  const std::uint32_t around = entry.commonjs ? file.symbol_at(entry.offset) : kNoIndex;
  if (around != kNoIndex && file.facts.symbols[around].type == SymbolType::kVariable &&
      file.owner_of(around) == kNoIndex) {
    return {{EntityKind::kInstance, &file, around}};
  }
  return {kUnknownEntity};
}

// (A module that is being looked at gives nothing: modules may re-export each other.)
const Entities& Resolver::exported(const FileModel& file, std::string_view name) {
  static const Entities kNone;
  return memoised(&FileMemo::by_export, file, std::string(name), kNone,
                  [&] { return exported_uncached(file, name); });
}

Entities Resolver::exported_uncached(const FileModel& file, std::string_view name) {
  const Step step(*this);
  if (step.is_too_far()) return {kUnknownEntity};
  Entities entities;
  const auto id = file.find_name(name);
  if (file.family == Family::kPython) {
    if (id) entities = bindings_of(file, 0, *id);
    if (entities.empty()) {
      for (const std::uint32_t import : file.star_imports()) {
        add_all(entities, star_import(file, import, name));
      }
    }
    const std::string_view base = base_name(file.path);
    if (entities.empty() && (base == "__init__.py" || base == "__init__.pyi")) {
      entities = folder_member(folder_of(file.path), name);
    }
    return entities;
  }
  if (id) {
    bool has_siblings = false;
    for (const std::uint32_t index : file.exports_named(*id)) {
      // Overloads share the name: the first gives them all.
      const parse::Export& entry = file.facts.exports[index];
      const bool is_sibling = entry.symbol != kNoIndex && entry.local == *id &&
                              entry.import == kNoIndex && file.owner_of(entry.symbol) == kNoIndex;
      if (is_sibling && has_siblings) continue;
      has_siblings = has_siblings || is_sibling;
      add_all(entities, resolve_export(file, index));
    }
  }
  if (!entities.empty() || name == "default") return entities;
  if (id && is_declaration_file(file.path)) {
    // Declarations of a module are exported without saying so.
    for (const std::uint32_t symbol : file.members_of(kNoIndex, *id)) {
      add(entities, {EntityKind::kSymbol, &file, symbol});
    }
    if (!entities.empty()) return entities;
  }
  bool incomplete = false;
  for (const std::uint32_t star : file.star_exports()) {
    const std::uint32_t import = file.facts.exports[star].import;
    for (const store::DependencyRow& row : dependencies(file.id)) {
      if (row.import_index != import) continue;
      const FileModel* target = row.target ? model(*row.target) : nullptr;
      if (target == nullptr) {
        incomplete = true;  // the name may come from what is not seen
        continue;
      }
      if (target != &file) add_all(entities, exported(*target, name));
    }
  }
  if (entities.empty() && incomplete) entities.push_back(kUnknownEntity);
  return entities;
}

Entities Resolver::module_members(const FileModel& file, std::string_view name) {
  Entities found = exported(file, name);
  // A file that exports nothing by syntax may still do so in ways that are not seen.
  if (found.empty() && file.family == Family::kEcmaScript &&
      std::ranges::all_of(file.facts.exports, &parse::Export::type_only)) {
    return {kUnknownEntity};
  }
  return found;
}

std::uint32_t Resolver::intern_folder(std::string_view folder) {
  const auto found = std::find(folders_.begin(), folders_.end(), folder);
  if (found != folders_.end()) return static_cast<std::uint32_t>(found - folders_.begin());
  folders_.emplace_back(folder);
  return static_cast<std::uint32_t>(folders_.size() - 1);
}

}  // namespace codexmem::graph
