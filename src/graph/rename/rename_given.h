// graph/rename/rename_given.h - the types expected where objects without a declared type are
// passed.
//
// The part of graph/rename/rename_family.h for types recognised by their members. Stateless except
// for the Resolver's caches.
#pragma once

#include <cstdint>

#include "graph/core/resolver.h"

namespace codexmem::graph {

/// `symbol` is a key of an object that a variable without a declared type holds: the members of the
/// repository that are expected under its name where the variable is given for something: as an
/// argument, f(object), as a part, f({ ...object }), as a value, const a: A = object, or as a
/// result. Empty for any other symbol.
Entities members_expected_of(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

}  // namespace codexmem::graph
