// graph/nominal/members.h - members of languages in which a field, a method and a type may share a
// name, and functions a name with each other.
//
// The use of a name decides which of them it means; overloads.h chooses among several functions.
// Shared by languages whose types are declared by name. Stateless.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/ascii.h"
#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// True for names that are one where case (of ASCII) says nothing.
bool same_name(std::string_view a, std::string_view b);

/// True for what a name leads to, in the repository or the library.
inline bool is_resolved(const Entity& entity) {
  return entity.kind != EntityKind::kUnknown && entity.kind != EntityKind::kExternal;
}
inline bool any_leads(const Entities& entities) {
  return std::any_of(entities.begin(), entities.end(), is_resolved);
}

/// True for a name as packages and members have, not types.
inline bool begins_lower(std::string_view name) { return !name.empty() && is_lower(name.front()); }

/// What a name is wanted as.
enum class NameUse : std::uint8_t { kValue, kCallable, kType };

/// True if `symbol` is something of that sort.
bool fits_use(const parse::Symbol& symbol, NameUse use);

/// True for a constructor that is called as its class is.
bool is_constructor(const FileModel& file, std::uint32_t symbol);

/// Members `name` of `receivers`, for that use; for functions all that may be called, except ones
/// that another of them overrides. kUnknown or kExternal when no member was found and one of the
/// types, or a supertype, is not of the repository; empty when the member does not exist.
Entities members_for(Resolver& resolver, const Entities& receivers, std::string_view name,
                     NameUse use);

/// The same of the supertypes of `type`, and of itself.
Entities type_members_for(Resolver& resolver, const Entity& type, std::string_view name,
                          NameUse use);

/// The methods without a body of an interface, or of the first above it that has some: the one that
/// a function is given for.
Entities open_methods(Resolver& resolver, const Entity& instance);

}  // namespace codexmem::graph
