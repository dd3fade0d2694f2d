// Types that have a name of their own: members through what they embed, several values, loops.
//
// Embedded types give their members unless a member of the same name is less deep
// (LanguageTraits::promotes_by_depth): the levels are searched one by one. Tested by
// graph/go_types_test.cpp.
#include <algorithm>

#include "graph/core/foreign.h"
#include "graph/core/meaning.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxLevels = 8;      // of types in types
constexpr std::size_t kMaxEmbedded = 200;  // types that are looked at

}  // namespace

// A type that is embedded is a field of its own name.
Entities Resolver::embedded_field(const Entity& owner, std::string_view name) {
  Entities found;
  for (const parse::Heritage* heritage : owner.file->heritage_of(owner.index)) {
    if (owner.file->name(owner.file->facts.occurrences[heritage->occurrence].name) != name) {
      continue;
    }
    Entities values =
        heritage->term != kNoIndex
            ? environments_.substitute(evaluate(*owner.file, heritage->term), owner.environment)
            : typed(*owner.file, heritage->occurrence, {});
    add_all(found, values);
  }
  return found;
}

// The members that a type declares itself, or takes from what it is declared as.
Entities Resolver::own_members(const Entity& owner, std::string_view name, const Entity& receiver) {
  Entities found;
  const FileModel& file = *owner.file;
  if (const auto id = file.find_name(name)) {
    const auto own = file.members_of(owner.index, *id);
    const Environment* environment = own.empty() ? nullptr : member_environment(owner, receiver);
    for (const std::uint32_t member : own) {
      add(found, {EntityKind::kSymbol, &file, member, environment});
    }
  }
  if (found.empty()) found = file.semantics.merged_members(*this, owner, name, receiver);
  return found;
}

Entities Resolver::promoted_members(const Entity& owner, std::string_view name,
                                    const Entity& receiver) {
  Entities level = {owner};
  Entities seen = level;
  Meaning rest;
  for (std::size_t depth = 0; depth < kMaxLevels && !level.empty(); ++depth) {
    Entities found;
    Entities next;
    const auto note = [&](const Entity& inner) {
      if (!is_identified(inner)) rest.add(inner);
      if (inner.kind == EntityKind::kTypeParameter) rest.add(kUnknownEntity);
    };
    for (Entity type : level) {
      if (type.kind == EntityKind::kObject) {
        add_all(found, object_members(type, name));
        continue;
      }
      if (depth > 0) add_all(found, own_members(type, name, type));
      // type A B: the fields of B, its methods if it is an interface.
      Entity value = type;
      value.kind = EntityKind::kInstance;
      for (const Entity& inner : underlying(value)) {
        if (!is_instance(inner)) {
          if (inner.kind == EntityKind::kObject) {
            add_all(found, object_members(inner, name));
          } else if (!is_identified(inner)) {
            rest.add(inner);
          }
          continue;
        }
        const bool has_methods = symbol_of(inner).type == SymbolType::kInterface;
        for (const Entity& member : type_members(inner, name, true, receiver)) {
          const bool is_method =
              member.kind == EntityKind::kSymbol && symbol_of(member).type == SymbolType::kMethod;
          if (member.kind == EntityKind::kSymbol && (has_methods || !is_method)) {
            add(found, member);
          } else {
            note(member);
          }
        }
      }
      add_all(found, embedded_field(type, name));
      for (const Entity& base : supertypes(type)) {
        if (base.kind == EntityKind::kSymbol || is_instance(base) ||
            base.kind == EntityKind::kObject) {
          if (std::find(seen.begin(), seen.end(), base) != seen.end()) continue;
          if (seen.size() > kMaxEmbedded) return {kUnknownEntity};
          seen.push_back(base);
          next.push_back(base);
        } else {
          note(base);
        }
      }
    }
    if (std::ranges::any_of(found, &is_identified)) {
      std::erase_if(found, [](const Entity& e) { return !is_identified(e); });
      return found;
    }
    for (const Entity& entity : found) note(entity);
    level = std::move(next);
  }
  return rest.rest();
}

// The value that a pattern takes apart, seen as the variant that the pattern names: the values of
// A(x, y) as a tuple, else the owner of the fields.
Entities Resolver::variant(const FileModel& file, const parse::Term& term) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const Entities whole = evaluate(file, file.parts_of(term)[0]);
  Entities found;
  Entities meant = Entities(resolve(file, term.at));
  for (std::size_t i = 0; i < meant.size(); ++i) {
    const Entity named = meant[i];
    if (named.kind != EntityKind::kSymbol && !is_instance(named)) {
      add(found, named.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
      continue;
    }
    const parse::Symbol& symbol = symbol_of(named);
    const bool is_alias = symbol.type == SymbolType::kType && symbol.term != kNoIndex;
    if (is_alias) {
      if (meant.size() < kMaxLevels) add_all(meant, instance_of(named, {}));
      continue;
    }
    const std::uint32_t owner =
        is_type_like(symbol) ? named.index : named.file->owner_of(named.index);
    const Environment* environment = named.environment;
    bool is_of_whole = false;
    for (const Entity& value : whole) {
      if (is_instance(value) && value.file == named.file && value.index == owner) {
        is_of_whole = true;
        environment = value.environment;
      }
    }
    const bool is_tuple = symbol.term != kNoIndex &&
                          named.file->facts.terms[symbol.term].kind == parse::TermKind::kTuple;
    if (is_tuple && !is_of_whole && may_be_foreign(whole)) {
      const std::size_t count = named.file->facts.terms[symbol.term].part_count;
      add_all(found,
              container(file.family, ContainerKind::kTuple, std::vector<Entities>(count, whole)));
    } else if (is_tuple) {
      add_all(found, environments_.substitute(evaluate(*named.file, symbol.term), environment));
    } else {
      const bool is_type = is_type_like(symbol);
      add(found, {is_type ? EntityKind::kInstance : EntityKind::kSymbol, named.file, named.index,
                  environment});
    }
  }
  return found;
}

// Number `position` of the values that a call gives, or of the parts of an object; of a check like
// v, ok := m[k] the value itself.
Entities Resolver::nth(const Entities& values, std::uint32_t position) {
  Entities found;
  for (const Entity& value : values) {
    const bool is_tuple =
        value.kind == EntityKind::kContainer && container_kind(value) == ContainerKind::kTuple;
    if (is_tuple) {
      const auto& arguments = value.environment->arguments;
      if (position < arguments.size()) add_all(found, arguments[position]);
    } else if (is_foreign(value)) {
      const auto& arguments = value.environment->arguments;
      const bool is_one = arguments.size() > 1 && position < arguments.size();
      add_all(found, container(container_family(value), ContainerKind::kReached,
                               is_one ? std::vector<Entities>{arguments[position]} : arguments));
    } else if (const auto part = is_instance(value)
                                     ? value.file->semantics.part_of(*this, value, position)
                                     : std::nullopt) {
      const bool is_function = part->kind == EntityKind::kSymbol && is_callable(symbol_of(*part));
      add_all(found, is_function ? call_results({*part}) : values_of({*part}));
    } else if (position == 0 || value.kind == EntityKind::kUnknown) {
      add(found, value);
    } else {
      add(found, kExternalEntity);
    }
  }
  return found;
}

// What variable `position` of a loop over `values` is given.
Entities Resolver::ranged(const Entities& values, std::uint32_t position) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  Entities found;
  for (const Entity& value : values) {
    switch (value.kind) {
      case EntityKind::kContainer: {
        const auto& arguments = value.environment->arguments;
        const ContainerKind kind = container_kind(value);
        if (kind == ContainerKind::kList) {
          add_all(found, position == 0 ? Entities{kExternalEntity} : arguments[0]);
        } else if (kind == ContainerKind::kMap && position < arguments.size()) {
          add_all(found, arguments[position]);
        } else if (kind == ContainerKind::kChannel) {
          add_all(found, arguments[0]);
        } else {
          add(found, kUnknownEntity);
        }
        break;
      }
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        const Entities inner = underlying(value);
        add_all(found, inner.empty() ? Entities{kUnknownEntity} : ranged(inner, position));
        break;
      }
      case EntityKind::kTypeParameter:
        add_all(found, ranged(constraint(value), position));
        break;
      case EntityKind::kFunction:
      case EntityKind::kSymbol: {
        // An iterator: func(yield func(K, V) bool)
        bool is_identified = false;
        for (const Callable& iterator : callables({value})) {
          for (const Callable& yield : callables(parameter_of(iterator, 0))) {
            add_all(found, parameter_of(yield, position));
            is_identified = true;
          }
        }
        if (!is_identified) add(found, kUnknownEntity);
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

// True for lists and maps, and types that are declared as one: their keys are no members.
bool Resolver::is_of_elements(const Entities& values) {
  const RecursionGuard guard(*this);
  if (values.empty() || guard.over_limit()) return false;
  return std::ranges::all_of(values, [&](const Entity& value) {
    if (value.kind == EntityKind::kContainer) return true;
    return is_instance(value) && is_of_elements(underlying(value));
  });
}

}  // namespace codexmem::graph
