// graph/core/subtypes.h - the types that extend a type, and how their members override.
//
// Supertypes are written in the type itself (Resolver::supertypes); subtypes are looked for in the
// files that contain its name. Results are kept as long as the Resolver.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// Types declared to extend, implement or use type `type` of `file`. Empty when very many files
/// contain its name.
const Entities& subtypes(Resolver& resolver, const FileModel& file, std::uint32_t type);

/// The subtypes and their subtypes in turn, nearest first, up to a limit.
Entities types_below(Resolver& resolver, const FileModel& file, std::uint32_t type);

/// Members of other types that member `symbol` of `file` implements for a type which has both types
/// above it and no such member itself: `class C extends B implements I`, of B.run I.run.
std::vector<Implied> joined_above(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

/// The other way round: of I.run B.run.
std::vector<Implied> joined_below(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

/// The meaning of a member that neither the type `owner` nor its supertypes have: a member of a
/// subtype, such as a type that uses a trait or mixin. `lookup` gives the members of an instance.
/// If there are few candidates, or each leaf type has one, the answer is these and kUnknown; if
/// there are more, kElsewhereEntity; else it is empty.
Entities members_below(Resolver& resolver, const Entity& owner,
                       const std::function<Entities(const Entity&)>& lookup);

/// What `super` in `type` may reach besides the types above it, as subtypes combine it with others:
/// members `name` of their other supertypes. kUnknownEntity alone where not all subtypes are known.
Entities members_beside(Resolver& resolver, const Entity& type, std::string_view name);

}  // namespace codexmem::graph
