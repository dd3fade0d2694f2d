// graph/imports/import_table.h - which files import which, of one generation of a store. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "graph/imports/file_table.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Files are named by their places in FileTable::rows().
struct ImportTable {
  std::vector<std::vector<std::uint32_t>> imports;    // of each file, each once
  std::vector<std::vector<std::uint32_t>> importers;  // likewise

  static Result<std::shared_ptr<const ImportTable>> load(store::CodeReader& reader,
                                                         const FileTable& files);
};

}  // namespace codexmem::graph
