// graph/core/explain.h - explains in words how a use was resolved to its definition.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/core/usage_search.h"

namespace codexmem::graph {

/// The steps that lead from `usage` to `target`, one sentence each, the definition last. For an
/// unresolved usage, the one reason why it is listed.
std::vector<std::string> explain_usage(Resolver& resolver, const Usage& usage,
                                       const UsageTarget& target);

/// The meaning of an occurrence, for people: "'A.run' of src/a.ts", "a local of src/b.ts".
std::string describe_meaning(Resolver& resolver, const FileModel& file, std::uint32_t occurrence);

}  // namespace codexmem::graph
