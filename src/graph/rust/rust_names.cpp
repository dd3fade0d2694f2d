// Names of Rust. A bare name goes through the blocks around it to the module,
// never beyond that; then to the crates, and to what the library puts into every module. Nothing
// is linked: modules are followed through the rows that `mod` made.
//
// Tested by graph/rust_test.cpp.
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "base/ascii.h"
#include "base/path.h"
#include "graph/core/foreign.h"
#include "graph/core/meaning.h"
#include "graph/core/resolver_step.h"
#include "graph/rust/rust_library.h"
#include "graph/rust/rust_modules.h"
#include "graph/rust/rust_paths.h"

extern "C" const char codexmem_rust_library[], codexmem_rust_library_end[];

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

constexpr std::string_view kRustFolderModules[] = {"mod", "lib"};
constexpr std::string_view kRustConfiguration[] = {"Cargo.toml"};

constexpr std::string_view kRustReserved[] = {
    "Self",   "_",        "abstract", "as",      "async",    "await", "become", "box",    "break",
    "const",  "continue", "crate",    "do",      "dyn",      "else",  "enum",   "extern", "false",
    "final",  "fn",       "for",      "if",      "impl",     "in",    "let",    "loop",   "macro",
    "match",  "mod",      "move",     "mut",     "override", "priv",  "pub",    "ref",    "return",
    "self",   "static",   "struct",   "super",   "trait",    "true",  "try",    "type",   "typeof",
    "unsafe", "unsized",  "use",      "virtual", "where",    "while", "yield"};

constexpr LanguageTraits kRustTraits = {
    .knowledge = Knowledge::kNames,
    .names = {.main_function = "main", .reserved = kRustReserved},
    .files = {.configuration = kRustConfiguration,
              .folder_modules = kRustFolderModules,
              .unnamed_folder = "src"},
    .texts = {.format_names = true},
    .protocol = {.self = "self", .item = "index"},
    .overriding = Overriding::kFew,
    .imports_are_exports = true,
    .names_are_seen_behind = true,
    .is_compiled = true,
    .locals_are_distinct = true,
    .types_have_members = true,
    .alternatives_are_likely = true,
    .aliases_are_alternatives = true,
};

bool is_macro(const Entity& entity) {
  return entity.kind == EntityKind::kSymbol && rust_is_macro(*entity.file, entity.index);
}

// The types that `Self` is at `offset`.
Entities self_type(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    const parse::Scope& at = file.facts.scopes[scope];
    if (at.kind != parse::ScopeKind::kClass && at.kind != parse::ScopeKind::kTypeParameters) {
      continue;
    }
    for (const parse::Extension& extension : file.facts.extensions) {
      if (extension.scope != scope) continue;
      return Entities(resolver.evaluate(file, extension.type_term));
    }
    if (at.symbol != kNoIndex && is_type_like(file.facts.symbols[at.symbol])) {
      const bool is_trait = file.facts.symbols[at.symbol].type == SymbolType::kInterface;
      return {{is_trait ? EntityKind::kSelf : EntityKind::kInstance, &file, at.symbol}};
    }
  }
  const std::uint32_t around = file.symbol_at(offset);
  for (std::uint32_t symbol = around; symbol != kNoIndex; symbol = file.surrounding(symbol)) {
    if (is_type_like(file.facts.symbols[symbol]) && !rust_is_module(file, symbol)) {
      const bool is_trait = file.facts.symbols[symbol].type == SymbolType::kInterface;
      return {{is_trait ? EntityKind::kSelf : EntityKind::kInstance, &file, symbol}};
    }
  }
  return {kUnknownEntity};
}

RustSpace space_of(const parse::Occurrence& at) {
  if (at.receiver_kind == ReceiverKind::kTag) return RustSpace::kMacro;
  switch (at.role) {
    case Role::kType:
    case Role::kInherit:
      return RustSpace::kType;
    case Role::kImport:
      return RustSpace::kAny;
    default:
      return RustSpace::kValue;
  }
}

// `self` in a body: what its method is called on; else the module.
Entities self_value(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  const auto name = file.find_name("self");
  for (std::uint32_t scope = file.scope_at(offset); name && scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    for (const std::uint32_t binding : file.bindings_in(scope, *name)) {
      const parse::TermId term = file.facts.bindings[binding].term;
      if (term != kNoIndex) return Entities(resolver.evaluate(file, term));
      return self_type(resolver, file, offset);
    }
    if (file.facts.scopes[scope].kind == parse::ScopeKind::kClass) break;
  }
  const RustModule module = rust_module_around(file, file.scope_at(offset));
  if (module.scope == 0) return {{EntityKind::kModule, &file, 0}};
  return {{EntityKind::kSymbol, &file, file.facts.scopes[module.scope].symbol}};
}

// True if the file or a module in it imports the name of `at` by itself.
bool is_imported(const FileModel& file, const parse::Occurrence& at) {
  const RustModule module = rust_module_around(file, file.scope_at(at.offset));
  const auto imports = [&](std::uint32_t binding) {
    return file.facts.bindings[binding].kind == BindingKind::kImport;
  };
  return std::ranges::any_of(file.bindings_in(module.scope, at.name), imports) ||
         std::ranges::any_of(file.bindings_in(0, at.name), imports);
}

// True where the name of `at` is imported from the library: `use std::io;`.
bool is_of_library(const FileModel& file, const parse::Occurrence& at) {
  for (std::uint32_t scope = file.scope_at(at.offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    for (const std::uint32_t binding : file.bindings_in(scope, at.name)) {
      const parse::Binding& bound = file.facts.bindings[binding];
      if (bound.kind != BindingKind::kImport) continue;
      const auto parts = rust_path(file.facts.imports[bound.target].path);
      if (!parts.empty() && rust_is_library_crate(parts.front())) return true;
    }
  }
  return false;
}

// True for a file that no module declares and that is not a crate's first file by its name: a
// template, or what include!() reads.
bool is_adrift(Resolver& resolver, const FileModel& file) {
  if (rust_parent_of(resolver, {&file, 0})) return false;
  constexpr std::string_view kRoots[] = {"main", "lib", "build", "mod"};
  constexpr std::string_view kRootFolders[] = {"bin", "tests", "examples", "benches"};
  const std::string_view folder = file_name(folder_of(file.path));
  return std::ranges::find(kRoots, file_stem(file.path)) == std::end(kRoots) &&
         std::ranges::find(kRootFolders, folder) == std::end(kRootFolders);
}

// True if the module around takes names of something that is not known: a star, include!().
bool is_open(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  const auto include = file.find_name("include");
  const auto is_macro_call = [&](std::uint32_t index) {
    return file.facts.occurrences[index].receiver_kind == ReceiverKind::kTag;
  };
  if (include && std::ranges::any_of(file.occurrences_of(*include), is_macro_call)) return true;
  if (is_adrift(resolver, file)) return true;
  const RustModule module = rust_module_around(file, file.scope_at(offset));
  return std::ranges::any_of(file.star_imports(), [&](std::uint32_t import) {
    if (file.facts.imports[import].scope != module.scope) return false;
    const Entities& from = resolver.exported(file, "use " + std::to_string(import));
    return from.empty() || has_kind(from, EntityKind::kUnknown);
  });
}

// True in `use ::a::b`.
bool is_global(const FileModel& file, std::uint32_t offset) {
  return std::ranges::any_of(file.facts.imports, [&](const parse::Import& import) {
    return import.path.starts_with("::") && import.range.contains({offset, offset});
  });
}

}  // namespace

Entities rust_bare_name(Resolver& resolver, const FileModel& file, std::uint32_t scope,
                        std::string_view name, RustSpace space, std::uint32_t offset) {
  const auto id = file.find_name(name);
  for (; scope != kNoIndex; scope = file.facts.scopes[scope].parent) {
    const parse::Scope& at = file.facts.scopes[scope];
    const bool is_module_scope = scope == 0 || at.kind == parse::ScopeKind::kNamespace;
    if (is_module_scope) {
      Entities found = rust_fitting(rust_names_of(resolver, {&file, scope}, name), space);
      if (!found.empty()) return found;
      break;
    }
    if (id) {
      Entities found;
      const bool is_class = at.kind == parse::ScopeKind::kClass;
      for (const std::uint32_t binding : file.bindings_in(scope, *id)) {
        const parse::Binding& bound = file.facts.bindings[binding];
        if (is_class && bound.kind != BindingKind::kTypeParameter) continue;
        if (!file.is_seen(binding, offset) && bound.seen_from != 0) continue;
        Entities meant = rust_fitting(resolver.resolve_binding(file, binding), space);
        if (meant.empty()) continue;
        // Of several locals the last that is seen; of a parameter and its bounds the first.
        if (meant.front().kind == EntityKind::kLocal) {
          if (bound.kind == BindingKind::kTypeParameter && !found.empty()) continue;
          found = std::move(meant);
        } else {
          add_all(found, meant);
        }
      }
      if (!found.empty()) return found;
    }
    for (const std::uint32_t import : file.star_imports()) {
      if (file.facts.imports[import].scope != scope) continue;
      for (const Entity& from : resolver.exported(file, "use " + std::to_string(import))) {
        Entities found;
        if (const auto module = rust_module_of(from)) {
          found = rust_fitting(rust_names_of(resolver, *module, name), space);
        } else if (from.kind == EntityKind::kSymbol) {
          found = rust_fitting(resolver.members({from}, name), space);
        }
        std::erase_if(found, [](const Entity& e) {
          return e.kind == EntityKind::kExternal || e == kForeignEntity || is_instance(e);
        });
        if (!found.empty()) return found;
      }
    }
  }
  if (space != RustSpace::kValue) {
    Entities crate = rust_crate_entity(resolver, file, name);
    if (!crate.empty()) return crate;
  }
  Entities library = rust_fitting(rust_library_name(resolver, file.semantics, name), space);
  if (!library.empty()) return library;
  return {kExternalEntity};
}

Entities rust_fitting(const Entities& entities, RustSpace space) {
  if (space == RustSpace::kAny) return entities;
  Entities found;
  Entities loose;
  for (const Entity& entity : entities) {
    if (entity.kind == EntityKind::kModule) {
      if (space == RustSpace::kType) found.push_back(entity);
      continue;
    }
    if (entity.kind == EntityKind::kLocal) {
      const bool is_type =
          entity.file->facts.bindings[entity.index].kind == BindingKind::kTypeParameter;
      // (A const parameter is bound as one, too.)
      if (space == RustSpace::kType ? is_type : space == RustSpace::kValue) {
        found.push_back(entity);
      }
      continue;
    }
    if (entity.kind != EntityKind::kSymbol) {
      found.push_back(entity);
      continue;
    }
    const parse::Symbol& symbol = symbol_of(entity);
    if (is_macro(entity)) {
      if (space == RustSpace::kMacro) found.push_back(entity);
    } else if (space == RustSpace::kType) {
      if (is_type_like(symbol)) found.push_back(entity);
      if (rust_is_variant(*entity.file, entity.index)) loose.push_back(entity);  // Some { x }
    } else if (space == RustSpace::kValue) {
      if (!is_type_like(symbol)) found.push_back(entity);
      if (symbol.type == SymbolType::kClass) loose.push_back(entity);  // A(1), A
      if (symbol.type == SymbolType::kType && symbol.term != kNoIndex) loose.push_back(entity);
    }
  }
  return found.empty() ? loose : found;
}

RustModule rust_module_around(const FileModel& file, std::uint32_t scope) {
  while (scope != kNoIndex && scope != 0 &&
         file.facts.scopes[scope].kind != parse::ScopeKind::kNamespace) {
    scope = file.facts.scopes[scope].parent;
  }
  return {&file, scope == kNoIndex ? 0 : scope};
}

Entities rust_library_name(Resolver& resolver, const LanguageSemantics& semantics,
                           std::string_view name) {
  const FileModel* unit = resolver.library(semantics, "std");
  if (unit == nullptr) return {};
  const auto id = unit->find_name(name);
  if (!id) return {};
  Entities found;
  for (const std::uint32_t binding : unit->bindings_in(0, *id)) {
    add_all(found, resolver.resolve_binding(*unit, binding));
  }
  if (found.empty()) {
    // Some, None, Ok, Err
    for (const std::string_view owner : {"Option", "Result"}) {
      const auto type = unit->find_name(owner);
      if (!type) continue;
      for (const std::uint32_t symbol : unit->members_of(kNoIndex, *type)) {
        for (const std::uint32_t member : unit->members_of(symbol, *id)) {
          if (rust_is_variant(*unit, member)) {
            add(found, {EntityKind::kSymbol, unit, member});
          }
        }
      }
    }
  }
  return found;
}

const parse::Extension* rust_extension_around(const FileModel& file, std::uint32_t offset) {
  for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    if (file.facts.scopes[scope].kind != parse::ScopeKind::kClass) continue;
    const auto& extensions = file.facts.extensions;  // in the order of their scopes
    const auto found = std::ranges::lower_bound(extensions, scope, {}, &parse::Extension::scope);
    return found != extensions.end() && found->scope == scope ? &*found : nullptr;
  }
  return nullptr;
}

RustSemantics::RustSemantics()
    : LanguageSemantics(kRustTraits, {codexmem_rust_library, codexmem_rust_library_end},
                        rust_library()) {}

std::unique_ptr<ModuleFinder> RustSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<RustModuleFinder>(tree);
}

Entities RustSemantics::unbound_name(Resolver& resolver, const FileModel&,
                                     std::string_view name) const {
  // Types of the language, by the names that its table has for them.
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"str", "Str"}, {"bool", "Bool"},     {"char", "Char"},  {"array", "Slice"},
      {"vec", "Vec"}, {"string", "String"}, {"range", "Range"}};
  for (const auto& [written, type] : kTypes) {
    if (written == name) return rust_library_name(resolver, *this, type);
  }
  Entities found = rust_library_name(resolver, *this, name);
  return found.empty() ? rust_library_name(resolver, *this, "Number") : found;
}

std::optional<Entities> RustSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                       std::uint32_t index) const {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const std::string& name = file.name(at.name);
  const RustSpace space = space_of(at);
  switch (at.receiver_kind) {
    case ReceiverKind::kTag: {
      Entities found =
          rust_bare_name(resolver, file, file.scope_at(at.offset), name, space, at.offset);
      std::erase_if(found, [](const Entity& e) { return e.kind == EntityKind::kExternal; });
      if (found.empty() && is_imported(file, at)) return {{kExternalEntity}};
      return found.empty() ? rust_macro_named(resolver, file, name) : found;
    }
    case ReceiverKind::kNone: {
      if (name == "Self") return self_type(resolver, file, at.offset);
      const RustModule module = rust_module_around(file, file.scope_at(at.offset));
      if (name == "self") {
        const bool is_path = at.role == Role::kType || at.role == Role::kImport;
        if (is_path) return {{rust_entity_of(module)}};
        return self_value(resolver, file, at.offset);
      }
      if (name == "crate" || name == "$crate")
        return {{rust_entity_of(rust_root_of(resolver, module))}};
      if (name == "super") {
        const auto above = rust_parent_of(resolver, module);
        return {{above ? rust_entity_of(*above) : kUnknownEntity}};
      }
      if (at.role == Role::kImport && is_global(file, at.offset)) {
        Entities crate = rust_crate_entity(resolver, file, name);
        return crate.empty() ? Entities{kExternalEntity} : crate;
      }
      Entities found =
          rust_bare_name(resolver, file, file.scope_at(at.offset), name, space, at.offset);
      // A value that nothing here binds is bound by the macro that it is given to.
      const bool is_bound_elsewhere = space == RustSpace::kValue && at.role != Role::kCall &&
                                      found == Entities{kExternalEntity} && is_lower(name.front());
      if (is_bound_elsewhere) return Entities{kUnknownEntity};
      if (found == Entities{kExternalEntity} && is_open(resolver, file, at.offset)) {
        return Entities{kForeignEntity};
      }
      return found;
    }
    case ReceiverKind::kName: {
      const parse::Occurrence& before = file.facts.occurrences[at.receiver];
      const bool is_path = before.role == Role::kType || before.role == Role::kImport ||
                           before.role == Role::kInherit;
      if (!is_path) {
        return rust_used_members(resolver, file, index);
      }
      Meaning meaning;
      for (const Entity& entity : Entities(resolver.resolve(file, at.receiver))) {
        if (name == "super") {
          const auto module = rust_module_of(entity);
          const auto above = module ? rust_parent_of(resolver, *module) : std::nullopt;
          meaning.add(above ? rust_entity_of(*above) : kUnknownEntity);
        } else if (const auto module = rust_module_of(entity)) {
          const bool leads_on =
              index + 1 < file.facts.occurrences.size() &&
              file.facts.occurrences[index + 1].receiver_kind == ReceiverKind::kName &&
              file.facts.occurrences[index + 1].receiver == index;
          const bool is_crate =
              before.receiver_kind == ReceiverKind::kNone && entity.kind == EntityKind::kModule &&
              rust_crate_named(resolver, file.family, file.name(before.name)) == entity.file;
          Entities named = leads_on ? rust_heads_of(resolver, file, *module, name)
                                    : rust_names_seen(resolver, file, *module, name, is_crate);
          const bool may_be_macro = named.empty() && space != RustSpace::kType;
          meaning.merge(may_be_macro ? rust_macro_of(resolver, *module->file, name)
                                     : rust_fitting(named, space));
        } else if (!is_identified(entity)) {
          meaning.add(entity);
        } else {
          const bool is_local = entity.kind == EntityKind::kLocal;
          const Entities owner =
              is_local ? Entities{{EntityKind::kTypeParameter, entity.file, entity.index}}
                       : Entities{entity};
          meaning.merge(resolver.members(owner, name));
        }
      }
      if (meaning.is_found()) {
        meaning.found() = rust_by_use(resolver, file, index, std::move(meaning.found()));
        return meaning.take();
      }
      Entities rest = meaning.rest();
      if (rest == Entities{kExternalEntity}) {
        // std::collections::HashMap
        const parse::Occurrence* first = &before;
        while (first->receiver_kind == ReceiverKind::kName) {
          first = &file.facts.occurrences[first->receiver];
        }
        if (rust_is_library_crate(file.name(first->name)) || is_of_library(file, *first) ||
            !rust_library_name(resolver, *this, file.name(before.name)).empty()) {
          Entities library = rust_fitting(rust_library_name(resolver, *this, name), space);
          if (!library.empty()) return library;
        }
      }
      if (rest.empty()) rest.push_back(kForeignEntity);  // what a macro may have put there
      return rest;
    }
    case ReceiverKind::kTerm:
      return rust_used_members(resolver, file, index);
    default:
      return std::nullopt;
  }
}

Entities RustSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                 std::string_view) const {
  const parse::Import& statement = file.facts.imports[import];
  if (rust_module_name(statement.path)) {
    const FileModel* target = rust_target_of(resolver, file, import);
    if (target == nullptr) return {kUnknownEntity};
    return {{EntityKind::kModule, target, 0}};
  }
  return resolver.exported(file, "use " + std::to_string(import));
}

// `name` is "use 3": what the path of that import means, "2:a": what the module whose scope that is
// has under that name, or "2!a": the same without what it imports for itself.
Entities RustSemantics::exported(Resolver& resolver, const FileModel& file,
                                 std::string_view name) const {
  if (name.starts_with("use ")) {
    const auto import = static_cast<std::uint32_t>(std::stoul(std::string(name.substr(4))));
    const parse::Import& statement = file.facts.imports[import];
    std::vector<std::string_view> parts = rust_path(statement.path);
    if (!parts.empty() && parts.back() == "*") parts.pop_back();
    if (file.is_library) return {kExternalEntity};
    return rust_path_meaning(resolver, rust_module_around(file, statement.scope), import, parts);
  }
  const std::size_t sign = name.find_first_of(":!");
  if (sign == std::string_view::npos) return rust_module_names(resolver, {&file, 0}, name, false);
  const auto scope = static_cast<std::uint32_t>(std::stoul(std::string(name.substr(0, sign))));
  return rust_module_names(resolver, {&file, scope}, name.substr(sign + 1), name[sign] == '!');
}

}  // namespace codexmem::graph
