// graph/across/published.h - the packages that repositories publish, and those that they require.
//
// Several repositories are seen as one tree, each below a first folder of its own. A manifest
// (package.json, pyproject.toml, go.mod, pom.xml, build.gradle, Cargo.toml, composer.json,
// *.gemspec, mix.exs, *.csproj, CMakeLists.txt) publishes a package under a name, that others
// import it by. Read once for a snapshot; manifests are read line by line, and computed values are
// not evaluated. Immutable once built. Design: docs/how-it-works.md, "Several repositories".
//
// Published, and asked for in:
//
//   npm             the name of a package.json with a version; its dependencies of all kinds
//   Python          the top modules of a named project: the packages below src, lib or python, else
//                   the one called like the project, else the only one; dependencies,
//                   install_requires, Poetry's tables, requirements.txt
//   Go              the path of a module; `require`
//   Maven, Gradle   classes of a named artifact that are not tests; `dependency`, coordinates in
//                   quotes
//   Cargo           the crate of a library; dependencies of all kinds
//   Composer        classes below a prefix of autoload; require, require-dev
//   RubyGems, Hex   files in lib of a project with a gemspec or mix.exs; Gemfile and gemspec,
//                   mix.exs
//   NuGet           namespaces of packed projects that are not tests; PackageReference,
//                   PackageVersion
//   CMake           headers in folders that target_include_directories makes public, or in
//                   `include` of a project(); one without a folder only for importers that name the
//                   project; find_package, FetchContent, target_link_libraries
//
// Projects in test, example and documentation folders publish nothing. A package that is private or
// has no version is seen only by an importer that asks for its place (file:../a, workspace:*). An
// import keeps what its own repository finds. A link is made whatever version is asked for, since
// the workspace has only one. Not linked: configuration in ignored files, a crate or package under
// another name than its own, names computed in setup.py, mix.exs, Gradle or CMake.
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
  bool is_private = false;  // in no registry: only importers that name its location see it
  /// The words that imports begin with: the name, Python's top modules, the crate, namespaces of
  /// PHP, folders that C and C++ include from. Empty where the location of a file decides.
  std::vector<std::string> roots;
};

/// A manifest: the package that it publishes, if it has a name, and the versions that it requires.
struct Manifest {
  PublishedPackage package;
  std::map<std::string, std::string, std::less<>> required;  // by the names of packages
};

/// An empty manifest in `folder`, to be filled.
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

  /// All published packages, by folder; one folder may publish several.
  std::span<const PublishedPackage> list() const { return packages_; }

  /// True if the import `path` of the file `source` may mean a package of another repository: a
  /// quick check by name, made before an import is resolved.
  bool may_be_published(const ProjectFile& source, std::string_view path) const;

  /// The package of another repository that publishes the file `target` under the import `path` of
  /// `source`; nullptr when `target` is not published under such a name.
  const PublishedPackage* find(const ProjectFile& source, std::string_view path,
                               std::string_view target) const;

  /// The version of `package` that the manifests around `source` require; nothing when they do not
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

/// Each reads one manifest in `folder`. Nothing when the text is not such a manifest; a package
/// without a name publishes nothing.
std::optional<Manifest> read_npm_manifest(std::string_view folder, const std::string& text);
std::optional<Manifest> read_composer_manifest(std::string_view folder, const std::string& text);
std::optional<Manifest> read_go_manifest(std::string_view folder, std::string_view text);
std::optional<Manifest> read_cargo_manifest(std::string_view folder, std::string_view text);
std::optional<Manifest> read_pom_manifest(std::string_view folder, std::string_view text);
/// `settings` is the text of settings.gradle in the same folder, `properties` the text of
/// gradle.properties.
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
