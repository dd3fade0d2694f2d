// graph/core/foreign.h - values from other packages that may belong to the repository.
//
// A foreign lock, list or function may hold and return values of the repository's types:
// other::Lock<A>, lo.Filter(list). Section [foreign] of a family's library.txt lists two words:
// `generics` if a foreign generic that is passed types or values of the repository may return them,
// and `arguments` if a value most likely also has the members of its only such type argument (a
// pointer, a lock).
#pragma once

#include <algorithm>
#include <vector>

#include "graph/core/entity.h"

namespace codexmem::graph {

/// `value` if it is one of the unknown entities; else kUnknownEntity.
inline Entity unknown_as(const Entity& value) {
  return value.kind == EntityKind::kUnknown ? value : kUnknownEntity;
}

/// True if `entities` may as well be something outside the repository.
inline bool may_be_foreign(const Entities& entities) {
  return std::find(entities.begin(), entities.end(), kForeignEntity) != entities.end();
}

/// True for entities of the repository, and for library types that contain them: a list of them.
inline bool mentions_repository(const Entity& entity) {
  const auto has_ours = [](const Entities& inner) {
    return std::any_of(inner.begin(), inner.end(), &mentions_repository);
  };
  const Environment* inside = entity.environment;
  if (entity.kind == EntityKind::kContainer || is_of_library(entity)) {
    return inside != nullptr &&
           (std::any_of(inside->arguments.begin(), inside->arguments.end(), has_ours) ||
            std::any_of(inside->bound.begin(), inside->bound.end(),
                        [&](const auto& entry) { return has_ours(entry.second); }));
  }
  return is_known(entity);
}

/// True if foreign generics may return values of the repository's types.
inline bool has_open_generics(const FileModel& file) {
  return file.semantics.library().has("foreign", "generics");
}

/// The value of a foreign type with those type arguments.
inline Entities foreign_generic(const FileModel& file, const std::vector<Entities>& arguments) {
  if (!has_open_generics(file)) return {kExternalEntity};
  Entities found;
  std::size_t ours = 0;
  for (const Entities& argument : arguments) {
    if (std::none_of(argument.begin(), argument.end(), &mentions_repository)) continue;
    if (++ours == 1) found = argument;
  }
  if (ours == 0) return {kExternalEntity};
  if (ours > 1 || !file.semantics.library().has("foreign", "arguments")) found.clear();
  add(found, kForeignEntity);
  return found;
}

}  // namespace codexmem::graph
