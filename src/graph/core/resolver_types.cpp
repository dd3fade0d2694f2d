// Types: the values of a type that is named, instances, type parameters.
#include <algorithm>

#include "graph/core/foreign.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {

using parse::BindingKind;
using parse::kNoIndex;
using parse::TermId;

// The values that a type named by an occurrence has.
Entities Resolver::typed(const FileModel& file, std::uint32_t occurrence,
                         const std::vector<Entities>& arguments) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const std::string& name = file.name(file.facts.occurrences[occurrence].name);
  Entities found;
  bool is_type = false;
  const Entities meant = without_makers(resolve(file, occurrence));
  for (const Entity& entity : meant) {
    switch (entity.kind) {
      case EntityKind::kSymbol: {
        const parse::Symbol& symbol = symbol_of(entity);
        if (is_type_like(symbol)) {
          is_type = true;
          add_all(found, instance_of(entity, arguments));
        } else {
          add_all(found, file.semantics.values_of_type_name(*this, entity));
        }
        break;
      }
      case EntityKind::kLocal:
        if (entity.file->facts.bindings[entity.index].kind == BindingKind::kTypeParameter) {
          add(found, {EntityKind::kTypeParameter, entity.file, entity.index});
        } else {
          add_all(found, instances(values_of({entity})));
        }
        break;
      case EntityKind::kInstance:
      case EntityKind::kSelf:
        add(found, entity);
        break;
      case EntityKind::kContainer:
        add(found, is_foreign(entity) ? entity : kUnknownEntity);
        break;
      case EntityKind::kExternal:
      case EntityKind::kUnknown:
        add_all(found, library_type(file, name, arguments));
        if (entity.kind == EntityKind::kUnknown && has_kind(found, EntityKind::kExternal)) {
          std::erase(found, kExternalEntity);
          add(found, kUnknownEntity);
        }
        break;
      default:
        add(found, kUnknownEntity);
    }
  }
  // A name that is a type and a value (interface X, const X) is meant as the type.
  if (is_type) {
    std::erase_if(found, [](const Entity& e) { return e.kind == EntityKind::kUnknown; });
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

// What a template outside of the repository makes of its arguments: external where all of these
// are.
Entities Resolver::foreign(const FileModel& file, ContainerKind kind,
                           std::vector<Entities> arguments) {
  const auto is_outside = [](const Entity& value) {
    return value.kind == EntityKind::kExternal ||
           (is_of_library(value) && value.environment == nullptr);
  };
  const bool is_external = !file.semantics.traits().foreign.things_hold_ours ||
                           std::ranges::all_of(arguments, [&](const Entities& argument) {
                             return std::ranges::all_of(argument, is_outside);
                           });
  return is_external ? Entities{kExternalEntity}
                     : container(file.family, kind, std::move(arguments));
}

// A generic type of the language's library, or of a package that is named like one.
Entities Resolver::library_type(const FileModel& file, std::string_view name,
                                const std::vector<Entities>& arguments) {
  const auto rule = file.semantics.library().find_type(name);
  if (!rule || arguments.size() <= rule->first) {
    return file.semantics.traits().foreign.things_hold_ours
               ? foreign(file, ContainerKind::kForeign, arguments)
               : foreign_generic(file, arguments);
  }
  switch (rule->type) {
    case LibraryType::kSame:
      return arguments[rule->first];
    case LibraryType::kUnion: {
      Entities all;
      for (const Entities& argument : arguments) add_all(all, argument);
      return all;
    }
    case LibraryType::kTuple:
      // Tuple[A, ...]
      if (arguments.size() == 2 && has_kind(arguments[1], EntityKind::kUnknown)) {
        return container(file.family, ContainerKind::kList, {arguments[0]});
      }
      return container(file.family, ContainerKind::kTuple, arguments);
    case LibraryType::kResultOf:
      return call_results(arguments[0]);
    case LibraryType::kInstanceOf:
      return instances(arguments[0]);
    case LibraryType::kContainer:
      break;
  }
  if (rule->container == ContainerKind::kClassOf) {
    // type[A]: the class itself.
    Entities classes;
    for (const Entity& of : arguments[0]) {
      if (of.kind == EntityKind::kInstance) {
        add(classes, {EntityKind::kSymbol, of.file, of.index, of.environment});
      } else {
        add_all(classes, container(file.family, ContainerKind::kClassOf, {Entities{of}}));
      }
    }
    return classes;
  }
  return container(file.family, rule->container,
                   {arguments.begin() + static_cast<std::ptrdiff_t>(rule->first), arguments.end()});
}

// The values of a type of the language's own: a primitive one, or one that its library declares.
Entities Resolver::language_type(const FileModel& file, const parse::Term& term) {
  const std::string& name = file.name(term.at);
  const auto primitives = file.semantics.traits().primitives;
  const auto primitive = std::ranges::find(primitives, name, &Primitive::name);
  if (primitive != primitives.end()) {
    return {primitive_entity(static_cast<std::size_t>(primitive - primitives.begin()))};
  }
  std::vector<Entities> arguments;
  for (const TermId part : file.parts_of(term)) arguments.push_back(evaluate(file, part));
  if (file.semantics.library().find_type(name)) return library_type(file, name, arguments);
  Entities values;
  for (const Entity& type : file.semantics.unbound_name(*this, file, name)) {
    if (type.kind != EntityKind::kSymbol || !is_type_like(symbol_of(type))) continue;
    add_all(values, instance_of(type, arguments));
  }
  return values.empty() ? Entities{kExternalEntity} : values;
}

// The type parameters of a class, interface or alias, as entities.
std::vector<Entity> Resolver::type_parameters(const Entity& type) {
  std::vector<Entity> parameters;
  for (const std::uint32_t binding : type.file->type_parameters_of(type.index)) {
    parameters.push_back({EntityKind::kTypeParameter, type.file, binding});
  }
  return parameters.empty() ? type.file->semantics.implied_type_parameters(*this, type)
                            : parameters;
}

// An instance of a class, interface or enum with type arguments; for an alias, its target.
Entities Resolver::instance_of(const Entity& type, const std::vector<Entities>& arguments) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const parse::Symbol& symbol = symbol_of(type);
  const std::vector<Entity> parameters = type_parameters(type);
  // (A type in a generic one has the parameters of that.)
  const bool has_own = !type.file->type_parameters_of(type.index).empty();
  Environment environment;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Entities* stated =
        type.environment == nullptr ? nullptr : type.environment->find(parameters[i]);
    if (i < arguments.size()) {
      environment.bound.emplace_back(parameters[i], arguments[i]);
    } else if (!has_own && parameters[i].kind == EntityKind::kTypeParameter) {
      environment.bound.emplace_back(parameters[i],
                                     stated == nullptr ? Entities{parameters[i]} : *stated);
    } else if (parameters[i].kind == EntityKind::kTypeParameter) {
      const TermId fallback = type.file->facts.bindings[parameters[i].index].fallback;
      if (fallback == kNoIndex) continue;
      environment.bound.emplace_back(parameters[i], evaluate(*type.file, fallback));
    }
  }
  const Environment* shared = environments_.intern(std::move(environment));
  const auto& terms = type.file->facts.terms;
  if (symbol.type == SymbolType::kType && symbol.term != kNoIndex &&
      terms[symbol.term].kind != parse::TermKind::kOwnType) {
    return environments_.substitute(
        environments_.substitute(evaluate(*type.file, symbol.term), shared), type.environment);
  }
  return {{EntityKind::kInstance, type.file, type.index, shared}};
}

// Instances of the classes that `types` are.
Entities Resolver::instances(const Entities& types) {
  Entities found;
  for (const Entity& type : types) {
    switch (type.kind) {
      case EntityKind::kSymbol: {
        const parse::Symbol& symbol = symbol_of(type);
        if (is_type_like(symbol)) {
          add_all(found, type.environment == nullptr ? instance_of(type, {})
                                                     : Entities{{EntityKind::kInstance, type.file,
                                                                 type.index, type.environment}});
        } else if (is_callable(symbol)) {
          // A constructor function, whose members are assigned to it or to its prototype.
          add(found, {EntityKind::kInstance, type.file, type.index});
        } else {
          Entities values = value_of(type);
          const bool is_object = std::find(values.begin(), values.end(), type) != values.end();
          std::erase(values, type);
          if (is_object) add(found, {EntityKind::kInstance, type.file, type.index});
          if (!values.empty()) add_all(found, instances(values));
        }
        break;
      }
      case EntityKind::kContainer:
        if (container_kind(type) == ContainerKind::kClassOf) {
          add_all(found, type.environment->arguments[0]);
        } else {
          add(found, type);
        }
        break;
      case EntityKind::kLate:
        add_all(found, instances(settle({type})));
        break;
      case EntityKind::kLocal:
      case EntityKind::kTerm:
        add_all(found, instances(value_of(type)));
        break;
      case EntityKind::kInstance:
      case EntityKind::kSelf:
      case EntityKind::kExternal:
      case EntityKind::kTypeParameter:
        add(found, type);
        break;
      default:
        add(found, kUnknownEntity);
    }
  }
  return found;
}

Entities Resolver::underlying(const Entity& value) {
  if (!is_instance(value)) return {};
  const parse::Symbol& symbol = symbol_of(value);
  const auto& terms = value.file->facts.terms;
  if (symbol.type != SymbolType::kType || symbol.term == kNoIndex ||
      terms[symbol.term].kind != parse::TermKind::kOwnType) {
    return {};
  }
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  return environments_.substitute(evaluate(*value.file, symbol.term), value.environment);
}

// What a type parameter is at least.
Entities Resolver::constraint(const Entity& parameter) {
  if (parameter.kind != EntityKind::kTypeParameter) return {kUnknownEntity};
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  // (A where clause binds it again.)
  const parse::Binding& binding = parameter.file->facts.bindings[parameter.index];
  Entities values;
  for (const std::uint32_t other : parameter.file->bindings_in(binding.scope, binding.name)) {
    const TermId bound = parameter.file->facts.bindings[other].term;
    if (bound != kNoIndex) add_all(values, evaluate(*parameter.file, bound));
  }
  if (values.empty()) values.push_back(kUnknownEntity);
  std::erase(values, parameter);
  return values;
}

}  // namespace codexmem::graph
