// Members: of classes and what they extend, of objects, of containers, of modules.
#include <fmt/core.h>

#include <algorithm>

#include "graph/core/foreign.h"
#include "graph/core/meaning.h"
#include "graph/core/resolver_step.h"
#include "graph/core/subtypes.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// A hostile or generated hierarchy is not searched to its end.
constexpr std::size_t kMaxOverridden = 200;

}  // namespace

Entities Resolver::supertypes(const FileModel& file, std::uint32_t symbol) {
  return supertypes(Entity{EntityKind::kSymbol, &file, symbol});
}

Entities Resolver::supertypes(const Entity& owner) {
  Entities types;
  const FileModel& file = *owner.file;
  if (file.semantics.traits().parts_are_one) {
    const std::vector<Entity> own = type_parameters(owner);
    for (const Entity& part : file.semantics.merged_with(*this, file, owner.index)) {
      if (!is_type_like(symbol_of(part))) continue;
      Environment environment;
      const std::vector<Entity> theirs = type_parameters(part);
      for (std::size_t i = 0; i < own.size() && i < theirs.size(); ++i) {
        const Entities* stated =
            owner.environment == nullptr ? nullptr : owner.environment->find(own[i]);
        environment.bound.emplace_back(theirs[i], stated == nullptr ? Entities{own[i]} : *stated);
      }
      add(types, {EntityKind::kInstance, part.file, part.index,
                  environments_.intern(std::move(environment))});
    }
  }
  for (const parse::Heritage* heritage : file.heritage_of(owner.index)) {
    if (heritage->term != kNoIndex) {
      // With type arguments.
      const Entities named =
          environments_.substitute(evaluate(file, heritage->term), owner.environment);
      const bool is_known = std::any_of(named.begin(), named.end(), [](const Entity& entity) {
        return entity.kind == EntityKind::kInstance || entity.kind == EntityKind::kObject ||
               is_foreign(entity);
      });
      if (is_known) {
        for (const Entity& entity : named) {
          if (entity.kind != EntityKind::kUnknown) add(types, entity);
        }
        continue;
      }
    }
    for (const Entity& entity : resolve(file, heritage->occurrence)) {
      if (entity.kind == EntityKind::kSymbol) {
        const parse::Symbol& symbol = symbol_of(entity);
        if (symbol.type == SymbolType::kType && symbol.term != kNoIndex) {
          add_all(types, instance_of(entity, {}));
        } else if (is_type_like(symbol)) {
          add(types, {EntityKind::kInstance, entity.file, entity.index});
        } else {
          // class A extends mixin: what the variable holds.
          for (const Entity& value : values_of({entity})) {
            if (value.kind == EntityKind::kSymbol && value != entity) {
              add(types, {EntityKind::kInstance, value.file, value.index, value.environment});
            } else {
              add(types, value);
            }
          }
        }
      } else if (entity.kind == EntityKind::kLocal) {
        for (const Entity& value : values_of({entity})) {
          const bool is_class = value.kind == EntityKind::kSymbol;
          add(types, is_class ? Entity{EntityKind::kInstance, value.file, value.index} : value);
        }
      } else {
        add(types, entity.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
      }
    }
  }
  return types;
}

Entities Resolver::overridden(const FileModel& file, std::uint32_t symbol) {
  Entities found;
  Entities open = {{EntityKind::kSymbol, &file, symbol}};
  const std::string name = file.facts.symbols[symbol].name;
  while (!open.empty() && found.size() < kMaxOverridden) {
    const Entity member = open.back();
    open.pop_back();
    const std::uint32_t owner = member.file->owner_of(member.index);
    if (owner == kNoIndex) continue;
    const Entity type{EntityKind::kInstance, member.file, owner};
    for (Entity base : type_members(type, name, false, type)) {
      base.environment = nullptr;
      if (base.kind != EntityKind::kSymbol ||
          std::find(open.begin(), open.end(), base) != open.end() ||
          std::find(found.begin(), found.end(), base) != found.end()) {
        continue;
      }
      if (!file.semantics.overrides(file, symbol, base)) continue;
      found.push_back(base);
      open.push_back(base);
    }
  }
  return found;
}

// What the field `member` of `owner` is where a class above declares it: this.x = 1 and x = 1 say
// less than x: A. Empty where none does.
Entities Resolver::declared_above(const Entity& owner, std::uint32_t member,
                                  const Entity& receiver) {
  const FileModel& file = *owner.file;
  const LanguageTraits& traits = file.semantics.traits();
  const auto says_type = [](const Entity& field) {
    const parse::Symbol& symbol = symbol_of(field);
    return is_callable(symbol) || is_type_like(symbol) ||
           (symbol.term != kNoIndex && is_annotation(field.file->facts.terms[symbol.term].kind));
  };
  const bool yields = traits.declared.typed_members_win
                          ? !says_type({EntityKind::kSymbol, &file, member})
                          : traits.assignments_use_members && file.is_assigned_member(member);
  if (!yields) return {};
  Entities declared = type_members(owner, file.facts.symbols[member].name, false, receiver);
  std::erase_if(declared, [&](const Entity& field) {
    return field.kind != EntityKind::kSymbol ||
           (traits.declared.typed_members_win && !says_type(field));
  });
  return declared;
}

// What the type parameters of `owner`, and `this`, are in a member that is reached through
// `receiver`.
const Environment* Resolver::member_environment(const Entity& owner, const Entity& receiver) {
  Environment environment;
  if (owner.environment != nullptr) environment.bound = owner.environment->bound;
  const bool is_class = receiver.kind == EntityKind::kSymbol && is_type_like(symbol_of(receiver));
  if (receiver.kind == EntityKind::kInstance) {
    environment.self = {receiver};
  } else if (is_class && symbol_of(receiver).type == SymbolType::kClass) {
    environment.self = {{EntityKind::kInstance, receiver.file, receiver.index}};
  }
  return environments_.intern(std::move(environment));
}

// Members of a class, interface, enum or object, then of what it extends. Holds kUnknown or
// kExternal when a supertype is not of ours.
Entities Resolver::type_members(const Entity& owner, std::string_view name, bool include_own,
                                const Entity& receiver) {
  Entities seen;
  return type_members(owner, name, include_own, receiver, seen);
}

// `seen` are the supertypes that were searched: a diamond has one top.
Entities Resolver::type_members(const Entity& owner, std::string_view name, bool include_own,
                                const Entity& receiver, Entities& seen) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const FileModel& file = *owner.file;
  Entities found;
  if (include_own) {
    if (auto stated = file.semantics.members_of(*this, owner, name, receiver)) return *stated;
    if (const auto id = file.find_name(name)) {
      const auto own = file.members_of(owner.index, *id);
      const Environment* environment = own.empty() ? nullptr : member_environment(owner, receiver);
      Entities above;
      bool are_above = true;
      for (const std::uint32_t member : own) {
        add(found, {EntityKind::kSymbol, &file, member, environment});
        const Entities declared = declared_above(owner, member, receiver);
        are_above = are_above && !declared.empty();
        add_all(above, declared);
      }
      if (!own.empty() && are_above) return above;
    }
    if (!found.empty()) return found;
    found = file.semantics.merged_members(*this, owner, name, receiver);
    if (!found.empty()) return found;
  }
  if (file.semantics.traits().promotes_by_depth) return promoted_members(owner, name, receiver);
  Entities bases = supertypes(owner);
  for (const Entity& part : file.semantics.merged_types(*this, owner)) {
    add_all(bases, supertypes(part));
  }
  for (const Entity& base : bases) {
    if (base.kind == EntityKind::kSymbol || base.kind == EntityKind::kInstance) {
      if (std::find(seen.begin(), seen.end(), base) != seen.end()) continue;
      seen.push_back(base);
      Entities inherited = type_members(base, name, true, receiver, seen);
      const bool is_found = has_kind(inherited, EntityKind::kSymbol);
      add_all(found, inherited);
      if (is_found && file.semantics.traits().first_base_wins) break;
    } else if (base.kind == EntityKind::kObject) {
      add_all(found, object_members(base, name));
    } else if (is_foreign(base)) {
      add(found, base);
    } else {
      add(found, base.kind == EntityKind::kUnknown ? kUnknownEntity : kExternalEntity);
    }
  }
  if (has_kind(found, EntityKind::kSymbol)) {
    std::erase_if(found, [](const Entity& e) { return e.kind != EntityKind::kSymbol; });
  }
  return found;
}

Entities Resolver::object_members(const Entity& object, std::string_view name) {
  const FileModel& file = *object.file;
  const parse::Object& facts = file.facts.objects[object.index];
  Entities found;
  if (const auto id = file.find_name(name)) {
    for (const parse::ObjectKey& key : facts.keys) {
      if (key.name != *id) continue;
      const std::uint32_t symbol =
          key.occurrence == kNoIndex
              ? kNoIndex
              : file.symbol_named_at(file.facts.occurrences[key.occurrence].offset);
      if (symbol != kNoIndex) {
        add(found, {EntityKind::kSymbol, &file, symbol, object.environment});
      } else {
        add(found, {EntityKind::kTerm, &file, key.term, object.environment});
      }
    }
  }
  if (!found.empty()) return found;
  for (const parse::TermId spread : facts.spreads) {
    add_all(found,
            members(environments_.substitute(evaluate(file, spread), object.environment), name));
  }
  if (found.empty() && facts.other != kNoIndex) {
    add(found, {EntityKind::kTerm, &file, facts.other, object.environment});
  }
  return found;
}

const Entities& Resolver::members_below(const Entity& owner, std::string_view name) {
  static const Entities kNone;
  return memoised(&FileMemo::below, *owner.file, fmt::format("{}.{}", owner.index, name), kNone,
                  [&] {
                    return graph::members_below(
                        *this, owner, [&](const Entity& user) { return members({user}, name); });
                  });
}

Entities Resolver::members_by_key(const Entities& receivers, std::string_view name) {
  Entities found;
  for (const Entity& object : receivers) {
    if (object.kind != EntityKind::kObject) continue;
    const parse::Object& facts = object.file->facts.objects[object.index];
    if (facts.key_sort == parse::KeySort::kWritten) continue;
    const Entities keyed =
        environments_.substitute(evaluate(*object.file, facts.keys_of), object.environment);
    if (facts.key_sort == parse::KeySort::kSame) {
      add_all(found, members(keyed, name));
    } else {
      // Keys of what the language or a package has, or texts, are no members of ours.
      const bool is_foreign = !keyed.empty() && std::ranges::all_of(keyed, [](const Entity& each) {
        return each.kind == EntityKind::kExternal || is_of_library(each);
      });
      add(found, is_foreign ? kExternalEntity : kUnknownEntity);
    }
  }
  return found;
}

Entities Resolver::container_members(const Entity& container, std::string_view name) {
  const ContainerKind kind = container_kind(container);
  if (is_foreign(container)) return {kUnknownEntity};
  if (kind == ContainerKind::kRecord && container.environment != nullptr &&
      container.environment->arguments.size() > 1) {
    return container.environment->arguments[1];
  }
  if (kind == ContainerKind::kClassOf && container.environment != nullptr) {
    return members(container.environment->arguments[0], name);
  }
  const auto method = container_semantics(container).library().find_method(kind, name);
  if (!method && kind == ContainerKind::kPromise && container.environment != nullptr &&
      has_kind(container.environment->arguments[0], EntityKind::kModule)) {
    return members(container.environment->arguments[0], name);  // import("x").T as a type
  }
  if (!method) return {kExternalEntity};
  return {method_of(container, *method)};
}

Entities Resolver::members(const Entities& receivers, std::string_view name) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  Meaning meaning;
  if (receivers.empty()) meaning.add(kUnknownEntity);
  const FileModel* lacking = nullptr;  // of one of the repository that does not have it
  for (const Entity& receiver : receivers) {
    const auto take_all = [&](const Entities& direct) {
      if (direct.empty()) lacking = receiver.file;
      meaning.merge(direct);
    };
    switch (receiver.kind) {
      case EntityKind::kUnknown:
        meaning.add(receiver);
        break;
      case EntityKind::kExternal:
      case EntityKind::kFunction:  // what functions have is the library's
      case EntityKind::kMethod:
      case EntityKind::kCallback:
        meaning.add(kExternalEntity);
        break;
      case EntityKind::kModule:
        meaning.merge(module_members(*receiver.file, name));
        break;
      case EntityKind::kFolder: {
        const Folder folder = folders_[receiver.index];
        meaning.merge(folder.semantics->folder_member(*this, folder.path, name));
        break;
      }
      case EntityKind::kObject:
        take_all(object_members(receiver, name));
        break;
      case EntityKind::kContainer:
        meaning.merge(container_members(receiver, name));
        break;
      case EntityKind::kTypeParameter:
      case EntityKind::kTypeVariable:
        // Its actual type may have more members than its bound.
        meaning.merge(members(constraint(receiver), name));
        meaning.add(kUnknownEntity);
        break;
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        Entities direct = type_members(receiver, name, true, receiver);
        const parse::Symbol& symbol = symbol_of(receiver);
        if (direct.empty() && symbol.type == SymbolType::kInterface && symbol.term != kNoIndex) {
          // An index signature.
          for (const Entity& signatures : evaluate(*receiver.file, symbol.term)) {
            if (signatures.kind != EntityKind::kObject) continue;
            Entity inside = signatures;
            inside.environment = receiver.environment;
            add_all(direct, object_members(inside, name));
          }
        }
        take_all(direct);
        break;
      }
      case EntityKind::kSymbol: {
        Entities direct = type_members(receiver, name, true, receiver);
        if (!has_kind(direct, EntityKind::kSymbol) && !is_type_like(symbol_of(receiver))) {
          Entities values = value_of(receiver);
          std::erase(values, receiver);
          if (values.empty()) values.push_back(kUnknownEntity);
          direct = members(values, name);
        } else if (direct.empty() && symbol_of(receiver).type == SymbolType::kType) {
          direct = members(instance_of(receiver, {}), name);
        }
        meaning.merge(direct);
        break;
      }
      case EntityKind::kLate:
        meaning.merge(members(settle({receiver}), name));
        break;
      case EntityKind::kLocal:
      case EntityKind::kTerm: {
        Entities values = value_of(receiver);
        std::erase(values, receiver);
        meaning.merge(members(values, name));
        break;
      }
    }
  }
  // Of several possible receivers, the ones of the repository do not have the member: the code may
  // know more.
  const bool is_narrowed = lacking != nullptr && !lacking->is_library &&
                           !lacking->semantics.library().has("members", name);
  if (!meaning.is_found() && is_narrowed && meaning.rest() == Entities{kExternalEntity}) {
    return {kForeignEntity};
  }
  return meaning.take();
}

}  // namespace codexmem::graph
