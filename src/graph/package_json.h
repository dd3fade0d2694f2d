// graph/package_json.h - the packages of a repository, and what their manifests export.
//
// Every package.json of the tree is a package that others may import by name; those that a
// `workspaces` list (npm, yarn, pnpm) names come before others. Packages of tests and fixtures are
// seen from inside themselves alone. One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/project_tree.h"

namespace codexmem::graph {

/// A map of `exports` or `imports`: a subpath pattern, and the files it may mean, best first. For a
/// nested condition every leaf is a candidate, conditions that name sources first.
using SubpathMap = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct PackageJson {
  std::string folder;
  std::string name;                     // may be empty
  std::vector<std::string> entry;       // files of `source`, `types`, `module`, `main`, as written
  SubpathMap exports;                   // keys ".", "./sub", "./sub/*"
  SubpathMap imports;                   // keys "#name", "#name/*"
  std::vector<std::string> workspaces;  // globs; "!..." excludes
  bool is_member = false;               // named by a workspaces list above it
};

/// What `key` means in `map`: candidates with `*` filled in; the exact key, else the pattern with
/// the longest text before its `*`.
std::vector<std::string> match_subpath(const SubpathMap& map, std::string_view key);

class PackageIndex {
 public:
  explicit PackageIndex(ProjectTree& tree);

  /// The package whose folder is nearest above the file at `path`; nullptr when there is none.
  const PackageJson* find_enclosing(std::string_view path) const;

  /// The package called `name` as seen from the file at `source`; nullptr when there is none.
  const PackageJson* find_named(std::string_view name, std::string_view source) const;

 private:
  std::vector<std::unique_ptr<PackageJson>> packages_;
  std::unordered_map<std::string_view, const PackageJson*> by_folder_;
  std::unordered_map<std::string_view, std::vector<const PackageJson*>> by_name_;
};

/// True when the path `name` matches a workspaces glob (`*` within a component, `**` across).
bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace codexmem::graph
