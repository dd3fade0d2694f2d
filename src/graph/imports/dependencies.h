// graph/imports/dependencies.h - the imports of a file, and its importers, to a depth.
//
// Reads table dependencies. Stateless. Design: docs/how-it-works.md, "Dependencies".
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct DependencyQuery {
  std::string file_path;    // relative to the root
  std::uint32_t depth = 2;  // levels of files, 1 to 10
  bool include_external = false;
};

/// One file or external package on the way from, or to, the file asked about.
struct DependencyItem {
  std::string path;         // "" for an external package, the folder of one of the repository
  std::string import_path;  // as written
  std::string import_type;  // import, require, include, package, template
  std::vector<std::string>
      symbols;  // names imported by that edge's source; several statements joined
  bool is_external = false;
  bool is_resource = false;  // no module of a language: a stylesheet, data, a text, an image
  std::string not_indexed;   // why, of a resource that is not: "binary", "too_large" ...
  bool is_package = false;   // `path` is a folder whose files are one package
  std::string package;       // of an external one
  std::uint32_t depth = 1;   // 1: imported by, or importing, the file itself
  std::string via;           // depth above 1: the file nearer to the one asked about
  std::uint32_t line = 0;    // 1-based line of the import
  bool is_unused = false;    // only the import, or documentation, has the names: mark_unused()
};

struct DependencyAnswer {
  std::string path;
  std::vector<DependencyItem> dependencies;  // by depth, then in the order of imports
  std::vector<DependencyItem> dependents;    // by depth, then path
  /// Cycles through the file asked about: paths in import order, the first one not repeated; the
  /// shortest for each neighbour, at most 10.
  std::vector<std::vector<std::string>> cycles;
  std::size_t cycles_omitted = 0;  // further ones
  /// Import paths of the file that were found neither inside nor outside the repository.
  std::vector<std::string> unresolved;
  std::size_t external_omitted = 0;  // external packages left out because they were not asked for
  bool views_are_cut = false;        // not all code was read that may name a template on the way
};

/// Finds the files around `query.file_path`; each comes once in each direction, at its smallest
/// depth. Errors: kInvalidArgument for a depth out of bounds; kNotFound when the file is not
/// indexed, the message naming the nearest path that is; kCancelled; the store's errors.
Result<DependencyAnswer> analyze_dependencies(store::CodeReader& reader,
                                              const DependencyQuery& query,
                                              std::stop_token stop = {});

/// Finds which of `importers` do not use in code what they import. (In Java and Kotlin, where files
/// do not hand imports on.) Errors: the store's.
Result<void> mark_unused(FactsCache& cache, store::CodeReader& reader,
                         std::vector<DependencyItem>& importers);

}  // namespace codexmem::graph
