// graph/kotlin/kotlin_scopes.h - implicit receivers, and the extensions of types.
//
// `this` belongs to the nearest lambda or extension function that has one, or to the class around;
// the members of all of them can be used as bare names. Stateless; results last as long as the
// Resolver.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {

/// Values as Kotlin sees them: what Java's library calls String or List is Kotlin's own, an array
/// of its own type.
Entities seen_by_kotlin(Resolver& resolver, const FileModel& file, const Entities& values);

/// What `this` may be at `offset`, from the inside out; of classes instances. Each is a set of what
/// one `this` may be.
std::vector<Entities> receivers_at(Resolver& resolver, const FileModel& file, std::uint32_t offset);

/// The packages with names visible in `file` without a named import: its own package, star imports,
/// and the language's packages.
const std::vector<std::string>& packages_seen(Resolver& resolver, const FileModel& file);

/// The types that an extension's receiver must have; empty when it is not an extension.
Entities extended_by(Resolver& resolver, const Entity& extension);

/// True for a function or property that extends a type.
bool is_extension(const Entity& entity);

/// The extensions among `candidates` that may be called on `receivers`, each in the environment
/// that follows from the receiver.
Entities fitting_extensions(Resolver& resolver, const FileModel& file, const Entities& candidates,
                            const Entities& receivers);

/// Members `name` of `receivers` without extensions; for a class also its companion's members.
Entities plain_members(Resolver& resolver, const Entities& receivers, std::string_view name,
                       NameUse use);

/// The meanings of `name` at the top of the file: its imports by name, or else its package and then
/// other packages. In levels, the first to be tried first.
std::vector<Entities> top_levels(Resolver& resolver, const FileModel& file, std::string_view name,
                                 bool* may_be_foreign);

/// The meanings of the dotted `path`: types, functions and properties of packages, members of
/// objects and classes, constants of enums. Empty when nothing is found.
Entities imported_path(Resolver& resolver, std::string_view path, const FileModel* importer);

}  // namespace codexmem::graph
