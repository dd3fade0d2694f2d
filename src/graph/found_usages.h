// graph/found_usages.h - what a search for references found, without the texts that tell of it.
//
// Small enough to be kept for the next pages of an answer. Immutable once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/references.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct FoundUsages {
  struct Place {
    store::FileId file{};
    std::uint32_t occurrence = 0;
    std::uint32_t target = 0;  // index into definitions
    Confidence confidence = Confidence::kResolved;
  };
  std::vector<ReferenceDefinition> definitions;
  std::vector<Place> usages;   // of each confidence; by path and offset
  ReferenceCoverage coverage;  // but for name_matches_omitted, which depends on what is asked for
};

}  // namespace codexmem::graph
