// graph/core/explain.h - the steps from a use to the definition that it was found to mean, in
// words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/core/usage_search.h"

namespace codexmem::graph {

/// The steps that lead from `usage` to `target`, one sentence each, the definition last. For a
/// usage that is not resolved the one reason why it is listed.
std::vector<std::string> explain_usage(Resolver& resolver, const Usage& usage,
                                       const UsageTarget& target);

}  // namespace codexmem::graph
