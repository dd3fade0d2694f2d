// graph/cpp/cpp_makers.h - the constructors that making an object calls.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// `found`, with each class followed by the constructors that may be called if occurrence `index`
/// makes an object: with kExternal when an implicit constructor is possible. Only `found` when no
/// object is made.
Entities with_makers(Resolver& resolver, const FileModel& file, std::uint32_t index,
                     Entities found);

/// Uses of constructor `maker` that name another thing: a class that inherits it,
/// make_unique<A>(x), what makes an element in place.
std::vector<UnwrittenUse> uses_of_maker(Resolver& resolver, const Entity& maker);

/// True for a value of class `type`, or of one below it.
bool is_same_or_derived(Resolver& resolver, const Entity& value, const Entity& type);

}  // namespace codexmem::graph
