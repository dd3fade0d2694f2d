// graph/core/entity.h - the meaning of a name, and the type of a value.
//
// Plain values of one question. An entity may be generic: its environment, owned by
// graph/core/environments.h, gives the values of its type parameters. Design: docs/how-it-works.md,
// "Resolution".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/core/file_model.h"

namespace codexmem::graph {

enum class EntityKind : std::uint8_t {
  kUnknown,   // the facts do not decide it
  kExternal,  // something of a package outside the repository, or of the language's library;
              // `index`: 1 and the number of its type in LanguageTraits::primitives, if it is one
  kSymbol,    // `index`: symbol of `file`
  kInstance,  // a value whose type is that symbol
  kSelf,      // the same, where the type is `this` or Self: of a subclass where one is the receiver
  kLocal,     // `index`: binding of `file`: a local, a parameter
  kModule,    // the module `file`
  kFolder,    // `index`: a Python package without __init__, see Resolver::folder()
  kTypeParameter,  // a value whose type is type parameter `index`, a binding of `file`
  kTypeVariable,   // the same in Python: symbol `index`, a TypeVar
  kFunction,       // function `index` of `file` as a value or type
  kObject,         // object `index` of `file`: a literal or an object type
  kLate,       // type `index`, a term of `file`, to be evaluated once its environment is known: see
               // Resolver::settle()
  kTerm,       // a key of an object that is not a symbol: its value is term `index` of `file`
  kContainer,  // of the environment's arguments; `index`: container_index()
  kMethod,     // a method of such a container; `index`: as library_method() takes it
  kCallback,   // the function that such a method takes as its first argument
};

struct Environment;

/// Something that a name can mean or that a value can be.
struct Entity {
  EntityKind kind = EntityKind::kUnknown;
  const FileModel* file = nullptr;
  std::uint32_t index = 0;
  const Environment* environment = nullptr;

  bool operator==(const Entity&) const = default;

  /// True if both are the same except for their environments.
  bool is_same(const Entity& other) const {
    return kind == other.kind && file == other.file && index == other.index;
  }
};

/// What a name may mean: several where it is declared several times (overloads, try/except), or
/// where the value's type is a union. Empty when it certainly means nothing of the requested kind.
using Entities = std::vector<Entity>;

/// The values of type parameters in a generic entity. Shared, immutable.
struct Environment {
  std::vector<std::pair<Entity, Entities>> bound;  // by type parameter
  Entities self;                                   // the value of `this` and Self
  std::vector<Entities> arguments;                 // of a container, in its own order
  // Set when it is interned.
  std::uint32_t depth = 0;  // levels of environments inside
  bool is_generic = false;  // type parameters are left in it

  /// The value of `parameter`; nullptr when it is not bound.
  const Entities* find(const Entity& parameter) const {
    for (const auto& [known, values] : bound) {
      if (known == parameter) return &values;
    }
    return nullptr;
  }
};

/// A name with more possible declarations counts as unknown.
inline constexpr std::size_t kMaxAlternatives = 128;

inline const Entity kExternalEntity{EntityKind::kExternal, nullptr, 0, nullptr};
// Unknown, in one of four ways.
inline const Entity kUnknownEntity{};
/// No single candidate is likely: one of many, or declared outside of the repository.
inline const Entity kElsewhereEntity{EntityKind::kUnknown, nullptr, 1, nullptr};
/// Marks the entities next to it as a guess, or as derived from one.
inline const Entity kGuessEntity{EntityKind::kUnknown, nullptr, 2, nullptr};
/// Most likely of a package outside the repository: the result of a package's function, a member
/// that a known type does not declare. It may be of the repository, but is never a likely use. Next
/// to other entities it marks them as a guess.
inline const Entity kForeignEntity{EntityKind::kUnknown, nullptr, 3, nullptr};

/// A value of primitive type number `index`, and back.
inline Entity primitive_entity(std::size_t index) {
  return {EntityKind::kExternal, nullptr, static_cast<std::uint32_t>(index) + 1, nullptr};
}
inline std::optional<std::size_t> primitive_of(const Entity& entity) {
  if (entity.kind != EntityKind::kExternal || entity.index == 0) return std::nullopt;
  return entity.index - 1;
}

inline void add(Entities& to, const Entity& entity) {
  if (std::find(to.begin(), to.end(), entity) == to.end()) to.push_back(entity);
}

/// The same for results of calls: keeps only a few environments of one generic entity, since chains
/// of overloaded generic calls would multiply them without end.
inline void add_result(Entities& to, const Entity& entity) {
  constexpr std::ptrdiff_t kMaxVariants = 3;
  if (std::find(to.begin(), to.end(), entity) != to.end()) return;
  const auto variants = std::count_if(to.begin(), to.end(), [&](const Entity& known) {
    return known.is_same(entity) && entity.kind != EntityKind::kContainer;
  });
  if (variants < kMaxVariants) to.push_back(entity);
}

inline void add_results(Entities& to, const Entities& from) {
  for (const Entity& entity : from) add_result(to, entity);
}

inline void add_all(Entities& to, const Entities& from) {
  for (const Entity& entity : from) add(to, entity);
}

inline bool has_kind(const Entities& entities, EntityKind kind) {
  return std::any_of(entities.begin(), entities.end(),
                     [&](const Entity& entity) { return entity.kind == kind; });
}

/// True if a unit of the language's library declares the entity: known, but not of the repository.
inline bool is_of_library(const Entity& entity) {
  return entity.file != nullptr && entity.file->is_library;
}

/// Values as declared by a unit of the library: an unknown value counts as the library's, except
/// where the language's traits say that it may be anything.
inline Entities declared_by_library(const FileModel& unit, Entities values) {
  if (unit.semantics.traits().foreign.untold_is_unknown) return values;
  for (Entity& value : values) {
    if (value.kind == EntityKind::kUnknown) value = kExternalEntity;
  }
  return values;
}

/// True if the entity is known, in the repository or in the library.
inline bool is_identified(const Entity& entity) {
  return entity.kind != EntityKind::kUnknown && entity.kind != EntityKind::kExternal;
}

/// True if the entity is known and in the repository.
inline bool is_known(const Entity& entity) {
  return entity.kind != EntityKind::kUnknown && entity.kind != EntityKind::kExternal &&
         !is_of_library(entity);
}

inline bool is_instance(const Entity& entity) {
  return entity.kind == EntityKind::kInstance || entity.kind == EntityKind::kSelf;
}

inline bool is_type_like(const parse::Symbol& symbol) {
  return symbol.type == SymbolType::kClass || symbol.type == SymbolType::kInterface ||
         symbol.type == SymbolType::kType;
}

inline bool is_callable(const parse::Symbol& symbol) {
  return symbol.type == SymbolType::kFunction || symbol.type == SymbolType::kMethod;
}

/// True if entities depend on type parameters that are still open: T, and types built from it.
inline bool is_late(const Entities& entities) {
  return std::any_of(entities.begin(), entities.end(), [](const Entity& entity) {
    return entity.kind == EntityKind::kTypeParameter || entity.kind == EntityKind::kLate ||
           (entity.environment != nullptr && entity.environment->is_generic);
  });
}

/// True for terms that only types have: annotations of variables.
inline bool is_annotation(parse::TermKind kind) {
  return kind == parse::TermKind::kType || kind == parse::TermKind::kTuple;
}

/// The symbol of an entity that is one or is an instance of one.
inline const parse::Symbol& symbol_of(const Entity& entity) {
  return entity.file->facts.symbols[entity.index];
}

inline bool is_class(const Entity& entity) {
  return entity.kind == EntityKind::kSymbol && symbol_of(entity).type == SymbolType::kClass;
}

/// Reduces a class and its constructors, which are all used when an object is made, to the class.
/// kExternal next to them is an implicit constructor.
inline Entities without_makers(Entities meant) {
  const auto makes = [&](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && symbol_of(entity).type == SymbolType::kMethod &&
           std::any_of(meant.begin(), meant.end(), [&](const Entity& type) {
             return is_class(type) && type.file == entity.file &&
                    type.index == entity.file->owner_of(entity.index);
           });
  };
  if (meant.size() < 2) return meant;
  Entities kept;
  bool has_makers = false;
  for (const Entity& entity : meant) {
    const bool is_maker = makes(entity);
    has_makers = has_makers || is_maker;
    if (!is_maker) kept.push_back(entity);
  }
  if (has_makers) std::erase(kept, kExternalEntity);
  return kept;
}

/// The number of parameters that the receiver of a call fills: one if the function is called as if
/// it were a member of its first parameter's type.
inline std::uint32_t leading_parameters(const Entity& function) {
  if (function.kind != EntityKind::kSymbol || function.environment == nullptr) return 0;
  const FileModel& file = *function.file;
  const parse::TermId term = symbol_of(function).term;
  if (term == parse::kNoIndex || file.facts.terms[term].kind != parse::TermKind::kFunction ||
      !file.facts.functions[file.facts.terms[term].at].is_extension) {
    return 0;
  }
  const Entities& self = function.environment->self;
  // (Reached through its own class it is like any other.)
  const bool is_own = self.empty() || (self.front().file == function.file &&
                                       self.front().index == file.owner_of(function.index) &&
                                       is_instance(self.front()));
  return is_own ? 0 : 1;
}

}  // namespace codexmem::graph
