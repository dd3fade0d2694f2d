// graph/nominal/members.h - members of languages in which a field, a method and a type may share a
// name, and functions a name with each other.
//
// Which of them a name means is told by what is done with it, which of several functions by the
// arguments of the call: by their number, then by their types as far as those are known. Shared by
// languages whose types are declared by name. Stateless.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// What a name is wanted as.
enum class NameUse : std::uint8_t { kValue, kCallable, kType };

/// True if `symbol` is something of that sort.
bool fits_use(const parse::Symbol& symbol, NameUse use);

/// True for a constructor: a method that is called as its class is.
bool is_constructor(const FileModel& file, std::uint32_t symbol);

/// Members `name` of what `receivers` may be, for that use: of functions all that may be called,
/// without those that others of them override. kUnknown or kExternal where a type among them, or a
/// supertype, is not of the repository and no member was found; empty when there is none.
Entities members_for(Resolver& resolver, const Entities& receivers, std::string_view name,
                     NameUse use);

/// The same of the supertypes of `type`, and of itself.
Entities type_members_for(Resolver& resolver, const Entity& type, std::string_view name,
                          NameUse use);

/// Those of several functions that the call at occurrence `index` may mean.
Entities fitting_call(Resolver& resolver, const FileModel& file, std::uint32_t index,
                      const Entities& found);

/// The constructors of class `type` that the call at occurrence `index` may mean.
Entities constructors_for(Resolver& resolver, const FileModel& file, std::uint32_t index,
                          const Entity& type);

/// True if functions `a` and `b` take the same, so that one overrides the other where it may.
bool take_the_same(Resolver& resolver, const Entity& a, const Entity& b);

/// The same by what is written alone.
bool may_take_the_same(const Entity& a, const Entity& b);

}  // namespace codexmem::graph
