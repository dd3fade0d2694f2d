// graph/across/published.h - what repositories publish, and what they ask of each other.
//
// Several repositories are seen as one tree, each below a first folder of its own. A manifest
// (package.json, pyproject.toml, go.mod, pom.xml, build.gradle, Cargo.toml, composer.json,
// *.gemspec, mix.exs, *.csproj, CMakeLists.txt) publishes a package under a name, with which others
// import it. Read once for a snapshot; what is written is read by lines, nothing is computed.
// Immutable once made. Design: docs/design/graph.md, "Across repositories".
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/across/ecosystem.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {

struct PublishedPackage {
  Ecosystem ecosystem{};
  std::string name;         // "zod", "github.com/spf13/pflag", "group:artifact"
  std::string version;      // as the manifest says it; empty if it does not
  std::string folder;       // of the manifest
  bool is_private = false;  // in no registry: only those who ask for its place see it
  /// What imports begin with: the name, Python's top modules, the crate, namespaces of PHP,
  /// folders that C and C++ include from. Empty where the place of a file tells.
  std::vector<std::string> roots;
};

/// A manifest: what it publishes, if it has a name, and the versions that it asks for.
struct Manifest {
  PublishedPackage package;
  std::map<std::string, std::string, std::less<>> required;  // by the names of packages
};

/// The manifest in `folder` before anything of it is read.
inline Manifest begin_manifest(Ecosystem ecosystem, std::string_view folder) {
  Manifest manifest;
  manifest.package.ecosystem = ecosystem;
  manifest.package.folder = folder;
  return manifest;
}

/// The first folder of `path`: the repository.
std::string_view member_folder_of(std::string_view path);

class PublishedPackages {
 public:
  explicit PublishedPackages(ProjectTree& tree);

  /// All that is published, by folder; one folder may publish several.
  std::span<const PublishedPackage> list() const { return packages_; }

  /// True if the import `path` of the file `source` may mean what another repository publishes: a
  /// quick look at names, to be asked before any import is resolved.
  bool may_be_published(const ProjectFile& source, std::string_view path) const;

  /// The package of another repository as which the import `path` of `source` means the file
  /// `target`; nullptr when `target` is not published under such a name.
  const PublishedPackage* find(const ProjectFile& source, std::string_view path,
                               std::string_view target) const;

  /// The version of `package` that the manifests around `source` ask for; nothing when they do not
  /// name it.
  std::optional<std::string> required(std::string_view source,
                                      const PublishedPackage& package) const;

 private:
  void add(Manifest manifest);
  void read_python(ProjectTree& tree);
  void note_words(ProjectTree& tree);
  void note(Ecosystem ecosystem, std::string_view word, std::string_view path);
  bool is_elsewhere(Ecosystem ecosystem, std::string_view word, std::string_view source) const;
  bool imports(const ProjectFile& source, const PublishedPackage& package, std::string_view path,
               std::string_view target) const;

  std::vector<PublishedPackage> packages_;
  std::map<std::string, std::vector<Manifest>, std::less<>> manifests_;  // by folder
  // By ecosystem and a word of imports: the repositories that publish it.
  std::unordered_map<std::string, std::set<std::string, std::less<>>> words_;
};

/// The ecosystem that files of `family` import from; nothing where packages are not known.
std::optional<Ecosystem> ecosystem_of(parse::Family family);

// ---- Manifests, by their text (manifests_json.cpp, manifests_text.cpp).

/// Each reads one manifest in `folder`. Nothing when it is none; a package without a name publishes
/// nothing.
std::optional<Manifest> read_npm_manifest(std::string_view folder, const std::string& text);
std::optional<Manifest> read_composer_manifest(std::string_view folder, const std::string& text);
std::optional<Manifest> read_go_manifest(std::string_view folder, std::string_view text);
std::optional<Manifest> read_cargo_manifest(std::string_view folder, std::string_view text);
std::optional<Manifest> read_pom_manifest(std::string_view folder, std::string_view text);
/// `settings` is the text of settings.gradle beside it, `properties` that of gradle.properties.
std::optional<Manifest> read_gradle_manifest(std::string_view folder, std::string_view text,
                                             std::string_view settings,
                                             std::string_view properties);
/// pyproject.toml, setup.cfg, setup.py or requirements.txt, as `file` says. Roots are left empty.
std::optional<Manifest> read_python_manifest(std::string_view folder, std::string_view file,
                                             std::string_view text);
/// A *.gemspec or Gemfile.
std::optional<Manifest> read_gem_manifest(std::string_view folder, std::string_view text);
std::optional<Manifest> read_mix_manifest(std::string_view folder, std::string_view text);
/// `stem` is the name of the project file without its extension.
std::optional<Manifest> read_csproj_manifest(std::string_view folder, std::string_view stem,
                                             std::string_view text);
std::optional<Manifest> read_cmake_manifest(std::string_view folder, std::string_view text);

/// A distribution of Python as indexes compare names: "A_b.C" is "a-b-c" (PEP 503).
std::string python_distribution(std::string_view name);

}  // namespace codexmem::graph
