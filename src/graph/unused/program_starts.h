// graph/unused/program_starts.h - where programs begin: main functions, and modules that are run.
//
// Stateless except for the shared cache. Design: docs/how-it-works.md, "Overview".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct ProgramStart {
  std::string path;
  std::uint32_t line = 1;  // 1-based
};

/// The entry points of programs in the main code, by path: in some languages a function of a
/// certain name, in others a module of a certain name, or one that checks whether it is the main
/// module (at most `most` of these are read). Errors: the store's errors.
Result<std::vector<ProgramStart>> find_program_starts(FactsCache& cache, store::CodeReader& reader,
                                                      std::size_t most);

}  // namespace codexmem::graph
