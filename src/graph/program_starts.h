// graph/program_starts.h - where programs begin: main functions, and modules that are run.
//
// Stateless but for the shared cache. Design: docs/design/overview.md, "Entry points".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct ProgramStart {
  std::string path;
  std::uint32_t line = 1;  // 1-based
};

/// Where programs of the main code begin, by path: in some languages a function of a certain name,
/// in others a module that is called so, or that asks whether it is (reads `most` of these at
/// most). Errors: those of the store.
Result<std::vector<ProgramStart>> find_program_starts(FactsCache& cache, store::CodeReader& reader,
                                                      std::size_t most);

}  // namespace codexmem::graph
