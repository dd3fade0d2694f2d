// graph/core/environments.h - the values of type parameters, and their substitution.
//
// Owns the environments of one question: equal ones are one object, so entities compare by address.
// Not thread-safe.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "graph/core/entity.h"

namespace codexmem::graph {

class Environments {
 public:
  /// The shared environment equal to `environment`; nullptr for an empty one, and for one that is
  /// nested too deeply (types that grow as they recur).
  const Environment* intern(Environment environment);

  /// `entities` with type parameters, `this` and Self replaced by their values in `environment`, a
  /// result of intern(); unbound ones stay.
  Entities substitute(const Entities& entities, const Environment* environment);

 private:
  void substitute(const Entity& entity, const Environment& environment, Entities& found);
  const Environment* inside(const Environment* inner, const Environment& outer, bool is_open);

  struct Inside {
    const Environment* inner;
    const Environment* outer;
    bool is_open;
    bool operator==(const Inside&) const = default;
  };
  struct HashInside {
    std::size_t operator()(const Inside& key) const;
  };

  std::unordered_map<std::size_t, std::vector<std::unique_ptr<const Environment>>> known_;
  std::unordered_map<Inside, const Environment*, HashInside> inside_;
};

/// True if `parameter` is among `entities` or in their environments.
bool mentions(const Entities& entities, const Entity& parameter);

/// True if type parameters, `this` or Self are left in `entities` or their environments.
bool is_generic(const Entities& entities);

}  // namespace codexmem::graph
