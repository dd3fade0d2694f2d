// graph/csharp/csharp_projects.h - the contents of project files: the root namespace of a project's
// folder, and the packages that it requires.
//
// Built for an index run. One thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/project_tree.h"

namespace codexmem::graph {

/// The namespaces and types that a project file imports for all its files: <Using Include="A.B" />.
std::vector<std::string> usings_of_project(std::string_view text);

class CSharpProjects {
 public:
  explicit CSharpProjects(ProjectTree& tree);

  /// Project folders by their root namespace: RootNamespace of the project file, else the file's
  /// name.
  const std::multimap<std::string, std::string, std::less<>>& roots() const { return roots_; }

  /// The package that a file at `source` takes namespace `path` from: "Name@version", or "Name"
  /// when no version is given; empty when the projects around do not name one.
  std::string package_of(std::string_view source, std::string_view path) const;

 private:
  struct Package {
    std::string name;
    std::string version;
  };

  void read(std::string_view path, const std::string& text);

  std::multimap<std::string, std::string, std::less<>> roots_;
  std::map<std::string, std::vector<Package>, std::less<>> packages_;  // by folder
};

}  // namespace codexmem::graph
