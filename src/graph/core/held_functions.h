// graph/core/held_functions.h - the functions that a field or variable is given: `.open = my_open`,
// `ops->open = my_open`. One question.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// At most `limit` functions that code gives `holder`, a symbol. Of the files that have its name,
/// the kMaxHoldingFiles that lie nearest to `near` are read. Errors: kCancelled; those of the
/// store.
Result<Entities> held_functions(Resolver& resolver, store::CodeReader& reader, const Entity& holder,
                                const FileModel& near, std::size_t limit);

inline constexpr std::size_t kMaxHoldingFiles = 64;

}  // namespace codexmem::graph
