// graph/kotlin/kotlin_scopes.h - what code is called on, and what extends it.
//
// `this` is that of the nearest lambda or extension function that has one, or of the class around;
// members of each of them are names. Stateless; results last as long as the Resolver.
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

/// The packages whose names `file` has without naming them: its own, those of its star imports,
/// those of the language.
const std::vector<std::string>& packages_seen(Resolver& resolver, const FileModel& file);

/// What the receiver of an extension has to be; empty for what is no extension.
Entities extended_by(Resolver& resolver, const Entity& extension);

/// True for a function or property that extends a type.
bool is_extension(const Entity& entity);

/// Of `candidates`, extensions among others, those that may be called on `receivers`, each in the
/// environment that the receiver tells.
Entities fitting_extensions(Resolver& resolver, const FileModel& file, const Entities& candidates,
                            const Entities& receivers);

/// Members `name` of `receivers` without extensions; of a class also those of its companion.
Entities plain_members(Resolver& resolver, const Entities& receivers, std::string_view name,
                       NameUse use);

/// What is called `name` at the top of the file: what it imports by name, or else what its package
/// and then others give it. Levels, from what is meant first to what is meant last.
std::vector<Entities> top_levels(Resolver& resolver, const FileModel& file, std::string_view name,
                                 bool* may_be_foreign);

/// What the dotted `path` means: types, functions and properties of packages, members of objects
/// and classes, constants of enums. Empty when there is none.
Entities imported_path(Resolver& resolver, std::string_view path, const FileModel* importer);

}  // namespace codexmem::graph
