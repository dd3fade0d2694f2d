// Values: what names hold, what terms give, what types stand for.
//
// A term is evaluated without regard to who asks: type parameters stay in its values as entities of
// their own. What they stand for is put in by substitution where the generic thing is used - a
// member of an instance, the result of a call, an alias with arguments.
#include <algorithm>
#include <optional>

#include "graph/core/resolver_step.h"
#include "parse/walk/receivers.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

// A container's index is its family and kind, a method's is its container's and its number.
constexpr std::uint32_t kKindStep = 16;
constexpr std::uint32_t kMethodStep = 256;
// A union of more says little.
constexpr std::size_t kMaxUnion = 64;

// The name, with its receivers, that a condition may have tested: x, x.y, self.x.
std::optional<parse::NameId> tested_name(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence* at = &file.facts.occurrences[index];
  if (at->receiver_kind == parse::ReceiverKind::kNone) return at->name;
  std::string text = file.name(at->name);
  for (int depth = 0; depth < 3 && at->receiver_kind == parse::ReceiverKind::kName; ++depth) {
    at = &file.facts.occurrences[at->receiver];
    text = file.name(at->name) + "." + text;
  }
  if (at->receiver_kind == parse::ReceiverKind::kThis) {
    text = std::string(file.semantics.traits().protocol.self) + "." + text;
  } else if (at->receiver_kind != parse::ReceiverKind::kNone) {
    return std::nullopt;
  }
  return file.find_name(text);
}

// True for a.x where the type of a is of a package that may hold values of the repository.
bool is_foreign_field(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (!file.semantics.traits().foreign.things_hold_ours || at.role == parse::Role::kType ||
      at.role == parse::Role::kInherit) {
    return false;
  }
  return at.receiver_kind == parse::ReceiverKind::kTerm ||
         (at.receiver_kind == parse::ReceiverKind::kName &&
          file.facts.occurrences[at.receiver].role != parse::Role::kType);
}

}  // namespace

ContainerKind container_kind(const Entity& container) {
  return static_cast<ContainerKind>(container.index % kKindStep);
}

Family container_family(const Entity& container) {
  return static_cast<Family>(container.index / kKindStep);
}

const LanguageSemantics& container_semantics(const Entity& container) {
  return semantics_of(container_family(container));
}

Entity method_of(const Entity& container, std::uint32_t method) {
  return {EntityKind::kMethod, nullptr, container.index * kMethodStep + method,
          container.environment};
}

Entity container_of(const Entity& method) {
  return {EntityKind::kContainer, nullptr, method.index / kMethodStep, method.environment};
}

const LibraryMethodRule& rule_of(const Entity& method) {
  const Entity container = container_of(method);
  return container_semantics(container).library().method(container_kind(container),
                                                         method.index % kMethodStep);
}

Entities Resolver::container(Family family, ContainerKind kind, std::vector<Entities> arguments) {
  Environment environment;
  environment.arguments = std::move(arguments);
  const Environment* shared = environments_.intern(std::move(environment));
  if (shared == nullptr) return {kExternalEntity};
  const auto index =
      static_cast<std::uint32_t>(family) * kKindStep + static_cast<std::uint32_t>(kind);
  return {{EntityKind::kContainer, nullptr, index, shared}};
}

// ---- Names.

// The values of occurrence `index` at its position.
Entities Resolver::values_at(const FileModel& file, std::uint32_t index) {
  if (!file.facts.narrowings.empty()) {
    const auto name = tested_name(file, index);
    const TermId narrowed =
        name ? file.narrowed_at(*name, file.facts.occurrences[index].offset) : kNoIndex;
    if (narrowed != kNoIndex) {
      Entities values = evaluate(file, narrowed);
      if (!has_kind(values, EntityKind::kUnknown) && !values.empty()) return values;
    }
  }
  const Entities& meant = resolve(file, index);
  if (meant.size() == 1 && meant.front() == kExternalEntity && is_foreign_field(file, index)) {
    return {kUnknownEntity};
  }
  // A symbol of another name in another family is the accessor of a property.
  const parse::Occurrence& at = file.facts.occurrences[index];
  const auto is_accessor = [&](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && entity.file->family != file.family &&
           at.role != parse::Role::kCall && is_callable(symbol_of(entity)) &&
           symbol_of(entity).name != file.name(at.name);
  };
  if (std::ranges::any_of(meant, is_accessor)) return call_results(Entities(meant));
  return values_of(meant);
}

// What the things that a name means hold.
Entities Resolver::values_of(const Entities& meant) {
  Entities values;
  for (const Entity& entity : meant) {
    add_all(values, value_of(entity));
    if (values.size() > kMaxUnion) break;
  }
  if (values.empty()) values.push_back(kUnknownEntity);
  return values;
}

Entities Resolver::value_of(const Entity& entity) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  switch (entity.kind) {
    case EntityKind::kLocal: {
      // All bindings of the name in that scope: x = A() ... x = B().
      const parse::Binding& binding = entity.file->facts.bindings[entity.index];
      if (binding.kind == BindingKind::kTypeParameter) {
        return {{EntityKind::kTypeParameter, entity.file, entity.index}};
      }
      if (entity.file->semantics.traits().locals_are_distinct) {
        return evaluate(*entity.file, binding.term);
      }
      Entities values;
      bool is_identified = false;
      for (const std::uint32_t other : entity.file->bindings_in(binding.scope, binding.name)) {
        const TermId term = entity.file->facts.bindings[other].term;
        if (term == kNoIndex) continue;
        is_identified = true;
        add_all(values, evaluate(*entity.file, term));
      }
      if (!is_identified && binding.kind == BindingKind::kParameter)
        return overridden_parameter(entity);
      if (!is_identified) return {kUnknownEntity};
      return values;
    }
    case EntityKind::kTerm:
      if (entity.index == kNoIndex) return {kUnknownEntity};
      return environments_.substitute(evaluate(*entity.file, entity.index), entity.environment);
    case EntityKind::kSymbol: {
      const parse::Symbol& symbol = symbol_of(entity);
      const auto& terms = entity.file->facts.terms;
      const TermKind kind = symbol.term == kNoIndex ? TermKind::kName : terms[symbol.term].kind;
      if (is_type_like(symbol)) return {entity};
      // (A getter is called by its name alone.)
      if (is_callable(symbol) && kind != TermKind::kResult) return {entity};
      if (!is_annotation(kind)) {
        Entities declared = inherited_type(entity);
        if (!declared.empty() && !has_kind(declared, EntityKind::kUnknown)) return declared;
      }
      Entities values;
      // An object with members of its own is what they are found in.
      if (entity.file->has_members(entity.index) && !is_annotation(kind)) add(values, entity);
      if (symbol.term != kNoIndex) {
        Entities stated = evaluate(*entity.file, symbol.term);
        if (entity.file->is_library) stated = declared_by_library(*entity.file, std::move(stated));
        add_all(values, environments_.substitute(stated, entity.environment));
      }
      if (values.empty()) {
        values.push_back(entity.file->is_library ? kExternalEntity : kUnknownEntity);
      }
      return values;
    }
    default:
      return {entity};
  }
}

// A parameter without a type, in a method that overrides another: the value of the overridden
// method's parameter of the same name.
Entities Resolver::overridden_parameter(const Entity& parameter) {
  const FileModel& file = *parameter.file;
  const parse::Binding& binding = file.facts.bindings[parameter.index];
  const std::uint32_t method = file.facts.scopes[binding.scope].symbol;
  if (Entities given = file.semantics.given_by_name(*this, parameter); !given.empty()) return given;
  if (!file.semantics.traits().declared.overrides_inherit || method == kNoIndex) {
    return {kUnknownEntity};
  }
  const std::uint32_t owner = file.owner_of(method);
  if (owner == kNoIndex || !is_callable(file.facts.symbols[method])) return {kUnknownEntity};
  const Entity type{EntityKind::kInstance, &file, owner};
  const std::string& name = file.name(binding.name);
  Entities found;
  for (const Callable& base :
       callables(type_members(type, file.facts.symbols[method].name, false, type))) {
    const auto& parameters = base.file->facts.functions[base.function].parameters;
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].name == kNoIndex || base.file->name(parameters[i].name) != name) continue;
      if (parameters[i].is_annotated) add_all(found, parameter_of(base, i));
    }
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

// The type that a superclass declares for a field that is only assigned here.
Entities Resolver::inherited_type(const Entity& field) {
  if (!field.file->semantics.traits().declared.overrides_inherit) return {};
  const std::uint32_t owner = field.file->owner_of(field.index);
  if (owner == kNoIndex || symbol_of(field).type != SymbolType::kProperty) return {};
  const Entity type{EntityKind::kInstance, field.file, owner};
  Entities found;
  for (const Entity& base : type_members(type, symbol_of(field).name, false, type)) {
    if (base.kind != EntityKind::kSymbol) continue;
    const TermId term = symbol_of(base).term;
    if (term == kNoIndex || !is_annotation(base.file->facts.terms[term].kind)) continue;
    add_all(found, environments_.substitute(evaluate(*base.file, term), base.environment));
  }
  return found;
}

// ---- Terms.

const Entities& Resolver::evaluate(const FileModel& file, TermId term) {
  static const Entities kUnknown = {kUnknownEntity};
  if (term == kNoIndex) return kUnknown;
  return memoised(&FileMemo::by_term, file, term, kUnknown, [&]() -> Entities {
    const RecursionGuard guard(*this);
    if (guard.over_limit()) return {kUnknownEntity};
    Entities values = evaluate_uncached(file, term);
    if (values.empty()) values.push_back(kUnknownEntity);
    return values;
  });
}

Entities Resolver::evaluate_uncached(const FileModel& file, TermId id) {
  const Term& term = file.facts.terms[id];
  const auto parts = file.parts_of(term);
  const auto part = [&](std::size_t i) -> const Entities& {
    return evaluate(file, i < parts.size() ? parts[i] : kNoIndex);
  };
  switch (term.kind) {
    case TermKind::kName:
      return values_at(file, term.at);
    case TermKind::kType: {
      std::vector<Entities> arguments;
      for (std::size_t i = 0; i < parts.size(); ++i) arguments.push_back(part(i));
      return typed(file, term.at, arguments);
    }
    case TermKind::kThis:
      return {{EntityKind::kSelf, &file, term.at}};
    case TermKind::kLiteral:
      return {kExternalEntity};
    case TermKind::kLanguageType:
      return language_type(file, term);
    case TermKind::kNew:
    case TermKind::kCall:
      return call(file, term);
    case TermKind::kAwait:
      return awaited(part(0));
    case TermKind::kElement:
      return elements(part(0));
    case TermKind::kEntered:
      return entered(part(0));
    case TermKind::kMember:
      return named_items(part(0), file.name(term.at));
    case TermKind::kItem:
      // T[K]
      if (parts.size() == 2 && is_late(part(0))) return {{EntityKind::kLate, &file, id}};
      return items(file, term);
    case TermKind::kDefaulted: {
      Entities values = part(0);
      const bool is_identified = std::ranges::all_of(values, &is_known);
      if (!is_identified) add_all(values, part(1));
      return values;
    }
    case TermKind::kConditional:
      if (is_late(part(0))) return {{EntityKind::kLate, &file, id}};
      return conditional(file, term, nullptr);
    case TermKind::kOperator:
      return operated(file, term);
    case TermKind::kUnion: {
      Entities values;
      for (std::size_t i = 0; i < parts.size() && values.size() < kMaxUnion; ++i) {
        add_all(values, part(i));
      }
      return values;
    }
    case TermKind::kArray: {
      Entities element;
      for (std::size_t i = 0; i < parts.size() && element.size() < kMaxUnion; ++i) {
        add_all(element, part(i));
      }
      return container(file.family, ContainerKind::kList, {std::move(element)});
    }
    case TermKind::kTuple: {
      std::vector<Entities> arguments;
      for (std::size_t i = 0; i < parts.size(); ++i) arguments.push_back(part(i));
      return container(file.family, ContainerKind::kTuple, std::move(arguments));
    }
    case TermKind::kFunction:
      return {{EntityKind::kFunction, &file, term.at}};
    case TermKind::kObject:
      return {{EntityKind::kObject, &file, term.at}};
    case TermKind::kApply: {
      // class A extends B<T>, f<T>: the generic itself; callers that need the arguments read them.
      Entities values;
      std::vector<Entities> arguments;
      for (std::size_t i = 1; i < parts.size(); ++i) arguments.push_back(part(i));
      const bool may_hold = file.semantics.traits().foreign.things_hold_ours;
      for (const Entity& entity : Entities(part(0))) {
        if (may_hold && !is_identified(entity)) {
          add_all(values, foreign(file, ContainerKind::kForeign, arguments));
          continue;
        }
        if (entity.kind != EntityKind::kSymbol || !is_type_like(symbol_of(entity))) {
          add(values, entity);
          continue;
        }
        for (Entity instance : instance_of(entity, arguments)) {
          if (instance.kind == EntityKind::kInstance) instance.kind = EntityKind::kSymbol;
          add(values, instance);
        }
      }
      return values;
    }
    case TermKind::kParameter: {
      Entities given = given_parameter(part(0), term.at);
      if (term.at != parse::kReceiverParameter || parts.size() < 2) return given;
      const bool is_identified = std::ranges::any_of(given, [](const Entity& value) {
        return value.kind != EntityKind::kUnknown && value.kind != EntityKind::kExternal;
      });
      return is_identified ? given : part(1);
    }
    case TermKind::kArgument:
      return term.at == kNoIndex ? Entities{kUnknownEntity} : expected_argument(file, term);
    case TermKind::kResult:
      return call_results(part(0));
    case TermKind::kMap:
      return container(file.family, ContainerKind::kMap, {part(0), part(1)});
    case TermKind::kChannel:
      return container(file.family, ContainerKind::kChannel, {part(0)});
    case TermKind::kNth:
      return nth(part(0), term.at);
    case TermKind::kRanged:
      return ranged(part(0), term.at);
    case TermKind::kVariant:
      return variant(file, term);
    case TermKind::kOwnType:
      return part(0);
    case TermKind::kOwnParameter: {
      Entities own;
      const Term& type = file.facts.terms[parts[0]];
      if (type.kind != TermKind::kType) return {kUnknownEntity};
      for (const Entity& entity : Entities(resolve(file, type.at))) {
        if (entity.kind != EntityKind::kSymbol) continue;
        const std::vector<Entity> parameters = type_parameters(entity);
        if (term.at < parameters.size()) add(own, parameters[term.at]);
      }
      return own;
    }
    case TermKind::kModule: {
      Entities module = resolve_import(file, term.at, kNoIndex);
      const bool is_promise = file.facts.imports[term.at].kind == parse::ImportKind::kDynamic;
      return is_promise ? container(file.family, ContainerKind::kPromise, {std::move(module)})
                        : module;
    }
  }
  return {kUnknownEntity};
}

// The results of method `name` of an instance; nothing when the repository does not declare it.
std::optional<Entities> Resolver::method_results(const Entity& instance, std::string_view name) {
  const Entities methods = members({instance}, name);
  if (!has_kind(methods, EntityKind::kSymbol)) return std::nullopt;
  return call_results(methods);
}

// What a[b] of an instance gives, where a method says so.
std::optional<Entities> Resolver::item_results(const Entity& instance) {
  const std::string_view method = instance.file->semantics.traits().protocol.item;
  return method.empty() ? std::nullopt : method_results(instance, method);
}

}  // namespace codexmem::graph
