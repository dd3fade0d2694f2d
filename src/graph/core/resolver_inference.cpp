// Inference: the values of type parameters, found from the arguments of a call.
#include <algorithm>

#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::TermId;
using parse::TermKind;

constexpr int kMaxUnifyDepth = 6;
// Keys of an object literal that are looked at to infer type arguments.
constexpr std::size_t kMaxUnifiedKeys = 48;
constexpr std::size_t kMaxSupertypes = 64;

bool is_type_parameter(const Entity& entity) {
  return entity.kind == EntityKind::kTypeParameter || entity.kind == EntityKind::kTypeVariable;
}

bool are_several(const Entity& value) {
  return value.kind == EntityKind::kContainer && container_kind(value) == ContainerKind::kTuple;
}

// True for a type without a name: a list, a function.
bool is_written_out(const Entity& entity) {
  return entity.kind == EntityKind::kContainer || entity.kind == EntityKind::kFunction;
}

}  // namespace

const Environment* Resolver::infer(const Callable& callable, const FileModel& file,
                                   std::span<const TermId> arguments,
                                   std::span<const TermId> type_arguments,
                                   bool looks_into_functions) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return nullptr;
  Environment environment;
  if (callable.symbol != kNoIndex && !type_arguments.empty()) {
    const auto parameters = callable.file->type_parameters_of(callable.symbol);
    for (std::size_t i = 0; i < parameters.size() && i < type_arguments.size(); ++i) {
      environment.bound.emplace_back(
          Entity{EntityKind::kTypeParameter, callable.file, parameters[i]},
          evaluate(file, type_arguments[i]));
    }
  }
  // f(g()) passes all that g gives.
  const auto& parameters = callable.file->facts.functions[callable.function].parameters;
  const auto is_needed = [](const parse::Parameter& parameter) {
    return !parameter.is_optional && !parameter.is_rest && !parameter.is_keyword;
  };
  Entities passed;
  if (arguments.size() == 1 && arguments[0] != kNoIndex &&
      file.facts.terms[arguments[0]].kind == TermKind::kCall &&
      std::ranges::count_if(parameters, is_needed) > 1) {
    passed = evaluate(file, arguments[0]);
    std::erase_if(passed, [](const Entity& value) { return !are_several(value); });
  }
  const bool passes_all = !passed.empty();
  for (std::uint32_t i = 0; passes_all && i < parameters.size(); ++i) {
    const Entities pattern = parameter_of(callable, i);
    if (!is_generic(pattern)) continue;
    unify(pattern, nth(passed, i), environment, looks_into_functions, 0);
  }
  for (std::size_t i = 0; i < arguments.size() && !passes_all; ++i) {
    const TermId argument = passed_value(file, arguments[i]);
    if (argument == kNoIndex) continue;
    const Entities pattern = parameter_of(
        callable, parameter_at(callable, file, arguments[i], static_cast<std::uint32_t>(i)));
    if (!is_generic(pattern)) continue;
    const TermKind kind = file.facts.terms[argument].kind;
    if (kind == TermKind::kFunction && !looks_into_functions) continue;
    Entities values = evaluate(file, argument);
    if (kind == TermKind::kCall || kind == TermKind::kNew) {
      values = settled(values, pattern, file);
    }
    unify(pattern, values, environment, looks_into_functions, 0);
  }
  // The bounds of a parameter that is known may give others: S ~[]E, M extends Map<K, V>.
  if (callable.symbol != kNoIndex) {
    for (const std::uint32_t binding : callable.file->type_parameters_of(callable.symbol)) {
      const Entity parameter{EntityKind::kTypeParameter, callable.file, binding};
      const Entities* stated = environment.find(parameter);
      const TermId bound = callable.file->facts.bindings[binding].term;
      if (stated == nullptr || bound == kNoIndex) continue;
      const Entities pattern = evaluate(*callable.file, bound);
      if (!is_generic(pattern)) continue;
      unify(pattern, Entities(*stated), environment, looks_into_functions, 0);
    }
  }
  // A parameter that is still unknown has its default.
  if (callable.symbol != kNoIndex) {
    for (const std::uint32_t binding : callable.file->type_parameters_of(callable.symbol)) {
      const Entity parameter{EntityKind::kTypeParameter, callable.file, binding};
      const TermId fallback = callable.file->facts.bindings[binding].fallback;
      if (fallback == kNoIndex || environment.find(parameter) != nullptr) continue;
      environment.bound.emplace_back(parameter, evaluate(*callable.file, fallback));
    }
  }
  return environments_.intern(std::move(environment));
}

const Environment* Resolver::extension_environment(const Entity& function, const Entity& receiver) {
  Environment environment;
  Entity plain = function;
  plain.environment = nullptr;
  for (const Callable& callable : callables({plain})) {
    unify(parameter_of(callable, 0), {receiver}, environment, false, 0);
  }
  environment.self = {receiver};
  return environments_.intern(std::move(environment));
}

// `values` of an argument that is a call with type parameters still unknown; they are taken from
// the `wanted` type: in f(new ArrayList<>()), collect(toList()).
Entities Resolver::settled(const Entities& values, const Entities& wanted, const FileModel& file) {
  if (!is_generic(values)) return values;
  Environment stated;
  unify(values, wanted, stated, false, 0);
  // The type parameters of the code around are already fixed.
  std::erase_if(stated.bound, [&](const auto& entry) { return entry.first.file == &file; });
  return environments_.substitute(values, environments_.intern(std::move(stated)));
}

// `value` seen as an instance of the class or interface of `type`, perhaps through supertypes;
// nothing when it is not an instance of it.
std::optional<Entity> Resolver::seen_as(const Entity& value, const Entity& type) {
  Entities open = {value};
  for (std::size_t i = 0; i < open.size() && i < kMaxSupertypes; ++i) {
    const Entity at = open[i];
    if (at.file == type.file && at.index == type.index) return at;
    for (const Entity& base : supertypes(at)) {
      if (base.kind == EntityKind::kInstance) add(open, base);
    }
  }
  return std::nullopt;
}

// Finds the values of the type parameters in `pattern` when `pattern` is matched with `given`;
// earlier finds stay.
void Resolver::unify(const Entities& pattern, const Entities& given, Environment& found,
                     bool looks_into_functions, int depth) {
  const RecursionGuard guard(*this);
  if (guard.over_limit() || depth > kMaxUnifyDepth) return;
  const auto again = [&](const Entities& inner, const Entities& inner_values) {
    if (is_generic(inner)) {
      unify(inner, inner_values, found, looks_into_functions, depth + 1);
    }
  };
  // A type that is declared by another fits where that other does.
  Entities values = settle(given);
  if (std::ranges::any_of(pattern, &is_written_out)) {
    for (const Entity& value : given) add_all(values, underlying(value));
  }
  Entities taken;  // by a part of the pattern that is more than a type parameter
  for (const Entity& wanted : pattern) {
    if (is_type_parameter(wanted)) continue;
    for (const Entity& value : values) {
      switch (wanted.kind) {
        case EntityKind::kContainer: {
          const auto& inner = wanted.environment->arguments;
          if (value.kind == EntityKind::kSymbol && is_type_like(symbol_of(value)) &&
              container_kind(wanted) == ContainerKind::kClassOf) {
            add(taken, value);
            again(inner[0], instances({value}));
          }
          if (container_kind(wanted) == ContainerKind::kCallable && looks_into_functions) {
            // Callable[[A], T]
            for (const Callable& callable : callables({value})) {
              add(taken, value);
              again(inner.back(), result_of(callable));
            }
            if (is_class(value)) again(inner.back(), instances({value}));
          }
          if (value.kind != EntityKind::kContainer) break;
          const auto& inside = value.environment->arguments;
          if (container_kind(wanted) == container_kind(value)) {
            for (std::size_t i = 0; i < inner.size() && i < inside.size(); ++i) {
              again(inner[i], inside[i]);
            }
          } else if (container_kind(wanted) == ContainerKind::kList) {
            again(inner[0], elements({value}));
          } else {
            break;
          }
          add(taken, value);
          break;
        }
        case EntityKind::kInstance: {
          if (wanted.environment == nullptr) break;
          if (value.kind == EntityKind::kInstance) {
            const std::optional<Entity> seen = seen_as(value, wanted);
            if (!seen || seen->environment == nullptr) break;
            add(taken, value);
            for (const auto& [parameter, inner] : wanted.environment->bound) {
              if (const Entities* known = seen->environment->find(parameter)) again(inner, *known);
            }
          } else if (value.kind == EntityKind::kContainer &&
                     !value.environment->arguments.empty() &&
                     wanted.environment->bound.size() == 1) {
            // A.class, for a Class<T>.
            add(taken, value);
            again(wanted.environment->bound[0].second, value.environment->arguments[0]);
          } else if (value.kind == EntityKind::kObject) {
            add(taken, value);
            const auto& keys = value.file->facts.objects[value.index].keys;
            for (std::size_t i = 0; i < keys.size() && i < kMaxUnifiedKeys; ++i) {
              const Entities inner = values_of(members({wanted}, value.file->name(keys[i].name)));
              if (keys[i].term == kNoIndex || !is_generic(inner)) continue;
              again(inner, environments_.substitute(evaluate(*value.file, keys[i].term),
                                                    value.environment));
            }
          } else if (value.kind == EntityKind::kFunction || value.kind == EntityKind::kSymbol) {
            for (const Callable& callable : callables({wanted})) {
              again(
                  {{EntityKind::kFunction, callable.file, callable.function, callable.environment}},
                  {value});
            }
          }
          break;
        }
        case EntityKind::kObject: {
          const auto& keys = wanted.file->facts.objects[wanted.index].keys;
          for (std::size_t i = 0; i < keys.size() && i < kMaxUnifiedKeys; ++i) {
            if (keys[i].term == kNoIndex) continue;
            const Entities inner =
                environments_.substitute(evaluate(*wanted.file, keys[i].term), wanted.environment);
            if (!is_generic(inner)) continue;
            again(inner, values_of(members({value}, wanted.file->name(keys[i].name))));
          }
          if (value.kind == EntityKind::kObject || value.kind == EntityKind::kInstance) {
            add(taken, value);
          }
          break;
        }
        case EntityKind::kFunction: {
          const parse::Function& function = wanted.file->facts.functions[wanted.index];
          const Callable expected{wanted.file, wanted.index, wanted.environment, kNoIndex};
          for (const Callable& callable : callables({value})) {
            add(taken, value);
            const auto& parameters = callable.file->facts.functions[callable.function].parameters;
            for (std::uint32_t i = 0; i < parameters.size(); ++i) {
              if (!parameters[i].is_annotated) continue;
              again(parameter_of(expected, i), parameter_of(callable, i));
            }
            if (!looks_into_functions || function.result == kNoIndex) continue;
            const Entities inner = result_of(expected);
            if (is_generic(inner)) again(inner, result_of(callable));
          }
          if (is_class(value) && looks_into_functions && function.result != kNoIndex) {
            again(result_of(expected), instances({value}));
          }
          break;
        }
        default:
          break;
      }
    }
  }
  for (const Entity& wanted : pattern) {
    if (!is_type_parameter(wanted)) continue;
    Entities left;
    for (const Entity& value : given) {
      const bool is_taken = std::find(taken.begin(), taken.end(), value) != taken.end();
      if (!is_taken && value.kind != EntityKind::kUnknown && value != wanted) add(left, value);
    }
    if (!left.empty() && found.find(wanted) == nullptr)
      found.bound.emplace_back(wanted, std::move(left));
  }
}

}  // namespace codexmem::graph
