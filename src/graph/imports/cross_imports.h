// graph/imports/cross_imports.h - imports of one repository that mean files of another.
//
// Stateless; reads through the caller's reader. Design: docs/how-it-works.md, "Several
// repositories".
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/across/ecosystem.h"
#include "store/code/united_reader.h"

namespace codexmem::graph {

/// A package that a repository publishes and another imports.
struct CrossUse {
  std::string importer;  // names of repositories
  std::string publisher;
  Ecosystem ecosystem{};
  std::string package;
  std::string required;        // the version that the importer asks for, as written; may be empty
  std::string version;         // that the publisher's manifest says; may be empty
  std::optional<bool> agrees;  // whether the required version allows the published one; nothing
                               // when unknown
  std::size_t imports = 0;
};

struct CrossImports {
  /// The imports that have no target in their own repository and mean a file of another one: rows
  /// as `dependencies` has them, with united ids and a target each, by source and import_index
  /// (store/code/cross_links.h says which rows they replace).
  std::vector<store::DependencyRow> rows;
  /// By importer, publisher, ecosystem, package and version asked for.
  std::vector<CrossUse> uses;
};

/// Links the members of `reader`, which has no links yet. An import is linked only to what another
/// member publishes under the name that is imported, whatever version is asked for. Configuration
/// that is not indexed does not count. Errors: kCancelled; the stores' errors.
Result<CrossImports> link_imports(store::UnitedReader& reader, const std::stop_token& stop);

}  // namespace codexmem::graph
