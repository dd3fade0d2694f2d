// exchange/scip_import.h - takes in what a compiler's indexer says, as a SCIP index.
//
// For each document whose text is the one that is indexed, its uses are kept with the facts of
// the file (graph/core/compiler_uses.h): from then on they are certain. All documents are written
// in one transaction. One thread; takes the run lock. Design: docs/export.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::exchange {

struct ScipImportReport {
  std::string tool;       // "scip-typescript 0.4.0"
  std::size_t files = 0;  // documents taken in
  std::size_t uses = 0;
  std::vector<std::pair<std::string, std::string>> refused;  // paths, each with the reason
};

/// An index of more bytes is refused.
inline constexpr std::size_t kMaxScipBytes = std::size_t{1} << 30U;

/// Reads the SCIP index at `path`. A document is refused when its file is not indexed, has another
/// text, or has changed after the index was written; files of the repository that the index does
/// not mention keep what they have. Errors, after which nothing is changed: kCorrupt for a damaged
/// index, or one with a path that leads out of the repository; kUnsupported when it is larger than
/// kMaxScipBytes; kNotFound, kIo; kCancelled; as the store.
Result<ScipImportReport> import_scip(store::Workspace& workspace, const std::filesystem::path& path,
                                     const std::stop_token& stop);

}  // namespace codexmem::exchange
