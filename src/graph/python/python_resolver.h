// graph/python/python_resolver.h - which file a Python module name means.
//
// Where sys.path would begin is guessed from the tree: the folders of pyproject.toml, setup.cfg and
// setup.py above the file and their src/, the package folders that those files name, the root, and
// the nearest folder above the file that is no package. One thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/core/project_tree.h"

namespace codexmem::graph {

struct PythonModule {
  const ProjectFile* file = nullptr;  // module file, or the package's __init__; nullptr: none
  std::string folder;                 // of a package (with or without __init__), else empty
  bool is_package = false;
  bool is_external = false;  // its top-level package is not in the repository
  bool is_sibling = false;   // found only in the importing file's folder, which is a package

  bool found() const { return file != nullptr || is_package; }
};

class PythonResolver {
 public:
  explicit PythonResolver(ProjectTree& tree);

  /// What module `name` means in the file at `source`; leading dots make it relative. The reference
  /// is valid until the next call.
  const PythonModule& resolve(std::string_view source, std::string_view name);

  /// Submodule `name` of `package`; an empty PythonModule when it does not exist.
  PythonModule find_submodule(const PythonModule& package, std::string_view name) const;

 private:
  PythonModule find_relative(std::string_view source, std::string_view name) const;
  PythonModule find_absolute(std::string_view source, std::string_view name);
  PythonModule find_at(std::string_view folder, std::string_view name) const;
  bool is_regular_package(std::string_view folder) const;
  const std::vector<std::string>& list_roots(std::string_view source);
  void read_project(std::string_view path);
  void read_pyright(std::string_view path);
  void add_root(std::vector<std::string>& roots, std::string_view folder, std::string_view written);

  ProjectTree& tree_;
  std::unordered_map<std::string, std::vector<std::string>> project_roots_;  // by project folder
  std::vector<std::string> all_roots_;             // of projects that all may see, no repetition
  std::unordered_set<std::string> library_roots_;  // of every project
  std::unordered_map<std::string, std::vector<std::string>> roots_;  // by folder of the source
  std::unordered_map<std::string, PythonModule> cache_;              // by folder, '\n', name
  PythonModule external_;                                            // for names that are found
                                                                     // nowhere
};

}  // namespace codexmem::graph
