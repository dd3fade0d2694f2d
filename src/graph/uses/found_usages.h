// graph/uses/found_usages.h - the results of a search for references, without their texts.
//
// Small enough to be kept for the next pages of an answer. Immutable once built.
#pragma once

#include <vector>

#include "graph/uses/references.h"
#include "graph/uses/use_drawers.h"

namespace codexmem::graph {

struct FoundUsages {
  std::vector<ReferenceDefinition> definitions;
  AccountedUses uses;          // targets are indices into `definitions`
  ReferenceCoverage coverage;  // except name_matches_omitted, which depends on the query
};

}  // namespace codexmem::graph
