// Calls: their results, and the types that their arguments are expected to have.
//
// Overloads are distinguished only by the number of arguments; when several fit, the answer is the
// results of them all.
#include <algorithm>

#include <cctype>

#include "graph/core/foreign.h"
#include "graph/core/resolver_step.h"
#include "parse/walk/receivers.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

// A call or new, taken apart.
struct CallParts {
  TermId callee = kNoIndex;
  std::span<const TermId> arguments;
  std::span<const TermId> type_arguments;
  bool constructs = false;
};

CallParts take_apart(const FileModel& file, const Term& term) {
  CallParts call;
  const auto parts = file.parts_of(term);
  call.constructs = term.kind == TermKind::kNew;
  if (parts.empty()) return call;
  call.callee = parts[0];
  call.arguments = parts.subspan(1);
  if (call.callee == kNoIndex) return call;
  const Term& callee = file.facts.terms[call.callee];
  const auto applied = file.parts_of(callee);
  if (callee.kind == TermKind::kApply && !applied.empty()) {
    call.callee = applied[0];
    call.type_arguments = applied.subspan(1);
  }
  const bool is_item = callee.kind == TermKind::kItem && applied.size() > 1;
  if (is_item && file.semantics.traits().types_are_called) {
    call.type_arguments = applied.subspan(1);
  }
  return call;
}

// True for a class that every file has: new Map(). (A proxy has the members of what it stands for.)
bool is_built_in(const FileModel& file, TermId callee) {
  const Term& term = file.facts.terms[callee];
  if (term.kind != TermKind::kName) return false;
  const parse::Occurrence& at = file.facts.occurrences[term.at];
  return at.receiver_kind == parse::ReceiverKind::kNone && file.name(at.name) != "Proxy" &&
         file.semantics.library().has("globals", file.name(at.name));
}

// The parameters of Callable[[A, B], C]; nullptr for any other type.
const Entities* callable_parameters(const Entity& callable) {
  if (callable.kind != EntityKind::kContainer ||
      container_kind(callable) != ContainerKind::kCallable) {
    return nullptr;
  }
  const auto& arguments = callable.environment->arguments;
  return arguments.size() > 1 ? &arguments.front() : nullptr;
}

// "values" or "Object.values".
std::string called_name(const FileModel& file, TermId callee, bool is_qualified) {
  if (callee == kNoIndex) return {};
  const Term& term = file.facts.terms[callee];
  if (term.kind != TermKind::kName) return {};
  const parse::Occurrence& at = file.facts.occurrences[term.at];
  if (at.receiver_kind == parse::ReceiverKind::kNone) {
    return is_qualified ? std::string() : file.name(at.name);
  }
  if (!is_qualified || at.receiver_kind != parse::ReceiverKind::kName) return {};
  return file.name(file.facts.occurrences[at.receiver].name) + "." + file.name(at.name);
}

}  // namespace

// ---- What can be called.

std::vector<Resolver::Callable> Resolver::callables(const Entities& callees) {
  std::vector<Callable> found;
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return found;
  const auto add_signatures = [&](const Entity& object) {
    for (const std::uint32_t function : object.file->facts.objects[object.index].calls) {
      found.push_back({object.file, function, object.environment, kNoIndex});
    }
  };
  for (const Entity& callee : settle(callees)) {
    switch (callee.kind) {
      case EntityKind::kSymbol: {
        const parse::Symbol& symbol = symbol_of(callee);
        if (symbol.type == SymbolType::kInterface) {
          // What its companion does when it is called.
          const std::string_view method = callee.file->semantics.traits().protocol.call;
          if (method.empty()) break;
          for (const Entity& member : type_members(callee, method, true, callee)) {
            if (member.kind != EntityKind::kSymbol || is_type_like(symbol_of(member))) continue;
            for (const Callable& callable : callables({member})) found.push_back(callable);
          }
          break;
        }
        if (symbol.term == kNoIndex || is_type_like(symbol)) break;
        const Term& term = callee.file->facts.terms[symbol.term];
        if (term.kind == TermKind::kFunction) {
          found.push_back(
              {callee.file, term.at, callee.environment, callee.index, leading_parameters(callee)});
        }
        break;
      }
      case EntityKind::kFunction:
        found.push_back({callee.file, callee.index, callee.environment, kNoIndex});
        break;
      case EntityKind::kObject:
        add_signatures(callee);
        break;
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        const parse::Symbol& symbol = symbol_of(callee);
        if (const Entities inner = underlying(callee); !inner.empty()) {
          for (const Callable& callable : callables(inner)) found.push_back(callable);
          break;
        }
        const Entities called = callee.file->semantics.called_members(*this, callee);
        if (!called.empty()) {
          for (const Callable& callable : callables(called)) found.push_back(callable);
          break;
        }
        if (symbol.type != SymbolType::kInterface) break;
        if (symbol.term != kNoIndex) {
          const Term& term = callee.file->facts.terms[symbol.term];
          if (term.kind == TermKind::kObject) {
            add_signatures({EntityKind::kObject, callee.file, term.at, callee.environment});
          }
        }
        if (found.empty()) {
          for (const Callable& callable : callables(supertypes(callee))) found.push_back(callable);
        }
        break;
      }
      case EntityKind::kTypeParameter:
        for (const Callable& callable : callables(constraint(callee))) found.push_back(callable);
        break;
      default:
        break;
    }
  }
  return found;
}

// The constructors of a class.
std::vector<Resolver::Callable> Resolver::constructors(const Entity& type) {
  Entity instance = type;
  instance.kind = EntityKind::kInstance;
  std::vector<Callable> found = callables(
      type_members(instance, type.file->semantics.traits().protocol.constructor, true, instance));
  // The one that is written with its class.
  const TermId own = symbol_of(type).term;
  if (is_class(type) && own != kNoIndex &&
      type.file->facts.terms[own].kind == TermKind::kFunction) {
    found.push_back({type.file, type.file->facts.terms[own].at, type.environment, type.index});
  }
  return found;
}

// The candidates that take so many arguments; all candidates when no one does.
std::vector<Resolver::Callable> Resolver::fitting(std::vector<Callable> candidates,
                                                  std::size_t arguments) {
  if (candidates.size() < 2) return candidates;
  // The implementation of overloads is not called.
  const auto is_signature = [](const Callable& callable) {
    return callable.symbol != kNoIndex &&
           callable.file->semantics.traits().signatures_have_no_body &&
           callable.file->facts.symbols[callable.symbol].body.empty();
  };
  if (std::any_of(candidates.begin(), candidates.end(), is_signature)) {
    std::erase_if(candidates, [&](const Callable& callable) {
      return callable.symbol != kNoIndex && !is_signature(callable);
    });
  }
  std::vector<Callable> fit;
  for (const Callable& callable : candidates) {
    const auto& parameters = callable.file->facts.functions[callable.function].parameters;
    std::size_t least = 0;
    bool has_rest = false;
    const std::size_t given = arguments + callable.leading;
    for (const parse::Parameter& parameter : parameters) {
      has_rest = has_rest || parameter.is_rest;
      if (!parameter.is_optional && !parameter.is_rest && !parameter.is_keyword) ++least;
    }
    if (given >= least && (has_rest || given <= parameters.size())) fit.push_back(callable);
  }
  return fit.empty() ? candidates : fit;
}

// ---- What calls give.

Entities Resolver::result_of(const Callable& callable) {
  const parse::Function& function = callable.file->facts.functions[callable.function];
  if (function.result == kNoIndex) {
    return {callable.file->is_library ? kExternalEntity : kUnknownEntity};
  }
  Entities result = evaluate(*callable.file, function.result);
  if (callable.file->is_library) result = declared_by_library(*callable.file, std::move(result));
  result = environments_.substitute(result, callable.environment);
  // def __enter__(self: T) -> T: the result is known only from self.
  if (callable.environment != nullptr && !callable.environment->self.empty() &&
      has_kind(result, EntityKind::kTypeVariable)) {
    Entities stated;
    for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
      add_all(stated, parameter_of(callable, i));
    }
    Entities replaced;
    for (const Entity& entity : result) {
      const bool is_of_self = entity.kind == EntityKind::kTypeVariable && !mentions(stated, entity);
      if (is_of_self) {
        add_all(replaced, callable.environment->self);
      } else {
        add(replaced, entity);
      }
    }
    result = std::move(replaced);
  }
  const Family family = callable.file->family;
  if (!function.is_annotated && function.is_generator) {
    result = container(family, ContainerKind::kList, {std::move(result)});
  } else if (function.is_async && !function.is_generator &&
             (!function.is_annotated ||
              callable.file->semantics.traits().declared.async_is_awaited)) {
    result = container(family, ContainerKind::kPromise, {awaited(result)});
  }
  return result;
}

Entities Resolver::call_results(const Entities& callees) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  Entities results;
  for (const Entity& callee : settle(callees)) {
    if (is_class(callee)) {
      add_results(results, instances({callee}));
      continue;
    }
    if (callee.kind == EntityKind::kExternal) {
      add_result(results, kExternalEntity);
      continue;
    }
    if (is_foreign(callee)) {
      add_results(results, container(container_family(callee), ContainerKind::kReached,
                                     callee.environment->arguments));
      continue;
    }
    if (callee.kind == EntityKind::kContainer) {
      const auto& arguments = callee.environment->arguments;
      const bool is_callable = container_kind(callee) == ContainerKind::kCallable;
      add_results(results, is_callable ? arguments.back() : Entities{kUnknownEntity});
      continue;
    }
    if (callee.kind == EntityKind::kMethod) {
      add_result(results, kUnknownEntity);
      continue;
    }
    const std::vector<Callable> functions =
        callee.kind == EntityKind::kTerm || callee.kind == EntityKind::kLocal
            ? callables(value_of(callee))
            : callables({callee});
    for (const Callable& callable : functions) add_results(results, result_of(callable));
    if (functions.empty()) add_result(results, unknown_as(callee));
  }
  if (results.empty()) results.push_back(kUnknownEntity);
  return results;
}

Entities Resolver::call(const FileModel& file, const Term& term) {
  const CallParts parts = take_apart(file, term);
  if (parts.callee == kNoIndex) return {kUnknownEntity};
  Entities callees = without_makers(settle(evaluate(file, parts.callee)));
  const bool is_new = parts.constructs && parts.type_arguments.empty();
  if (is_new && is_built_in(file, parts.callee) && std::ranges::none_of(callees, &is_known))
    return {kExternalEntity};
  // A class and its constructors.
  if (parts.constructs && std::any_of(callees.begin(), callees.end(), is_class)) {
    std::erase_if(callees, [](const Entity& callee) {
      return callee.kind == EntityKind::kSymbol && is_callable(symbol_of(callee));
    });
  }
  Entities results;
  std::vector<Callable> functions;
  bool is_unknown = false;
  const LanguageTraits& traits = file.semantics.traits();
  for (const Entity& callee : callees) {
    if (callee.kind == EntityKind::kExternal && !parts.type_arguments.empty() &&
        has_open_generics(file)) {
      std::vector<Entities> written;
      for (const TermId argument : parts.type_arguments) {
        written.push_back(instances(evaluate(file, argument)));
      }
      const Entities guess = foreign_generic(file, written);
      if (guess != Entities{kExternalEntity}) {
        add_results(results, guess);
        continue;
      }
    }
    if (auto stated = file.semantics.called(*this, file, callee, parts.arguments)) {
      add_results(results, *stated);
      continue;
    }
    switch (callee.kind) {
      case EntityKind::kUnknown:
      case EntityKind::kExternal:
        is_unknown = true;
        if (callee == kGuessEntity) add_result(results, callee);
        break;
      case EntityKind::kMethod: {
        add_results(results, library_result(file, rule_of(callee).result, {container_of(callee)},
                                            parts.arguments));
        break;
      }
      case EntityKind::kContainer:
        if (parts.constructs || container_kind(callee) == ContainerKind::kClassOf) {
          add_results(results, instances({callee}));
        } else {
          add_results(results, call_results({callee}));
        }
        break;
      case EntityKind::kSymbol:
        if (is_type_like(symbol_of(callee)) && callee.file->semantics.traits().types_are_called) {
          std::vector<Entities> written;
          for (const TermId argument : parts.type_arguments) {
            written.push_back(evaluate(file, argument));
          }
          add_results(results, instance_of(callee, written));
          break;
        }
        if (is_class(callee)) {
          // Its type parameters: as written, else inferred from the constructor's arguments.
          std::vector<Entities> written;
          for (const TermId argument : parts.type_arguments) {
            written.push_back(evaluate(file, argument));
          }
          const std::vector<Entity> parameters = type_parameters(callee);
          if (written.empty() && !parameters.empty() && callee.environment == nullptr) {
            const auto made = fitting(constructors(callee), parts.arguments.size());
            const Environment* inferred =
                made.empty() ? nullptr : infer(made.front(), file, parts.arguments, {}, true);
            for (const Entity& parameter : parameters) {
              const Entities* bound = inferred == nullptr ? nullptr : inferred->find(parameter);
              written.push_back(bound == nullptr ? Entities{parameter} : *bound);
            }
          }
          add_results(results, callee.environment != nullptr ? instances({callee})
                                                             : instance_of(callee, written));
          break;
        }
        if (parts.constructs && is_callable(symbol_of(callee))) {
          add_results(results, instances({callee}));
          break;
        }
        if (parts.constructs && callee.file->has_members(callee.index)) {
          add_results(results, instances({callee}));
          break;
        }
        [[fallthrough]];
      default: {
        if (traits.calls_reach_values && callee.kind != EntityKind::kSymbol &&
            callee.kind != EntityKind::kFunction) {
          add_result(results, callee);
          break;
        }
        std::vector<Callable> more = callables({callee});
        if (more.empty()) is_unknown = true;
        functions.insert(functions.end(), more.begin(), more.end());
      }
    }
  }
  for (const Callable& callable : fitting(std::move(functions), parts.arguments.size())) {
    const parse::Function& function = callable.file->facts.functions[callable.function];
    if (function.result == kNoIndex) {
      add_results(results, result_of(callable));
      continue;
    }
    Entities result = result_of(callable);
    if (is_generic(result)) {
      result = environments_.substitute(
          result, infer(callable, file, parts.arguments, parts.type_arguments, true));
    }
    add_results(results, result);
  }
  if (is_unknown && results.empty()) {
    const LibraryTables& library = file.semantics.library();
    Flow flow = library.function(called_name(file, parts.callee, true));
    if (flow == Flow::kNothing) flow = library.function(called_name(file, parts.callee, false));
    if (flow != Flow::kNothing && !parts.arguments.empty()) {
      add_results(results,
                  library_result(file, flow, evaluate(file, parts.arguments[0]), parts.arguments));
    }
  }
  if (is_unknown && results.empty() && parts.constructs && !parts.type_arguments.empty()) {
    // new Map<string, A>()
    std::vector<Entities> arguments;
    for (const TermId argument : parts.type_arguments)
      arguments.push_back(evaluate(file, argument));
    add_results(results, library_type(file, called_name(file, parts.callee, false), arguments));
  }
  if (is_unknown && results.empty() && traits.foreign.things_hold_ours) {
    // cast<T>(x), C<T>(x)
    std::vector<Entities> arguments;
    for (const TermId argument : parts.type_arguments) {
      arguments.push_back(evaluate(file, argument));
    }
    std::erase_if(arguments, [](const Entities& argument) {
      return std::ranges::none_of(argument, &is_identified);
    });
    if (!arguments.empty()) {
      add_results(results, foreign(file, ContainerKind::kReached, std::move(arguments)));
    }
  }
  if (is_unknown && results.empty()) {
    const bool is_external = has_kind(callees, EntityKind::kExternal) &&
                             (!traits.foreign.results_are_unknown ||
                              (parts.constructs && traits.foreign.instances_are_external));
    // A foreign function may return its arguments.
    const bool is_foreign =
        may_be_foreign(callees) ||
        (is_external && has_open_generics(file) &&
         std::ranges::any_of(parts.arguments, [&](TermId argument) {
           return std::ranges::any_of(Entities(evaluate(file, argument)), &mentions_repository);
         }));
    add_result(results, is_foreign    ? kForeignEntity
                        : is_external ? kExternalEntity
                                      : kUnknownEntity);
  }
  return results;
}

// ---- What arguments are expected to be.

// What a function's parameter number `index` is declared as.
Entities Resolver::parameter_of(const Callable& callable, std::uint32_t index) {
  const auto& parameters = callable.file->facts.functions[callable.function].parameters;
  if (parameters.empty()) return {};
  index += callable.leading;
  const parse::Parameter* parameter = nullptr;
  if (index < parameters.size()) {
    parameter = &parameters[index];
  } else if (parameters.back().is_rest) {
    parameter = &parameters.back();
  }
  if (parameter == nullptr || parameter->is_keyword || parameter->term == kNoIndex) return {};
  Entities values = evaluate(*callable.file, parameter->term);
  if (parameter->is_rest && callable.file->semantics.traits().declared.rest_is_list) {
    values = elements(values);
  }
  return environments_.substitute(values, callable.environment);
}

// What the callee of a call wants as an argument.
Entities Resolver::expected_argument(const FileModel& file, const Term& term) {
  const auto of = file.parts_of(term);
  if (of.empty() || of[0] == kNoIndex) return {kUnknownEntity};
  const CallParts parts = take_apart(file, file.facts.terms[of[0]]);
  if (parts.callee == kNoIndex) return {kUnknownEntity};
  Entities found;
  std::vector<Callable> functions;
  for (const Entity& callee : settle(evaluate(file, parts.callee))) {
    if (callee.kind == EntityKind::kMethod) {
      if (term.at == 0) {
        add(found, {EntityKind::kCallback, nullptr, callee.index, callee.environment});
      }
    } else if (callee.kind == EntityKind::kExternal) {
      // (list.push(a) takes what the list holds.)
      const Term& called = file.facts.terms[parts.callee];
      Entities held;
      if (called.kind == TermKind::kName &&
          file.facts.occurrences[called.at].receiver_kind != parse::ReceiverKind::kNone) {
        held = receivers(file, called.at);
      }
      std::erase_if(held, [](const Entity& each) { return each.kind != EntityKind::kContainer; });
      if (!held.empty()) {
        add_all(found, elements(held));
      } else {
        add(found, has_open_generics(file) ? kForeignEntity : kExternalEntity);
      }
    } else if (callee == kForeignEntity) {
      add(found, callee);
    } else {
      const bool makes = is_class(callee);
      for (const Callable& callable : makes ? constructors(callee) : callables({callee})) {
        functions.push_back(callable);
      }
    }
  }
  const std::size_t count = std::max<std::size_t>(parts.arguments.size(), term.at + 1);
  const TermId own = term.at < parts.arguments.size() ? parts.arguments[term.at] : kNoIndex;
  for (const Callable& callable : fitting(std::move(functions), count)) {
    Entities wanted = parameter_of(callable, parameter_at(callable, file, own, term.at));
    if (is_generic(wanted) && of.size() > 1) {
      // const a: A = make(x => ...): the expected type of the call gives its type parameters.
      Environment environment;
      unify(result_of(callable), evaluate(file, of[1]), environment, false, 0);
      wanted = environments_.substitute(wanted, environments_.intern(std::move(environment)));
    }
    if (is_generic(wanted)) {
      // What the functions among the arguments give depends on this very answer.
      wanted = environments_.substitute(
          wanted, infer(callable, file, parts.arguments, parts.type_arguments, false));
    }
    add_all(found, wanted);
  }
  return found;
}

// What a function that is expected to be one of `functions` gets as its parameter.
Entities Resolver::given_parameter(const Entities& functions, std::uint32_t index) {
  Entities found;
  for (const Entity& function : settle(functions)) {
    if (function.kind == EntityKind::kCallback) {
      const LibraryMethodRule& rule = rule_of(function);
      const Flow flow = index == 0 ? rule.first : index == 1 ? rule.second : Flow::kNothing;
      const auto& arguments = function.environment->arguments;
      switch (flow) {
        case Flow::kElement:
          for (const Entities& argument : arguments) add_all(found, argument);
          break;
        case Flow::kKey:
        case Flow::kAwaited:
          add_all(found, arguments[0]);
          break;
        case Flow::kValue:
          if (arguments.size() > 1) add_all(found, arguments[1]);
          break;
        default:
          add(found, kUnknownEntity);
      }
      continue;
    }
    if (function.kind == EntityKind::kExternal || function == kForeignEntity) {
      add(found, function);
      continue;
    }
    if (const Entities* parameters = callable_parameters(function)) {
      for (const Entity& tuple : *parameters) {
        const bool is_identified = tuple.kind == EntityKind::kContainer &&
                                   container_kind(tuple) == ContainerKind::kTuple &&
                                   index < tuple.environment->arguments.size();
        add_all(found,
                is_identified ? tuple.environment->arguments[index] : Entities{kUnknownEntity});
      }
      continue;
    }
    for (const Callable& callable : callables({function})) {
      // A function type may say what it is called on.
      const bool is_called_on =
          callable.leading == 0 && callable.file->facts.functions[callable.function].is_extension;
      if (index == parse::kReceiverParameter) {
        add_all(found, is_called_on ? parameter_of(callable, 0) : Entities{kExternalEntity});
      } else {
        add_all(found, parameter_of(callable, index + (is_called_on ? 1 : 0)));
      }
    }
  }
  return found;
}

// Which parameter takes argument number `position`, which may say so itself.
std::uint32_t Resolver::parameter_at(const Callable& callable, const FileModel& file,
                                     TermId argument, std::uint32_t position) {
  const auto passed = passed_by_name(file, argument);
  if (!passed) return position;
  const auto& parameters = callable.file->facts.functions[callable.function].parameters;
  for (std::uint32_t i = callable.leading; i < parameters.size(); ++i) {
    if (*passed == ":") return static_cast<std::uint32_t>(parameters.size()) - 1 - callable.leading;
    if (parameters[i].name != kNoIndex && callable.file->name(parameters[i].name) == *passed) {
      return i - callable.leading;
    }
  }
  return position;
}

std::optional<std::string_view> passed_by_name(const FileModel& file, TermId argument) {
  if (argument == kNoIndex) return std::nullopt;
  const Term& term = file.facts.terms[argument];
  if (term.kind != TermKind::kOperator || term.part_count != 1) return std::nullopt;
  const std::string_view name = file.name(term.at);
  if (name.empty()) return std::nullopt;
  const bool is_word = name == ":" || std::isalpha(static_cast<unsigned char>(name.front())) != 0 ||
                       name.front() == '_' || name.front() == '`';
  return is_word ? std::optional(name) : std::nullopt;
}

TermId passed_value(const FileModel& file, TermId argument) {
  return passed_by_name(file, argument) ? file.parts_of(file.facts.terms[argument])[0] : argument;
}

}  // namespace codexmem::graph
