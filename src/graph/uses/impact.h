// graph/uses/impact.h - the code affected by a change of some definitions or files.
//
// Stateless except for the shared cache. Design: docs/how-it-works.md, "Impact".
//
// Not seen: tests that reach code by a registry, a fixture's name or another process; files without
// definitions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/references.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// A definition that changes.
struct ImpactSeed {
  std::string path;
  std::string name;        // qualified
  std::uint32_t line = 0;  // 1-based; 0: any of that name in `path`
};

/// A definition, or the top level of a file, that uses what changes, or uses a user of it.
struct AffectedCode {
  std::string path;
  std::string symbol;  // qualified; "" for the top level
  Position first;      // the first use
  std::size_t uses = 0;
  std::size_t depth = 1;                          // 1: uses what changes
  Confidence confidence = Confidence::kResolved;  // of the least sure step to it
  UsageKind kind = UsageKind::kRead;              // of the surest use
  std::string via;                                // what it uses: a qualified name
};

struct Impact {
  UseAccount account;              // of the definitions that change, summed
  std::vector<AffectedCode> code;  // nearest first, the surest, most uses, then by path and line
  std::size_t not_followed = 0;    // definitions whose users were not looked for: time ran out, or
                                   // there were too many
};

struct ImpactLimits {
  std::size_t depth = 2;    // steps
  std::size_t most = 2000;  // definitions whose users are looked for
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// The direct and indirect users of `seeds`, found by references; overriding methods count as
/// users, comments and imports do not. Errors: kCancelled; the store's errors.
Result<Impact> find_impact(FactsCache& cache, store::CodeReader& reader,
                           const std::vector<ImpactSeed>& seeds, const ImpactLimits& limits,
                           const std::stop_token& stop);

/// The files that import one of `paths`, directly (1) or through others, at most `depth` steps
/// away, with the number of steps. Errors: the store's errors.
Result<std::map<std::string, std::size_t>> find_importing_files(
    store::CodeReader& reader, const std::vector<std::string>& paths, std::size_t depth);

}  // namespace codexmem::graph
