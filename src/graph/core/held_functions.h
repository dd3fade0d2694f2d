// graph/core/held_functions.h - the functions that are assigned to a field or variable: `.open =
// my_open`, `ops->open = my_open`. One question.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// At most `limit` functions that code assigns to or passes for `holder`, a symbol. Of the files
/// that contain its name, the kMaxHoldingFiles nearest to `near` are read. Errors: kCancelled; the
/// store's errors.
Result<Entities> held_functions(Resolver& resolver, store::CodeReader& reader, const Entity& holder,
                                const FileModel& near, std::size_t limit);

inline constexpr std::size_t kMaxHoldingFiles = 64;

}  // namespace codexmem::graph
