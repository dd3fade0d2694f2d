// graph/core/module_finder.h - finds the files that imports of one family of languages mean.
//
// Made by LanguageSemantics::make_module_finder() for an index run. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/imports/import_resolver.h"

namespace codexmem::graph {

class ModuleFinder {
 public:
  virtual ~ModuleFinder() = default;

  /// What an import of the file at `source` leads to.
  virtual ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                                 const parse::Import& import) = 0;
};

/// The names of an import, each once, in source order.
std::vector<std::string> imported_names(const parse::FileFacts& facts, const parse::Import& import);

}  // namespace codexmem::graph
