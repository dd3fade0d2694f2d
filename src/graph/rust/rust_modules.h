// graph/rust/rust_modules.h - resolves `mod` and `use` of Rust to files.
//
// A crate is a tree of modules; a module is a block in the file of the module around it, or a file
// in the same folder or below. Cargo.toml files list the crates and the names of others. One
// thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {

/// What code calls the crate of package `name`.
std::string rust_crate(std::string_view name);

/// What a Cargo.toml in `folder` says of a library: what code calls it and, if it says so, its
/// file.
struct RustLibrary {
  std::string crate;
  std::string file;
};
std::optional<RustLibrary> rust_library_of(std::string_view folder, std::string_view manifest);

/// The parts of a path, "a::b".
std::vector<std::string_view> rust_path(std::string_view path);

/// What `mod a;` is recorded as; what it names, and the path that an attribute gives it.
struct RustModuleName {
  std::string_view name;
  std::string_view path;
  bool is_guess = false;  // a macro is given the name, which may declare such a module
};
std::optional<RustModuleName> rust_module_name(std::string_view import_path);

/// The folder of the modules inside the module of `file`, by the file's name.
std::string rust_module_folder(std::string_view file);

/// The modules in blocks around `scope`, the outermost first.
std::vector<std::string_view> rust_inner_modules(const parse::FileFacts& facts,
                                                 std::uint32_t scope);

class RustModuleFinder final : public ModuleFinder {
 public:
  explicit RustModuleFinder(ProjectTree& tree);

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override;

 private:
  struct Dependency {
    std::string package;
    std::string version;
  };
  struct Package {
    std::string folder;
    std::string name;
    std::string crate;                                            // what code calls its library
    std::string library;                                          // its file
    std::map<std::string, Dependency, std::less<>> dependencies;  // by what code calls them
  };

  void read_manifest(std::string_view path);
  const Package* package_of(std::string_view path) const;
  const ProjectFile* child(std::string_view file, std::string_view name) const;
  const ProjectFile* parent(std::string_view file) const;
  bool names_package(std::string_view source, std::string_view name) const;
  const ProjectFile* root(std::string_view file) const;
  const ProjectFile* in_folder_of(std::string_view folder, std::string_view name) const;

  ProjectTree& tree_;
  std::vector<Package> packages_;
  std::map<std::string, Dependency, std::less<>> shared_;  // of workspaces
};

}  // namespace codexmem::graph
