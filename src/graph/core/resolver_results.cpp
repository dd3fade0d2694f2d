// What the library's functions and methods give, and operators. Part of the calls of
// resolver_calls.cpp.
#include <algorithm>

#include "graph/core/resolver_step.h"
#include "parse/walk/receivers.h"

namespace codexmem::graph {

using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

// What a function or method of the library gives: `container` is what the method is of, or the
// function's first argument.
Entities Resolver::library_result(const FileModel& file, Flow flow, const Entities& container_of,
                                  std::span<const TermId> arguments) {
  const Family family = file.family;
  const auto list = [&](Entities element) {
    return container(family, ContainerKind::kList, {std::move(element)});
  };
  const auto argument_of = [&](std::size_t index) {
    Entities found;
    for (const Entity& value : container_of) {
      if (value.kind == EntityKind::kContainer && value.environment->arguments.size() > index) {
        add_all(found, value.environment->arguments[index]);
      } else {
        add(found, kUnknownEntity);
      }
    }
    return found;
  };
  const auto callback_result = [&] {
    return arguments.empty() ? Entities{kUnknownEntity}
                             : call_results(evaluate(file, arguments[0]));
  };
  switch (flow) {
    case Flow::kNothing:
      return {kExternalEntity};
    case Flow::kSame:
      return container_of;
    case Flow::kElement:
      return elements(container_of);
    case Flow::kKey:
      return argument_of(0);
    case Flow::kValue:
      return argument_of(1);
    case Flow::kElements:
      return list(elements(container_of));
    case Flow::kKeys:
      return list(argument_of(0));
    case Flow::kValues:
      return list(argument_of(1));
    case Flow::kEntries:
      return list(container(family, ContainerKind::kTuple, {argument_of(0), argument_of(1)}));
    case Flow::kEnumerated:
      return list(container(family, ContainerKind::kTuple,
                            {Entities{kExternalEntity}, elements(container_of)}));
    case Flow::kAwaited:
      return awaited(container_of);
    case Flow::kCallbackList:
      return list(callback_result());
    case Flow::kCallbackElements: {
      const Entities results = callback_result();
      return list(has_kind(results, EntityKind::kContainer) ? elements(results) : results);
    }
    case Flow::kCallbackPromise:
      return container(family, ContainerKind::kPromise, {awaited(callback_result())});
    case Flow::kSecond:
      return arguments.size() > 1 ? evaluate(file, arguments[1]) : elements(container_of);
    case Flow::kPromiseOf:
      return container(family, ContainerKind::kPromise, {awaited(container_of)});
    case Flow::kPromiseOfEach: {
      Entities all;
      for (const Entity& value : container_of) {
        if (value.kind == EntityKind::kContainer &&
            container_kind(value) == ContainerKind::kTuple) {
          std::vector<Entities> each;
          for (const Entities& item : value.environment->arguments) each.push_back(awaited(item));
          add_all(all, container(family, ContainerKind::kTuple, std::move(each)));
        } else {
          add_all(all, list(awaited(elements({value}))));
        }
      }
      return container(family, ContainerKind::kPromise, {std::move(all)});
    }
    case Flow::kStep:
      return container(family, ContainerKind::kRecord, {{kExternalEntity}, elements(container_of)});
    case Flow::kSecondElements:
      return arguments.size() > 1 ? list(elements(evaluate(file, arguments[1])))
                                  : Entities{kUnknownEntity};
  }
  return {kUnknownEntity};
}

// a + b, -a: what the method gives that the operator calls. Lists, numbers and the like stay what
// they are.
Entities Resolver::operated(const FileModel& file, const Term& term) {
  const auto parts = file.parts_of(term);
  const bool is_binary = parts.size() > 1;
  const auto own =
      file.semantics.operated(*this, file, file.name(term.at), evaluate(file, parts[0]),
                              is_binary ? evaluate(file, parts[1]) : Entities());
  if (own) return *own;
  const auto methods =
      file.semantics.library().operator_methods(file.name(term.at) + (is_binary ? "" : "x"));
  Entities found;
  for (const Entity& left : evaluate(file, parts[0])) {
    auto got = is_instance(left) ? method_results(left, methods.left) : std::nullopt;
    const bool is_library =
        left.kind == EntityKind::kExternal || left.kind == EntityKind::kContainer;
    if (!got && is_library) {
      got.emplace();
      const Entities rights = is_binary ? evaluate(file, parts[1]) : Entities{left};
      for (const Entity& right : rights) {
        const auto reflected =
            is_instance(right) ? method_results(right, methods.right) : std::nullopt;
        if (reflected) {
          add_all(*got, *reflected);
        } else if (right.kind == EntityKind::kUnknown || is_instance(right)) {
          add(*got, left.kind == EntityKind::kContainer ? left : kUnknownEntity);
        } else {
          add(*got, left);
        }
      }
    }
    add_all(found, got.value_or(Entities{kUnknownEntity}));
  }
  return found;
}

}  // namespace codexmem::graph
