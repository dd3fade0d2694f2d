// What values hold: elements and items, what `with` and `await` take out of them. Part of the
// values of resolver_values.cpp.
#include <algorithm>
#include <optional>

#include "graph/core/foreign.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {

using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

// What iterating values gives.
Entities Resolver::elements(const Entities& given) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  Entities found;
  for (const Entity& value : settle(given)) {
    switch (value.kind) {
      case EntityKind::kContainer: {
        const auto& arguments = value.environment->arguments;
        switch (container_kind(value)) {
          case ContainerKind::kTuple:
            for (const Entities& argument : arguments) add_all(found, argument);
            break;
          case ContainerKind::kMap:
            add_all(found,
                    container_semantics(value).traits().maps_hold_items
                        ? arguments[0]
                        : container(container_family(value), ContainerKind::kTuple, arguments));
            break;
          case ContainerKind::kList:
          case ContainerKind::kChannel:
            add_all(found, arguments[0]);
            break;
          case ContainerKind::kForeign:
          case ContainerKind::kReached: {
            // The arguments, or what these hold.
            std::vector<Entities> held = arguments;
            for (Entities& argument : held) {
              for (const Entity& element : elements(argument)) {
                if (is_identified(element)) add(argument, element);
              }
            }
            add_all(found, container(container_family(value), ContainerKind::kReached, held));
            break;
          }
          default:
            add(found, kUnknownEntity);
        }
        break;
      }
      case EntityKind::kSymbol: {
        const auto stated = is_class(value) ? value.file->semantics.iterated(*this, value)
                                            : std::optional<Entities>();
        add_all(found, stated.value_or(Entities{kUnknownEntity}));
        break;
      }
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        if (const Entities inner = underlying(value); !inner.empty()) {
          add_all(found, elements(inner));
          break;
        }
        if (const auto stated = value.file->semantics.iterated(*this, value)) {
          add_all(found, *stated);
          break;
        }
        bool is_identified = false;
        const LanguageTraits& traits = value.file->semantics.traits();
        for (const std::string_view method : traits.protocol.iterators) {
          for (const Entity& iterator : method_results(value, method).value_or(Entities{})) {
            if (is_instance(iterator)) {
              add_all(found, method_results(iterator, traits.protocol.next).value_or(Entities{}));
            } else {
              add_all(found, elements({iterator}));
            }
            is_identified = true;
          }
        }
        if (!is_identified) {
          // interface X extends Array<Y>
          for (const Entity& base : supertypes(value)) {
            const bool is_list = traits.protocol.iterators.empty() || is_foreign(base);
            if (base.kind != EntityKind::kContainer || !is_list) continue;
            add_all(found, elements({base}));
            is_identified = true;
          }
        }
        if (!is_identified) add(found, kUnknownEntity);
        break;
      }
      case EntityKind::kTypeParameter:
        add_all(found, elements(constraint(value)));
        break;
      case EntityKind::kExternal:
        add(found, kExternalEntity);
        break;
      default:
        add(found, unknown_as(value));
    }
  }
  return found;
}

// a["b"], and what a pattern takes under the key b.
Entities Resolver::named_items(const Entities& given, std::string_view name) {
  Entities found;
  Entities others;
  for (const Entity& value : settle(given)) {
    const bool is_table = value.kind == EntityKind::kContainer &&
                          container_kind(value) == ContainerKind::kMap &&
                          container_semantics(value).traits().maps_hold_items;
    if (is_table && value.environment->arguments.size() > 1) {
      add_all(found, value.environment->arguments[1]);
      continue;
    }
    if (value.kind == EntityKind::kContainer &&
        container_semantics(value).traits().map_keys_are_names) {
      add_all(found, elements({value}));
      continue;
    }
    if (const Entities inner = underlying(value); !inner.empty() && is_of_elements(inner)) {
      add_all(found, named_items(inner, name));
      continue;
    }
    const auto got = is_instance(value) ? item_results(value) : std::nullopt;
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
  const Entities& values = evaluate(file, parts[0]);
  // A[K], a type.
  const bool is_type = parts.size() == 2 && file.semantics.traits().types_are_looked_up;
  return is_type ? looked_up(values) : items_of(values, term.at);
}

Entities Resolver::items_of(const Entities& given, std::uint32_t position) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  Entities found;
  for (const Entity& value : settle(given)) {
    switch (value.kind) {
      case EntityKind::kContainer: {
        const auto& arguments = value.environment->arguments;
        switch (container_kind(value)) {
          case ContainerKind::kTuple:
            if (position != kNoIndex && position < arguments.size()) {
              add_all(found, arguments[position]);
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
          case ContainerKind::kForeign:
          case ContainerKind::kReached:
            add_all(found, elements({value}));
            break;
          default:
            add(found, kUnknownEntity);
        }
        break;
      }
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        if (const Entities inner = underlying(value); !inner.empty()) {
          add_all(found, items_of(inner, position));
          break;
        }
        const bool may_be_array = value.file->semantics.traits().arrays_are_elements;
        add_all(found,
                item_results(value).value_or(Entities{may_be_array ? value : kUnknownEntity}));
        break;
      }
      case EntityKind::kTypeParameter:
        add_all(found, items_of(constraint(value), position));
        break;
      case EntityKind::kSymbol:
        // f[T], a function with its type arguments, or a type that is called.
        add(found,
            is_callable(symbol_of(value)) || (is_type_like(symbol_of(value)) &&
                                              value.file->semantics.traits().types_are_called)
                ? value
                : kUnknownEntity);
        break;
      case EntityKind::kObject: {
        const TermId other = value.file->facts.objects[value.index].other;
        add_all(found, environments_.substitute(evaluate(*value.file, other), value.environment));
        break;
      }
      case EntityKind::kExternal:
        add(found, kExternalEntity);
        break;
      default:
        add(found, unknown_as(value));
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
      for (const std::string_view method : value.file->semantics.traits().protocol.enter) {
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

Entities Resolver::awaited(const Entities& given) {
  Entities found;
  for (const Entity& value : settle(given)) {
    if (value.kind == EntityKind::kContainer && container_kind(value) == ContainerKind::kPromise) {
      add_all(found, awaited(value.environment->arguments[0]));
    } else if (is_instance(value)) {
      add_all(found, value.file->semantics.awaited(*this, value).value_or(Entities{value}));
    } else {
      add(found, value);
    }
  }
  return found;
}

}  // namespace codexmem::graph
