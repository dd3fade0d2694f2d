// Tested by graph/kotlin_test.cpp.
#include "graph/kotlin/kotlin_scopes.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "graph/core/resolver_step.h"
#include "graph/jvm/jvm_packages.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ScopeKind;
using parse::Term;
using parse::TermId;
using parse::TermKind;

constexpr std::size_t kMaxReceiverTypes = 128;  // above one receiver

constexpr std::string_view kDefaultPackages[] = {
    "kotlin",        "kotlin.annotation", "kotlin.collections", "kotlin.comparisons", "kotlin.io",
    "kotlin.ranges", "kotlin.sequences",  "kotlin.text",        "kotlin.jvm",         "java.lang"};

struct KotlinMemory final : Resolver::Memory {
  std::map<const FileModel*, std::vector<std::string>> packages;
};

// Java's types that are Kotlin's own: unit, package, name.
struct Mapped {
  std::string_view java;
  std::string_view package;
  std::string_view name;
};
constexpr Mapped kMapped[] = {
    {"java/lang/Object", "kotlin", "Any"},
    {"java/lang/String", "kotlin", "String"},
    {"java/lang/CharSequence", "kotlin", "CharSequence"},
    {"java/lang/Throwable", "kotlin", "Throwable"},
    {"java/lang/Number", "kotlin", "Number"},
    {"java/lang/Comparable", "kotlin", "Comparable"},
    {"java/lang/Enum", "kotlin", "Enum"},
    {"java/lang/Boolean", "kotlin", "Boolean"},
    {"java/lang/Byte", "kotlin", "Byte"},
    {"java/lang/Character", "kotlin", "Char"},
    {"java/lang/Short", "kotlin", "Short"},
    {"java/lang/Integer", "kotlin", "Int"},
    {"java/lang/Long", "kotlin", "Long"},
    {"java/lang/Float", "kotlin", "Float"},
    {"java/lang/Double", "kotlin", "Double"},
    {"java/lang/Iterable", "kotlin.collections", "MutableIterable"},
    {"java/util/Iterator", "kotlin.collections", "MutableIterator"},
    {"java/util/Collection", "kotlin.collections", "MutableCollection"},
    {"java/util/List", "kotlin.collections", "MutableList"},
    {"java/util/Set", "kotlin.collections", "MutableSet"},
    {"java/util/Map", "kotlin.collections", "MutableMap"},
};
constexpr std::string_view kPrimitiveClasses[] = {"Boolean", "Byte", "Char",  "Short",
                                                  "Int",     "Long", "Float", "Double"};

const FileModel* kotlin_unit(Resolver& resolver, std::string_view package, std::string_view name) {
  std::string unit(package);
  std::ranges::replace(unit, '.', '/');
  return resolver.library(semantics_of(family_of("kotlin")), unit + "/" + std::string(name));
}

std::optional<Entity> kotlin_class(Resolver& resolver, std::string_view package,
                                   std::string_view name) {
  const FileModel* unit = kotlin_unit(resolver, package, name);
  const auto id = unit == nullptr ? std::nullopt : unit->find_name(name);
  if (!id) return std::nullopt;
  for (const std::uint32_t symbol : unit->members_of(kNoIndex, *id)) {
    if (is_type_like(unit->facts.symbols[symbol])) {
      return Entity{EntityKind::kInstance, unit, symbol};
    }
  }
  return std::nullopt;
}

// An instance of a type with these arguments.
Entity with_arguments(Resolver& resolver, Entity type, const std::vector<Entities>& arguments) {
  Environment environment;
  const std::vector<Entity> parameters = resolver.type_parameters(type);
  for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    environment.bound.emplace_back(parameters[i], arguments[i]);
  }
  type.environment = resolver.environment(std::move(environment));
  return type;
}

std::string_view unit_path(const FileModel& unit) {
  const std::string_view path = unit.path;
  return path.substr(path.find(':') + 1);
}

Entity seen_value(Resolver& resolver, const Entity& value) {
  if (const auto primitive = primitive_of(value); primitive && *primitive < 8) {
    return kotlin_class(resolver, "kotlin", kPrimitiveClasses[*primitive]).value_or(value);
  }
  if (value.kind == EntityKind::kContainer && container_kind(value) == ContainerKind::kList) {
    const auto array = kotlin_class(resolver, "kotlin", "Array");
    if (!array) return value;
    return with_arguments(resolver, *array, value.environment->arguments);
  }
  if (!is_instance(value) || !value.file->is_library || value.file->language != "java") {
    return value;
  }
  const std::string_view path = unit_path(*value.file);
  const auto mapped = std::ranges::find(kMapped, path, &Mapped::java);
  if (mapped == std::end(kMapped) || value.file->owner_of(value.index) != kNoIndex) return value;
  const auto type = kotlin_class(resolver, mapped->package, mapped->name);
  if (!type) return value;
  std::vector<Entities> arguments;
  for (const Entity& parameter : resolver.type_parameters(value)) {
    const Entities* stated =
        value.environment == nullptr ? nullptr : value.environment->find(parameter);
    arguments.push_back(stated == nullptr ? Entities{kExternalEntity} : *stated);
  }
  return with_arguments(resolver, *type, arguments);
}

const parse::Function* made_function(const Entity& entity) {
  if (entity.kind != EntityKind::kSymbol) return nullptr;
  const FileModel& file = *entity.file;
  TermId term = symbol_of(entity).term;
  if (term == kNoIndex) return nullptr;
  if (file.facts.terms[term].kind == TermKind::kResult) {
    term = file.parts_of(file.facts.terms[term])[0];
    if (term == kNoIndex) return nullptr;
  }
  const Term& made = file.facts.terms[term];
  return made.kind == TermKind::kFunction ? &file.facts.functions[made.at] : nullptr;
}

// `receiver` and the types above it, as Kotlin sees them.
Entities all_above(Resolver& resolver, const Entity& receiver) {
  Entities open = {seen_value(resolver, receiver)};
  for (std::size_t i = 0; i < open.size() && i < kMaxReceiverTypes; ++i) {
    if (open[i].kind == EntityKind::kTypeParameter) {
      const TermId bound = open[i].file->facts.bindings[open[i].index].term;
      if (bound == kNoIndex) continue;
      for (const Entity& value : resolver.evaluate(*open[i].file, bound)) {
        add(open, seen_value(resolver, value));
      }
      continue;
    }
    if (!is_instance(open[i])) continue;
    for (const Entity& base : resolver.supertypes(Entity(open[i]))) {
      if (is_instance(base)) add(open, seen_value(resolver, base));
    }
  }
  return open;
}

// What kind a symbol is the row of the store says.
bool is_companion(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  if (file.is_library) return file.facts.symbols[symbol].kind == "companion";
  const store::SymbolRow* row = resolver.row_of(file, symbol);
  return row != nullptr && row->kind == "companion";
}

bool is_type_of(const Entity& entity) {
  return entity.kind == EntityKind::kSymbol && is_type_like(symbol_of(entity));
}

}  // namespace

Entities seen_by_kotlin(Resolver& resolver, const FileModel&, const Entities& values) {
  Entities found;
  for (const Entity& value : values) add(found, seen_value(resolver, value));
  return found;
}

bool is_extension(const Entity& entity) {
  const parse::Function* function = made_function(entity);
  if (function == nullptr || !function->is_extension) return false;
  // (A property may hold a function that is called on something.)
  return is_callable(symbol_of(entity)) ||
         entity.file->facts.terms[symbol_of(entity).term].kind == TermKind::kResult;
}

Entities extended_by(Resolver& resolver, const Entity& extension) {
  const parse::Function* function = made_function(extension);
  if (function == nullptr || function->parameters.empty()) return {};
  return resolver.evaluate(*extension.file, function->parameters.front().term);
}

std::vector<Entities> receivers_at(Resolver& resolver, const FileModel& file,
                                   std::uint32_t offset) {
  std::vector<Entities> found;
  const auto name = file.find_name("this");
  for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    const parse::Scope& at = file.facts.scopes[scope];
    if (at.kind == ScopeKind::kClass && at.symbol != kNoIndex) {
      const parse::Symbol& symbol = file.facts.symbols[at.symbol];
      // (The body of a constant of an enum is like its enum's.)
      std::uint32_t owner = at.symbol;
      if (!is_type_like(symbol)) owner = file.owner_of(owner);
      if (owner != kNoIndex) found.push_back({{EntityKind::kInstance, &file, owner}});
    }
    if (!name) continue;
    for (const std::uint32_t index : file.bindings_in(scope, *name)) {
      Entities values = resolver.evaluate(file, file.facts.bindings[index].term);
      std::erase_if(values,
                    [](const Entity& value) { return value.kind == EntityKind::kExternal; });
      if (!values.empty()) found.push_back(seen_by_kotlin(resolver, file, values));
    }
  }
  return found;
}

const std::vector<std::string>& packages_seen(Resolver& resolver, const FileModel& file) {
  auto& known = resolver.memory<KotlinMemory>().packages;
  const auto [at, is_new] = known.try_emplace(&file);
  std::vector<std::string>& packages = at->second;
  if (!is_new) return packages;
  packages.push_back(file.facts.package);
  for (const std::uint32_t star : file.star_imports()) {
    std::string path = file.facts.imports[star].path;
    path.resize(path.size() - std::min<std::size_t>(path.size(), 2));
    packages.push_back(std::move(path));
  }
  for (const std::string_view package : kDefaultPackages) packages.emplace_back(package);
  return packages;
}

Entities fitting_extensions(Resolver& resolver, const FileModel& file, const Entities& candidates,
                            const Entities& receivers) {
  Entities found;
  for (const Entity& given : receivers) {
    if (given.kind == EntityKind::kUnknown || given.kind == EntityKind::kFolder) continue;
    Entity receiver = given;
    // An object, or a companion, is its value.
    if (is_type_of(given)) receiver.kind = EntityKind::kInstance;
    std::optional<Entities> above;
    for (const Entity& candidate : candidates) {
      if (!is_extension(candidate)) continue;
      const Entities wanted = seen_by_kotlin(resolver, file, extended_by(resolver, candidate));
      if (!above) above = all_above(resolver, receiver);
      for (const Entity& want : wanted) {
        // The receiver seen as the wanted type, if it has it.
        const Entity* seen = nullptr;
        const bool is_open = want.kind == EntityKind::kTypeParameter;
        for (const Entity& type : *above) {
          if (is_instance(want) && is_instance(type) && type.file == want.file &&
              type.index == want.index) {
            seen = &type;
            break;
          }
        }
        const bool is_any_type = is_instance(want) && want.file->is_library &&
                                 symbol_of(want).name == "Any" &&
                                 receiver.kind != EntityKind::kExternal;
        bool fits = seen != nullptr || is_any_type;
        if (is_open) {
          const TermId bound = want.file->facts.bindings[want.index].term;
          const Entities bounds =
              bound == kNoIndex
                  ? Entities()
                  : seen_by_kotlin(resolver, *want.file, resolver.evaluate(*want.file, bound));
          fits = bounds.empty() || std::ranges::any_of(bounds, [&](const Entity& type) {
                   return !is_instance(type) ||
                          (type.file->is_library && symbol_of(type).name == "Any") ||
                          std::ranges::any_of(*above, [&](const Entity& own) {
                            return is_instance(own) && own.file == type.file &&
                                   own.index == type.index;
                          });
                 });
        }
        if (want.kind == EntityKind::kFunction) {
          fits = receiver.kind == EntityKind::kFunction ||
                 (receiver.kind == EntityKind::kSymbol && is_callable(symbol_of(receiver)));
        }
        if (want.kind == EntityKind::kUnknown) fits = true;
        if (!fits) continue;
        add(found, {EntityKind::kSymbol, candidate.file, candidate.index,
                    resolver.extension_environment(candidate, seen == nullptr ? receiver : *seen)});
        break;
      }
    }
  }
  return found;
}

Entities plain_members(Resolver& resolver, const Entities& receivers, std::string_view name,
                       NameUse use) {
  Entities found = members_for(resolver, receivers, name, use);
  const bool had_any = has_kind(found, EntityKind::kSymbol);
  std::erase_if(found, [](const Entity& entity) { return is_extension(entity); });
  if (had_any && found.empty()) return {};
  if (has_kind(found, EntityKind::kSymbol)) return found;
  // Members of a named companion.
  for (const Entity& receiver : receivers) {
    if (!is_type_of(receiver) && !is_instance(receiver)) continue;
    if (receiver.file->language != "kotlin") continue;
    for (const std::uint32_t member : receiver.file->all_members(receiver.index)) {
      if (receiver.file->facts.symbols[member].type != SymbolType::kClass ||
          !is_companion(resolver, *receiver.file, member)) {
        continue;
      }
      Entities more =
          members_for(resolver, {{EntityKind::kInstance, receiver.file, member}}, name, use);
      std::erase_if(more, [](const Entity& entity) { return is_extension(entity); });
      if (has_kind(more, EntityKind::kSymbol)) return more;
    }
    if (name == "Companion" && is_type_of(receiver)) return {receiver};
  }
  return found;
}

std::vector<Entities> top_levels(Resolver& resolver, const FileModel& file, std::string_view name,
                                 bool* may_be_foreign) {
  std::vector<Entities> levels;
  Entities imported;
  if (const auto id = file.find_name(name)) {
    for (const std::uint32_t index : file.bindings_in(0, *id)) {
      const parse::Binding& binding = file.facts.bindings[index];
      if (binding.kind != BindingKind::kImport) continue;
      for (const Entity& entity : resolver.resolve_binding(file, index)) {
        if (entity.kind == EntityKind::kSymbol) {
          add(imported, entity);
        } else {
          *may_be_foreign = true;
        }
      }
    }
  }
  if (!imported.empty()) levels.push_back(std::move(imported));
  const auto& packages = packages_seen(resolver, file);
  const std::size_t stars = 1 + file.star_imports().size();
  Entities level;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    // (A Kotlin type takes precedence over a java.lang type of the same name.)
    if (i + 1 < packages.size() || level.empty()) {
      add_all(level, package_type(resolver, packages[i], name, &file));
    }
    add_all(level, package_members(resolver, packages[i], name, &file));
    if (i > 0 && i < stars) {
      // import a.B.*
      const Entities types = qualified_type(resolver, packages[i], &file);
      if (types.empty()) *may_be_foreign = true;
      for (const NameUse use : {NameUse::kValue, NameUse::kCallable, NameUse::kType}) {
        for (const Entity& member : plain_members(resolver, types, name, use)) {
          if (member.kind == EntityKind::kSymbol) add(level, member);
        }
      }
    }
    if (i == 0 || i + 1 == stars || i + 1 == packages.size()) {
      if (!level.empty()) levels.push_back(std::exchange(level, {}));
    }
  }
  return levels;
}

Entities imported_path(Resolver& resolver, std::string_view path, const FileModel* importer) {
  const std::size_t dot = path.rfind('.');
  const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
  const std::string_view outer = dot == std::string_view::npos ? "" : path.substr(0, dot);
  Entities found = package_type(resolver, outer, name, importer);
  add_all(found, package_members(resolver, outer, name, importer));
  if (!found.empty() || outer.empty()) return found;
  const Entities types = qualified_type(resolver, outer, importer);
  for (const NameUse use : {NameUse::kType, NameUse::kValue, NameUse::kCallable}) {
    for (const Entity& member : members_for(resolver, types, name, use)) {
      if (member.kind == EntityKind::kSymbol) add(found, member);
    }
    for (const Entity& member : plain_members(resolver, types, name, use)) {
      if (member.kind == EntityKind::kSymbol) add(found, member);
    }
  }
  return found;
}

}  // namespace codexmem::graph
