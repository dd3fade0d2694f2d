// graph/unused/unused_code.h - definitions that nothing reaches from entry points, exports and
// tests.
//
// Stateless except for the shared cache. Design: docs/how-it-works.md, "Unused code".
//
// Assumed used as well: main functions, names that a language calls itself (init in Go, __x__),
// declarations, imports and exports of a module that represents a package, re-exports, and names in
// tests, examples and code of documentation. A name in more than 20 files is taken for used. Names
// in comments and prose are not a reason.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/references.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// How sure it is that something is unused. Ordered: a greater one is surer.
enum class UnusedCertainty : std::uint8_t {
  kPossible,  // something that is seen may well reach it: its name is in a string, say
  kLikely,    // something that is not seen might: it is exported
  kCertain,   // private, no code, string or configuration names it, and its account is complete
};

/// "possible", "likely", "certain".
std::string_view unused_certainty_name(UnusedCertainty certainty);

struct UnusedSymbol {
  store::SymbolRow symbol;
  std::string path;
  std::uint32_t lines = 1;
  UnusedCertainty certainty = UnusedCertainty::kCertain;
  std::vector<std::string> users;     // that are unused, too: qualified names, at most 3; empty:
                                      // nothing uses it
  std::optional<UseAccount> account;  // of its name's places, where it was taken
  std::string why;                    // it is certain; "" for others
  std::vector<std::string> reasons;   // why it might be reached after all, the weightiest first
};

/// The order of a list: the surest, then the longest, first; then by path and line.
bool is_surer(const UnusedSymbol& a, const UnusedSymbol& b);

struct UnusedCode {
  std::vector<UnusedSymbol> symbols;  // by is_surer()
  std::size_t definitions = 0;        // that were looked at
  std::size_t files_not_read = 0;     // time ran out: what they name is not listed
};

/// The functions, methods, types and variables of the main code without uses, or with uses only in
/// unused code. A part of another unused definition is not listed. Fields, members of enums and of
/// interfaces, and local symbols of functions are not checked. In a workspace
/// (store/code/united_reader.h) uses in repositories that import its packages count, too. Errors:
/// kCancelled; the store's errors.
Result<UnusedCode> find_unused_code(FactsCache& cache, store::CodeReader& reader,
                                    std::chrono::steady_clock::time_point deadline,
                                    const std::stop_token& stop);

}  // namespace codexmem::graph
