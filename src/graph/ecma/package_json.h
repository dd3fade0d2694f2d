// graph/ecma/package_json.h - the packages of a repository, and what their manifests export.
//
// Every package.json of the tree is a package that others may import by name; those that a
// `workspaces` list (npm, yarn, pnpm) or a `link:` or `file:` dependency names come before others.
// Else packages of tests and fixtures are seen from inside themselves alone. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/core/project_tree.h"

namespace codexmem::graph {

/// Who asks for a module: conditions of a manifest are weighed by it.
struct Importer {
  bool is_typescript = false;
  bool is_require = false;  // require("x") rather than import

  std::size_t index() const { return (is_typescript ? 2U : 0U) + (is_require ? 1U : 0U); }
};

/// One value of T for each kind of importer, by Importer::index().
template <typename T>
using ByImporter = std::array<T, 4>;

/// A map of `exports` or `imports`: a subpath pattern, and the files it may mean, best first. For a
/// nested condition every leaf is a candidate: those under conditions that name sources first, then
/// those that hold for the importer, then the others, each in the order of the file.
using SubpathMap = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct PackageJson {
  std::string folder;
  std::string name;                            // may be empty
  ByImporter<std::vector<std::string>> entry;  // files of `source`, `types`, `main` ..., as written
  ByImporter<SubpathMap> exports;              // keys ".", "./sub", "./sub/*"
  ByImporter<SubpathMap> imports;              // keys "#name", "#name/*"
  std::string tsconfig;                 // the configuration that it gives to extend, or empty
  std::vector<std::string> workspaces;  // globs; "!..." excludes
  std::vector<std::pair<std::string, std::string>> links;  // `link:`, `file:`: name, folder
  bool is_member = false;                                  // named by a workspaces list above it
};

/// The candidates for `key` in `map`, with `*` filled in; the exact key, else the pattern with the
/// longest text before its `*`. A key that ends with `/` matches all paths below it.
std::vector<std::string> match_subpath(const SubpathMap& map, std::string_view key);

class PackageIndex {
 public:
  explicit PackageIndex(ProjectTree& tree);

  /// The package of the nearest folder above the file at `path`; nullptr without one.
  const PackageJson* find_enclosing(std::string_view path) const;

  /// The package called `name` as seen from the file at `source`; nullptr without one.
  const PackageJson* find_named(std::string_view name, std::string_view source) const;

 private:
  std::vector<std::unique_ptr<PackageJson>> packages_;
  std::unordered_map<std::string_view, const PackageJson*> by_folder_;
  std::unordered_map<std::string_view, std::vector<const PackageJson*>> by_name_;
};

/// True when the path `name` matches a workspaces glob (`*` within a component, `**` across).
bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace codexmem::graph
