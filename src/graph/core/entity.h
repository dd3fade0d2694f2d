// graph/core/entity.h - what a name can mean and a value can be.
//
// Plain values of one question. An entity may be generic: what its type parameters stand for is its
// environment, which graph/core/environments.h owns. Design: docs/design/graph.md.
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
  kUnknown,   // cannot be told from the facts
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
  kLate,  // what type `index`, a term of `file`, is once its environment says what it speaks of:
          // see Resolver::settle()
  kTerm,  // a key of an object that is no symbol: its value is term `index` of `file`
  kContainer,  // of the environment's arguments; `index`: container_index()
  kMethod,     // a method of such a container; `index`: as library_method() takes it
  kCallback,   // the function that such a method wants as its first argument
};

struct Environment;

/// Something that a name can mean or that a value can be.
struct Entity {
  EntityKind kind = EntityKind::kUnknown;
  const FileModel* file = nullptr;
  std::uint32_t index = 0;
  const Environment* environment = nullptr;

  bool operator==(const Entity&) const = default;

  /// True if both are the same but for their environments.
  bool is_same(const Entity& other) const {
    return kind == other.kind && file == other.file && index == other.index;
  }
};

/// What a name may mean: several where it is declared several times (overloads, try/except), or
/// where the value's type is a union. Empty when it is known to mean nothing of the sort asked for.
using Entities = std::vector<Entity>;

/// What the type parameters of a generic thing stand for. Shared, immutable.
struct Environment {
  std::vector<std::pair<Entity, Entities>> bound;  // by type parameter
  Entities self;                                   // what `this` and Self stand for
  std::vector<Entities> arguments;                 // of a container, in its own order
  // Told when it is interned.
  std::uint32_t depth = 0;  // levels of environments inside
  bool is_generic = false;  // type parameters are left in it

  /// What `parameter` stands for; nullptr when that is not told.
  const Entities* find(const Entity& parameter) const {
    for (const auto& [known, values] : bound) {
      if (known == parameter) return &values;
    }
    return nullptr;
  }
};

/// Of more declarations that one name may mean nothing is known.
inline constexpr std::size_t kMaxAlternatives = 128;

inline const Entity kUnknownEntity{};
inline const Entity kExternalEntity{EntityKind::kExternal, nullptr, 0, nullptr};

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

/// The same for what calls give: of one generic thing a few environments say enough, since chains
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

/// True for what a unit of the language's library declares: known, but not of the repository.
inline bool is_of_library(const Entity& entity) {
  return entity.file != nullptr && entity.file->is_library;
}

/// What a unit of the library says of a value: what it does not tell is the library's, but where
/// the language's traits say that it may be anything.
inline Entities told_by_library(const FileModel& unit, Entities values) {
  if (unit.semantics.traits().untold_is_unknown) return values;
  for (Entity& value : values) {
    if (value.kind == EntityKind::kUnknown) value = kExternalEntity;
  }
  return values;
}

/// True for what is of the repository.
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

/// True for what stays open until type parameters are told: T, and types that are made of it.
inline bool is_late(const Entities& entities) {
  return std::any_of(entities.begin(), entities.end(), [](const Entity& entity) {
    return entity.kind == EntityKind::kTypeParameter || entity.kind == EntityKind::kLate ||
           (entity.environment != nullptr && entity.environment->is_generic);
  });
}

/// True for the terms that only types have: what a variable is annotated with.
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

/// How many parameters a function takes from what it is called on: one where a method is called as
/// if it were a member of its first parameter's type.
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
