// Values: what names hold, what terms give, what types stand for.
//
// A term is evaluated without regard to who asks: type parameters stay in its values as entities of
// their own. What they stand for is put in by substitution where the generic thing is used - a
// member of an instance, the result of a call, an alias with arguments.
#include <algorithm>
#include <optional>

#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

constexpr std::uint32_t kContainerKinds = 16;
// A union of more says little.
constexpr std::size_t kMaxUnion = 64;

// True for the terms that only types have: what a variable is annotated with.
bool is_annotation(TermKind kind) { return kind == TermKind::kType || kind == TermKind::kTuple; }

// True for calls that make a type variable in Python.
bool makes_type_variable(std::string_view callee) {
  return callee == "TypeVar" || callee == "ParamSpec" || callee == "TypeVarTuple";
}

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
    text = (file.family == Family::kPython ? "self." : "this.") + text;
  } else if (at->receiver_kind != parse::ReceiverKind::kNone) {
    return std::nullopt;
  }
  return file.find_name(text);
}

// The name of what is called, if it is a name.
std::string_view callee_name(const FileModel& file, const Term& call) {
  const auto parts = file.parts_of(call);
  if (call.kind != TermKind::kCall || parts.empty() || parts[0] == kNoIndex) return {};
  const Term& callee = file.facts.terms[parts[0]];
  if (callee.kind != TermKind::kName) return {};
  return file.name(file.facts.occurrences[callee.at].name);
}

}  // namespace

std::uint32_t container_index(Family family, ContainerKind kind) {
  return static_cast<std::uint32_t>(family) * kContainerKinds + static_cast<std::uint32_t>(kind);
}

ContainerKind container_kind(const Entity& container) {
  return static_cast<ContainerKind>(container.index % kContainerKinds);
}

Family container_family(const Entity& container) {
  return static_cast<Family>(container.index / kContainerKinds);
}

Entities Resolver::container(Family family, ContainerKind kind, std::vector<Entities> arguments) {
  Environment environment;
  environment.arguments = std::move(arguments);
  const Environment* shared = environments_.intern(std::move(environment));
  if (shared == nullptr) return {kExternalEntity};
  return {{EntityKind::kContainer, nullptr, container_index(family, kind), shared}};
}

// ---- Names.

// What occurrence `index` holds where it stands.
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
  return values_of(resolve(file, index));
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
  const Step step(*this);
  if (step.is_too_far()) return {kUnknownEntity};
  switch (entity.kind) {
    case EntityKind::kLocal: {
      // All bindings of the name in that scope: x = A() ... x = B().
      const parse::Binding& binding = entity.file->facts.bindings[entity.index];
      if (binding.kind == BindingKind::kTypeParameter) {
        return {{EntityKind::kTypeParameter, entity.file, entity.index}};
      }
      Entities values;
      bool is_told = false;
      for (const std::uint32_t other : entity.file->bindings_in(binding.scope, binding.name)) {
        const TermId term = entity.file->facts.bindings[other].term;
        if (term == kNoIndex) continue;
        is_told = true;
        add_all(values, evaluate(*entity.file, term));
      }
      if (!is_told) return {kUnknownEntity};
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
      Entities values;
      // An object with members of its own is what they are found in.
      if (entity.file->has_members(entity.index) && !is_annotation(kind)) add(values, entity);
      if (symbol.term != kNoIndex) {
        add_all(values,
                environments_.substitute(evaluate(*entity.file, symbol.term), entity.environment));
      }
      if (values.empty()) values.push_back(kUnknownEntity);
      return values;
    }
    default:
      return {entity};
  }
}

// ---- Types.

// The values that a type named by an occurrence has.
Entities Resolver::typed(const FileModel& file, std::uint32_t occurrence,
                         const std::vector<Entities>& arguments) {
  const Step step(*this);
  if (step.is_too_far()) return {kUnknownEntity};
  const std::string& name = file.name(file.facts.occurrences[occurrence].name);
  Entities found;
  bool is_type = false;
  const Entities meant = resolve(file, occurrence);
  for (const Entity& entity : meant) {
    switch (entity.kind) {
      case EntityKind::kSymbol: {
        const parse::Symbol& symbol = symbol_of(entity);
        if (is_type_like(symbol)) {
          is_type = true;
          add_all(found, instance_of(entity, arguments));
        } else if (file.family == Family::kPython && symbol.type == SymbolType::kVariable) {
          const Term* term =
              symbol.term == kNoIndex ? nullptr : &entity.file->facts.terms[symbol.term];
          if (term != nullptr && makes_type_variable(callee_name(*entity.file, *term))) {
            add(found, {EntityKind::kTypeVariable, entity.file, entity.index});
          } else {
            add_all(found, evaluate_type(*entity.file, symbol.term));
          }
        } else {
          add_all(found, instances({entity}));
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
        add(found, entity);
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

// A generic type of the language's library, or of a package that is named like one.
Entities Resolver::library_type(const FileModel& file, std::string_view name,
                                const std::vector<Entities>& arguments) {
  const auto rule = find_library_type(file.family, name);
  if (!rule || arguments.size() <= rule->first) return {kExternalEntity};
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

// The type parameters of a class, interface or alias, as entities.
std::vector<Entity> Resolver::type_parameters(const Entity& type) {
  std::vector<Entity> parameters;
  for (const std::uint32_t binding : type.file->type_parameters_of(type.index)) {
    parameters.push_back({EntityKind::kTypeParameter, type.file, binding});
  }
  if (!parameters.empty() || type.file->family != Family::kPython) return parameters;
  // The type variables of the bases, in order; those of Generic[...] or Protocol[...] alone where
  // they stand.
  for (const parse::Heritage* heritage : type.file->heritage_of(type.index)) {
    if (heritage->term == kNoIndex) continue;
    const Term& term = type.file->facts.terms[heritage->term];
    std::vector<Entity> own;
    for (const TermId part : type.file->parts_of(term)) {
      if (part == kNoIndex) continue;
      for (const Entity& entity : evaluate(*type.file, part)) {
        const bool is_new = std::find(own.begin(), own.end(), entity) == own.end();
        if (entity.kind == EntityKind::kTypeVariable && is_new) own.push_back(entity);
      }
    }
    const std::string& base =
        type.file->name(type.file->facts.occurrences[heritage->occurrence].name);
    if (base == "Generic" || base == "Protocol") return own;
    for (const Entity& entity : own) {
      if (std::find(parameters.begin(), parameters.end(), entity) == parameters.end()) {
        parameters.push_back(entity);
      }
    }
  }
  return parameters;
}

// An instance of a class, interface or enum with type arguments; of an alias what it stands for.
Entities Resolver::instance_of(const Entity& type, const std::vector<Entities>& arguments) {
  const Step step(*this);
  if (step.is_too_far()) return {kUnknownEntity};
  const parse::Symbol& symbol = symbol_of(type);
  const std::vector<Entity> parameters = type_parameters(type);
  Environment environment;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i < arguments.size()) {
      environment.bound.emplace_back(parameters[i], arguments[i]);
    } else if (parameters[i].kind == EntityKind::kTypeParameter) {
      const TermId fallback = type.file->facts.bindings[parameters[i].index].fallback;
      if (fallback == kNoIndex) continue;
      environment.bound.emplace_back(parameters[i], evaluate(*type.file, fallback));
    }
  }
  const Environment* shared = environments_.intern(std::move(environment));
  if (symbol.type == SymbolType::kType && symbol.term != kNoIndex) {
    return environments_.substitute(evaluate(*type.file, symbol.term), shared);
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
      case EntityKind::kLocal:
      case EntityKind::kTerm:
        add_all(found, instances(value_of(type)));
        break;
      case EntityKind::kInstance:
      case EntityKind::kSelf:
      case EntityKind::kExternal:
        add(found, type);
        break;
      default:
        add(found, kUnknownEntity);
    }
  }
  return found;
}

// What a type parameter is at least.
Entities Resolver::constraint(const Entity& parameter) {
  if (parameter.kind != EntityKind::kTypeParameter) return {kUnknownEntity};
  const Step step(*this);
  if (step.is_too_far()) return {kUnknownEntity};
  const TermId bound = parameter.file->facts.bindings[parameter.index].term;
  Entities values = evaluate(*parameter.file, bound);
  std::erase(values, parameter);
  return values;
}

// ---- Terms.

const Entities& Resolver::evaluate(const FileModel& file, TermId term) {
  static const Entities kUnknown = {kUnknownEntity};
  if (term == kNoIndex) return kUnknown;
  return memoised(&FileMemo::by_term, file, term, kUnknown, [&]() -> Entities {
    const Step step(*this);
    if (step.is_too_far()) return {kUnknownEntity};
    Entities values = evaluate_uncached(file, file.facts.terms[term]);
    if (values.empty()) values.push_back(kUnknownEntity);
    return values;
  });
}

Entities Resolver::evaluate_uncached(const FileModel& file, const Term& term) {
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
      return items(file, term);
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
      // class A extends B<T>, f<T>: what is applied; the callers that care look at the arguments.
      Entities values;
      for (const Entity& entity : part(0)) {
        if (entity.kind != EntityKind::kSymbol || !is_type_like(symbol_of(entity))) {
          add(values, entity);
          continue;
        }
        std::vector<Entities> arguments;
        for (std::size_t i = 1; i < parts.size(); ++i) arguments.push_back(part(i));
        for (Entity instance : instance_of(entity, arguments)) {
          if (instance.kind == EntityKind::kInstance) instance.kind = EntityKind::kSymbol;
          add(values, instance);
        }
      }
      return values;
    }
    case TermKind::kParameter:
      return given_parameter(part(0), term.at);
    case TermKind::kArgument:
      return term.at == kNoIndex ? Entities{kUnknownEntity} : expected_argument(file, term);
    case TermKind::kResult:
      return call_results(part(0));
    case TermKind::kModule: {
      Entities module = resolve_import(file, term.at, kNoIndex);
      const bool is_promise = file.facts.imports[term.at].kind == parse::ImportKind::kDynamic;
      return is_promise ? container(file.family, ContainerKind::kPromise, {std::move(module)})
                        : module;
    }
  }
  return {kUnknownEntity};
}

// A value that stands for a type: Python's X = Union[A, B], X = A | None, X = NewType("X", A).
Entities Resolver::evaluate_type(const FileModel& file, TermId id) {
  const Step step(*this);
  if (id == kNoIndex || step.is_too_far()) return {kUnknownEntity};
  const Term& term = file.facts.terms[id];
  const auto parts = file.parts_of(term);
  switch (term.kind) {
    case TermKind::kName:
      return typed(file, term.at, {});
    case TermKind::kItem: {
      if (parts.empty() || parts[0] == kNoIndex) return {kUnknownEntity};
      const Term& base = file.facts.terms[parts[0]];
      if (base.kind != TermKind::kName) return {kUnknownEntity};
      std::vector<Entities> arguments;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const Term* argument = parts[i] == kNoIndex ? nullptr : &file.facts.terms[parts[i]];
        if (argument != nullptr && argument->kind == TermKind::kTuple && parts.size() == 2) {
          for (const TermId item : file.parts_of(*argument)) {
            arguments.push_back(evaluate_type(file, item));
          }
        } else {
          arguments.push_back(evaluate_type(file, parts[i]));
        }
      }
      return typed(file, base.at, arguments);
    }
    case TermKind::kUnion: {
      Entities values;
      for (const TermId part : parts) add_all(values, evaluate_type(file, part));
      return values;
    }
    case TermKind::kCall:
      if (callee_name(file, term) == "NewType" && parts.size() > 2) {
        return evaluate_type(file, parts[2]);
      }
      return {kUnknownEntity};
    case TermKind::kType:
    case TermKind::kLiteral:
      return evaluate(file, id);
    default:
      return {kUnknownEntity};
  }
}

// What method `name` of an instance gives; nothing when it is none of the repository's.
std::optional<Entities> Resolver::method_results(const Entity& instance, std::string_view name) {
  const Entities methods = members({instance}, name);
  if (!has_kind(methods, EntityKind::kSymbol)) return std::nullopt;
  return call_results(methods);
}

// What iterating values gives.
Entities Resolver::elements(const Entities& values) {
  const Step step(*this);
  if (step.is_too_far()) return {kUnknownEntity};
  Entities found;
  for (const Entity& value : values) {
    switch (value.kind) {
      case EntityKind::kContainer: {
        const auto& arguments = value.environment->arguments;
        const Family family = container_family(value);
        switch (container_kind(value)) {
          case ContainerKind::kTuple:
            for (const Entities& argument : arguments) add_all(found, argument);
            break;
          case ContainerKind::kMap:
            // Python iterates the keys, ECMAScript the pairs.
            add_all(found, family == Family::kPython
                               ? arguments[0]
                               : container(family, ContainerKind::kTuple, arguments));
            break;
          case ContainerKind::kList:
            add_all(found, arguments[0]);
            break;
          default:
            add(found, kUnknownEntity);
        }
        break;
      }
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        bool is_told = false;
        if (value.file->family == Family::kPython) {
          for (const char* method : {"__iter__", "__aiter__"}) {
            for (const Entity& iterator : method_results(value, method).value_or(Entities{})) {
              if (is_instance(iterator)) {
                add_all(found, method_results(iterator, "__next__").value_or(Entities{}));
              } else {
                add_all(found, elements({iterator}));
              }
              is_told = true;
            }
          }
        } else {
          // interface X extends Array<Y>
          for (const Entity& base : supertypes(value)) {
            if (base.kind != EntityKind::kContainer) continue;
            add_all(found, elements({base}));
            is_told = true;
          }
        }
        if (!is_told) add(found, kUnknownEntity);
        break;
      }
      case EntityKind::kTypeParameter:
        add_all(found, elements(constraint(value)));
        break;
      case EntityKind::kExternal:
        add(found, kExternalEntity);
        break;
      default:
        add(found, kUnknownEntity);
    }
  }
  return found;
}

// a["b"], and what a pattern takes under the key b.
Entities Resolver::named_items(const Entities& values, std::string_view name) {
  Entities found;
  Entities others;
  for (const Entity& value : values) {
    const bool is_table = value.kind == EntityKind::kContainer &&
                          container_kind(value) == ContainerKind::kMap &&
                          container_family(value) == Family::kPython;
    if (is_table && value.environment->arguments.size() > 1) {
      add_all(found, value.environment->arguments[1]);
      continue;
    }
    const auto got = is_instance(value) && value.file->family == Family::kPython
                         ? method_results(value, "__getitem__")
                         : std::nullopt;
    if (got) {
      add_all(found, *got);
    } else {
      others.push_back(value);
    }
  }
  if (!others.empty()) add_all(found, values_of(members(others, name)));
  return found;
}

// a[0], a[b]
Entities Resolver::items(const FileModel& file, const Term& term) {
  const auto parts = file.parts_of(term);
  if (parts.empty()) return {kUnknownEntity};
  Entities found;
  for (const Entity& value : evaluate(file, parts[0])) {
    switch (value.kind) {
      case EntityKind::kContainer: {
        const auto& arguments = value.environment->arguments;
        switch (container_kind(value)) {
          case ContainerKind::kTuple:
            if (term.at != kNoIndex && term.at < arguments.size()) {
              add_all(found, arguments[term.at]);
            } else {
              for (const Entities& argument : arguments) add_all(found, argument);
            }
            break;
          case ContainerKind::kMap:
          case ContainerKind::kRecord:
            add_all(found, arguments.size() > 1 ? arguments[1] : Entities{kUnknownEntity});
            break;
          case ContainerKind::kList:
            add_all(found, arguments[0]);
            break;
          default:
            add(found, kUnknownEntity);
        }
        break;
      }
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        const auto got =
            file.family == Family::kPython ? method_results(value, "__getitem__") : std::nullopt;
        add_all(found, got.value_or(Entities{kUnknownEntity}));
        break;
      }
      case EntityKind::kObject: {
        const TermId other = value.file->facts.objects[value.index].other;
        add_all(found, environments_.substitute(evaluate(*value.file, other), value.environment));
        break;
      }
      case EntityKind::kExternal:
        add(found, kExternalEntity);
        break;
      default:
        add(found, kUnknownEntity);
    }
  }
  return found;
}

// with x as y
Entities Resolver::entered(const Entities& values) {
  Entities found;
  for (const Entity& value : values) {
    if (value.kind == EntityKind::kContainer && container_kind(value) == ContainerKind::kList) {
      add_all(found, value.environment->arguments[0]);  // a generator as context manager
      continue;
    }
    Entities given;
    if (is_instance(value)) {
      for (const char* method : {"__enter__", "__aenter__"}) {
        add_all(given, awaited(method_results(value, method).value_or(Entities{})));
      }
    }
    std::erase(given, kUnknownEntity);
    if (given.empty()) {
      add(found, value);
    } else {
      add_all(found, given);
    }
  }
  return found;
}

Entities Resolver::awaited(const Entities& values) {
  Entities found;
  for (const Entity& value : values) {
    if (value.kind == EntityKind::kContainer && container_kind(value) == ContainerKind::kPromise) {
      add_all(found, awaited(value.environment->arguments[0]));
    } else {
      add(found, value);
    }
  }
  return found;
}

}  // namespace codexmem::graph
