// Paths of Rust: modules and their names, crates, the meaning of `use`. Nothing is linked: modules
// are followed through the rows that `mod` made.
//
// Tested by graph/rust_test.cpp.
#include "graph/rust/rust_paths.h"

#include <algorithm>
#include <string>

#include "graph/core/resolver_step.h"
#include "graph/rust/rust_modules.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;

constexpr std::string_view kLibraryCrates[] = {"std", "core", "alloc"};

bool is_module(const Entity& entity) {
  return entity.kind == EntityKind::kSymbol && rust_is_module(*entity.file, entity.index);
}

// True for what may stand before `::`.
bool leads_on(const Entity& entity) {
  return rust_module_of(entity) ||
         (entity.kind == EntityKind::kSymbol && is_type_like(symbol_of(entity)));
}

}  // namespace

// The module of an entity; nothing when it is not a module.
std::optional<RustModule> rust_module_of(const Entity& entity) {
  if (entity.kind == EntityKind::kModule) return RustModule{entity.file, 0};
  if (!is_module(entity)) return std::nullopt;
  return RustModule{entity.file, rust_own_scope(*entity.file, entity.index)};
}

// The target of `mod` import `import`, or of the file that the row of another one names.
const FileModel* rust_target_of(Resolver& resolver, const FileModel& file, std::uint32_t import) {
  for (const store::DependencyRow& row : resolver.dependencies(file.id)) {
    if (row.import_index == import && row.target) return resolver.model(*row.target);
  }
  return nullptr;
}

Entities rust_names_of(Resolver& resolver, const RustModule& module, std::string_view name) {
  return resolver.exported(*module.file, std::to_string(module.scope) + ":" + std::string(name));
}

// The same as seen from another file, `from`: of several, without private imports of the module; of
// another crate, never private imports.
Entities rust_names_seen(Resolver& resolver, const FileModel& from, const RustModule& module,
                         std::string_view name, bool is_crate) {
  Entities found = rust_names_of(resolver, module, name);
  if (module.file == &from || found.size() < (is_crate ? 1U : 2U)) return found;
  Entities open =
      resolver.exported(*module.file, std::to_string(module.scope) + "!" + std::string(name));
  return open.empty() && !is_crate ? found : open;
}

// What macros that declare modules add to `module`: such a module, else names of all of them, as if
// `pub use` followed. (Of a macro that does not say so, no code names them without the module.)
Entities macro_module_names(Resolver& resolver, const RustModule& module, std::string_view name) {
  const FileModel& file = *module.file;
  std::vector<const FileModel*> targets;
  for (std::uint32_t i = 0; i < file.facts.imports.size(); ++i) {
    const parse::Import& import = file.facts.imports[i];
    if (import.scope != module.scope) continue;
    const auto named = rust_module_name(import.path);
    if (!named || !named->is_guess) continue;
    const FileModel* const target = rust_target_of(resolver, file, i);
    if (target == nullptr || target == &file) continue;
    if (named->name == name) return {{EntityKind::kModule, target, 0}};
    targets.push_back(target);
  }
  Entities found;
  for (const FileModel* const target : targets) {
    for (const Entity& entity : rust_names_of(resolver, {target, 0}, name)) {
      if (entity.kind == EntityKind::kSymbol || entity.kind == EntityKind::kModule) {
        add(found, entity);
      }
    }
  }
  return found;
}

// What leads on in a path: modules and types that `module` itself declares, else all it has.
Entities rust_heads_of(Resolver& resolver, const FileModel& from, const RustModule& module,
                       std::string_view name) {
  const FileModel& file = *module.file;
  Entities found;
  if (const auto id = file.find_name(name)) {
    for (const std::uint32_t binding : file.bindings_in(module.scope, *id)) {
      const parse::Binding& bound = file.facts.bindings[binding];
      const bool is_declared =
          bound.kind == BindingKind::kImport
              ? rust_module_name(file.facts.imports[bound.target].path).has_value()
              : bound.kind == BindingKind::kSymbol &&
                    is_type_like(file.facts.symbols[bound.target]);
      if (is_declared) add_all(found, resolver.resolve_binding(file, binding));
    }
  }
  return found.empty() ? rust_names_seen(resolver, from, module, name) : found;
}

// The module around `module`; nothing for a crate, or where nobody says `mod`.
std::optional<RustModule> rust_parent_of(Resolver& resolver, const RustModule& module) {
  if (module.scope != 0) {
    return rust_module_around(*module.file, module.file->facts.scopes[module.scope].parent);
  }
  for (const store::DependencyRow& row : resolver.dependents(module.file->id)) {
    if (!rust_module_name(row.import_path)) continue;
    const FileModel* file = resolver.model(row.source);
    if (file == nullptr || file == module.file || row.import_index >= file->facts.imports.size()) {
      continue;
    }
    return rust_module_around(*file, file->facts.imports[row.import_index].scope);
  }
  return std::nullopt;
}

RustModule rust_root_of(Resolver& resolver, RustModule module) {
  for (int steps = 0; steps < 64; ++steps) {
    const auto above = rust_parent_of(resolver, module);
    if (!above) break;
    module = *above;
  }
  return module;
}

bool rust_is_library_crate(std::string_view name) {
  return std::ranges::find(kLibraryCrates, name) != std::end(kLibraryCrates);
}

// The crate called `name`: of the repository, or of the library.
Entities rust_crate_entity(Resolver& resolver, const FileModel& file, std::string_view name) {
  if (rust_is_library_crate(name)) return {kExternalEntity};
  const FileModel* crate = rust_crate_named(resolver, file.family, name);
  if (crate != nullptr) return {{EntityKind::kModule, crate, 0}};
  return {};
}

Entity rust_entity_of(const RustModule& module) {
  if (module.scope == 0) return {EntityKind::kModule, module.file, 0};
  return {EntityKind::kSymbol, module.file, module.file->facts.scopes[module.scope].symbol};
}

// The meaning of path `parts` of a use in `module`; in all name spaces.
Entities rust_path_meaning(Resolver& resolver, const RustModule& module, std::uint32_t import,
                           const std::vector<std::string_view>& parts) {
  const std::uint32_t scope = module.file->facts.imports[import].scope;
  if (parts.empty()) return {kUnknownEntity};
  RustModule at = module;
  std::size_t next = 0;
  Entities here;
  const std::string_view first = parts.front();
  if (module.file->facts.imports[import].path.starts_with("::")) {
    here = rust_crate_entity(resolver, *module.file, first);
    if (here.empty() || rust_is_library_crate(first)) {
      Entities found;
      if (rust_is_library_crate(first)) {
        found = rust_library_name(resolver, module.file->semantics, parts.back());
      }
      return found.empty() ? Entities{kExternalEntity} : found;
    }
    next = 1;
  } else if (first == "crate" || first == "$crate") {
    here = {rust_entity_of(rust_root_of(resolver, module))};
    next = 1;
  } else if (first == "self" || first == "super") {
    for (; next < parts.size() && (parts[next] == "self" || parts[next] == "super"); ++next) {
      if (parts[next] == "self") continue;
      const auto above = rust_parent_of(resolver, at);
      if (!above) return {kUnknownEntity};
      at = *above;
    }
    here = {rust_entity_of(at)};
  } else {
    next = 1;
    // `use a::a` does not mean itself by its first part.
    const auto id = module.file->find_name(first);
    for (std::uint32_t around = scope; id && parts.size() > 1 && around != kNoIndex && here.empty();
         around = module.file->facts.scopes[around].parent) {
      for (const std::uint32_t binding : module.file->bindings_in(around, *id)) {
        const parse::Binding& bound = module.file->facts.bindings[binding];
        const bool is_own = bound.kind == BindingKind::kImport && bound.target == import;
        if (is_own || bound.kind == BindingKind::kLocal) continue;
        for (const Entity& entity : resolver.resolve_binding(*module.file, binding)) {
          if (leads_on(entity)) add(here, entity);
        }
      }
      if (around == module.scope) break;
    }
    if (here.empty()) {
      here = rust_bare_name(resolver, *module.file, scope, first, RustSpace::kAny, kNoIndex);
    }
    // A crate with the same name as the symbol imported from it.
    if (parts.size() > 1 && std::ranges::none_of(here, &leads_on)) {
      Entities crate = rust_crate_entity(resolver, *module.file, first);
      if (!crate.empty()) here = std::move(crate);
    }
    const bool is_library =
        rust_is_library_crate(first) && parts.size() > 1 && std::ranges::none_of(here, &is_known);
    if (is_library) {
      Entities found = rust_library_name(resolver, module.file->semantics, parts.back());
      return found.empty() ? Entities{kExternalEntity} : found;
    }
  }
  for (; next < parts.size(); ++next) {
    Entities found;
    for (const Entity& entity : here) {
      if (const auto inner = rust_module_of(entity)) {
        const bool is_last = next + 1 == parts.size();
        const bool is_crate = next == 1 && entity.kind == EntityKind::kModule &&
                              rust_crate_named(resolver, module.file->family, first) == entity.file;
        Entities named =
            is_last ? rust_names_seen(resolver, *module.file, *inner, parts[next], is_crate)
                    : rust_heads_of(resolver, *module.file, *inner, parts[next]);
        // Macros that are exported are in the crate's root.
        if (named.empty() && is_last && next == 1) {
          named = rust_macro_of(resolver, *inner->file, parts[next]);
        }
        add_all(found, named);
      } else if (entity.kind == EntityKind::kSymbol && is_type_like(symbol_of(entity))) {
        add_all(found, resolver.members({entity}, parts[next]));
      } else if (entity.kind == EntityKind::kExternal || entity.kind == EntityKind::kUnknown) {
        add(found, entity);
      }
    }
    if (found.size() > 1) {
      std::erase_if(found, [](const Entity& e) {
        return e.kind == EntityKind::kExternal || e.kind == EntityKind::kUnknown;
      });
    }
    here = std::move(found);
    if (here.empty()) return {};
  }
  return here;
}

// All that `name` means in a module, and what star imports give.
Entities rust_module_names(Resolver& resolver, const RustModule& module, std::string_view name,
                           bool is_open) {
  const FileModel& file = *module.file;
  Entities found;
  // Imports without `pub` are private to the module.
  const auto is_seen = [&](const parse::Import& import) {
    return !is_open || import.kind == parse::ImportKind::kReexport ||
           rust_module_name(import.path).has_value();
  };
  if (const auto id = file.find_name(name)) {
    for (const std::uint32_t binding : file.bindings_in(module.scope, *id)) {
      const parse::Binding& bound = file.facts.bindings[binding];
      if (bound.kind == BindingKind::kImport && !is_seen(file.facts.imports[bound.target]))
        continue;
      for (const Entity& entity : resolver.resolve_binding(file, binding)) {
        if (entity.kind != EntityKind::kUnknown) add(found, entity);
      }
    }
  }
  if (!found.empty()) return found;
  found = macro_module_names(resolver, module, name);
  if (!found.empty()) return found;
  for (const std::uint32_t import : file.star_imports()) {
    if (file.facts.imports[import].scope != module.scope) continue;
    if (!is_seen(file.facts.imports[import])) continue;
    for (const Entity& from : Entities(resolver.exported(file, "use " + std::to_string(import)))) {
      Entities given;
      if (const auto inner = rust_module_of(from)) {
        if (inner->file == &file && inner->scope == module.scope) continue;
        given = rust_names_of(resolver, *inner, name);
      } else if (from.kind == EntityKind::kSymbol && is_type_like(symbol_of(from))) {
        given = resolver.members({from}, name);
      }
      for (const Entity& entity : given) {
        if (entity.kind == EntityKind::kSymbol || entity.kind == EntityKind::kModule) {
          add(found, entity);
        }
      }
    }
  }
  return found;
}

}  // namespace codexmem::graph
