// exchange/scip_export.h - writes what the index knows as a SCIP index.
//
// SCIP (github.com/sourcegraph/scip) is the file that compilers' indexers write and that code
// browsers read. A use is written where the resolver is certain; a likely or possible one is
// counted. Columns are bytes of UTF-8. Documents are written one at a time. One thread.
// Design: docs/export.md.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "exchange/code_walk.h"
#include "exchange/output.h"

namespace codexmem::exchange {

struct ScipHead {
  std::string root;     // the folder of the repository, absolute
  std::string package;  // the name that its symbols get
  std::string version;  // of this program
};

struct ScipReport {
  WalkedFiles walked;
  std::size_t symbols = 0;      // that the repository defines
  std::size_t occurrences = 0;  // definitions included
  std::size_t uncertain = 0;    // names left out: they may mean a symbol of the repository
  std::size_t outside = 0;      // names left out: of another package, and no import names them
};

/// Errors: of `output`; kCancelled; the store's errors.
Result<ScipReport> export_scip(graph::FactsCache& cache, store::CodeReader& reader,
                               const ScipHead& head, const Output& output);

}  // namespace codexmem::exchange
