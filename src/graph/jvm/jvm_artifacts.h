// graph/jvm/jvm_artifacts.h - the third parties that a build asks for, by what imports name.
//
// Read from pom.xml, with what its ancestors in the repository say of versions, and from
// build.gradle, whose coordinates are its quoted "group:artifact:version". A package says nothing
// of its artifact: an import is of the one whose group its name begins with, or whose name it
// holds, where there is one alone; what fits none keeps its own name. Immutable once made.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/project_tree.h"

namespace codexmem::graph {

class JvmArtifacts {
 public:
  explicit JvmArtifacts(ProjectTree& tree);

  /// The artifact that a file at `source` imports as `path`, "a.b.C": group:artifact@version, or
  /// group:artifact when no version is given; empty when the build files around do not name one.
  std::string find(std::string_view source, std::string_view path) const;

 private:
  struct Artifact {
    std::string group;
    std::string name;
    std::string version;
  };
  using Properties = std::map<std::string, std::string, std::less<>>;

  void read_pom(ProjectTree& tree, std::string_view path);
  void read_gradle(ProjectTree& tree, std::string_view path);
  std::string version_of(std::string_view folder, const Artifact& wanted) const;
  std::string filled(std::string_view folder, std::string text) const;

  std::map<std::string, std::vector<Artifact>, std::less<>> artifacts_;  // by folder
  std::map<std::string, Properties, std::less<>> properties_;            // by folder
};

}  // namespace codexmem::graph
