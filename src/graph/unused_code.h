// graph/unused_code.h - definitions that nothing reaches from entry points, exports and tests.
//
// Stateless but for the shared cache. Design: docs/design/unused.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// How sure it is that something is unused. Ordered: a greater one is surer.
enum class UnusedCertainty : std::uint8_t {
  kPossible,  // something that is seen may well reach it: its name is in a string, say
  kLikely,    // something that is not seen might: it is exported
  kCertain,   // private, and no code, string or configuration names it
};

/// "possible", "likely", "certain".
std::string_view unused_certainty_name(UnusedCertainty certainty);

struct UnusedSymbol {
  store::SymbolRow symbol;
  std::string path;
  std::uint32_t lines = 1;
  UnusedCertainty certainty = UnusedCertainty::kCertain;
  std::vector<std::string> users;    // that are unused, too: qualified names, at most 3; empty:
                                     // nothing uses it
  std::vector<std::string> reasons;  // why it might be reached after all, the weightiest first
};

struct UnusedCode {
  std::vector<UnusedSymbol> symbols;  // the surest, then the longest, first; then by path and line
  std::size_t definitions = 0;        // that were looked at
  std::size_t files_not_read = 0;     // time ran out: what they name is not listed
};

/// The functions, methods, types and variables of the main code that only unused code uses, or
/// nothing. What is part of another unused one is not listed. Fields, members of enums and of
/// interfaces, and what is local to a function are not looked at. In a workspace
/// (store/code/united_reader.h) a repository is used by those that import its packages, too.
/// Errors: kCancelled; those of the store.
Result<UnusedCode> find_unused_code(FactsCache& cache, store::CodeReader& reader,
                                    std::chrono::steady_clock::time_point deadline,
                                    const std::stop_token& stop);

}  // namespace codexmem::graph
