// graph/php/php_composer.h - what the composer.json files of a repository say of classes and
// packages.
//
// Read once for a snapshot of files. Not thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/project_tree.h"

namespace codexmem::graph {

class ComposerFiles {
 public:
  explicit ComposerFiles(ProjectTree& tree);

  /// The file that autoloading loads for class `path` (A\B\C), as seen from `source`; nullptr when
  /// it does not exist.
  const ProjectFile* find_class(std::string_view source, std::string_view path) const;

  /// The file of functions and constants that is loaded with the classes of namespace `path`;
  /// nullptr when nothing says which.
  const ProjectFile* find_functions(std::string_view path) const;

  /// True if some composer.json of the repository says where the classes below `path` are.
  bool owns(std::string_view path) const;

  /// The package that the composer.json files around `source` require and the namespace `path`
  /// begins like; empty when they require none.
  std::string package_of(std::string_view source, std::string_view path) const;

 private:
  struct Root {
    std::string prefix;  // of the classes: A\B\ ; "" for any
    std::string folder;
    std::string composer;    // the folder of the composer.json
    bool takes_all = false;  // psr-0: the prefix is part of the path
  };

  void read(std::string_view path, const std::string& text);
  void add_roots(std::string_view composer, std::string_view prefix, const std::string& folder,
                 bool takes_all);

  ProjectTree& tree_;
  std::vector<Root> roots_;  // the longest prefix first
  std::map<std::string, std::vector<std::string>, std::less<>> functions_;  // by composer's folder
  std::map<std::string, std::vector<std::string>, std::less<>> packages_;   // likewise
};

}  // namespace codexmem::graph
