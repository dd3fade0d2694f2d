// graph/cpp/cpp_members.h - members of values of C++, and of what these point to.
//
// A template that nothing here declares may be a pointer or hold values (QSharedPointer<A>,
// boost::circular_buffer<A>): `->` and `*` lead to its arguments, as do elements and whatever its
// members give. That is a guess, marked by kGuessEntity.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The results of members of `values` called `name` without parameters: operator*. Empty without
/// such members.
Entities pointed_values(Resolver& resolver, const Entities& values, std::string_view name);

/// The meaning of occurrence `index` of `file`, a member of the values `before`: a member of these,
/// or of the values that they point to.
Entities members_through(Resolver& resolver, const Entities& before, const FileModel& file,
                         std::uint32_t index);

}  // namespace codexmem::graph
