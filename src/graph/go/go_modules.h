// graph/go/go_modules.h - resolves Go import paths to folders.
//
// Modules are the go.mod files of the tree; an import is looked up in the importer's own module, in
// the folders of its replace directives, in its vendor folder, then in the other modules: modules
// of its go.work, and modules that it does not require in some version. A tree without go.mod may
// be laid out by import paths (src/, vendor/, the root). One thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {

class GoModuleFinder final : public ModuleFinder {
 public:
  explicit GoModuleFinder(ProjectTree& tree);

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override;

 private:
  struct Module {
    std::string path;                                       // as go.mod says it
    std::string folder;                                     // that contains it
    std::unordered_map<std::string, std::string> replaced;  // module paths to folders
    std::unordered_map<std::string, std::string> required;  // module paths to versions
    std::string workspace;                                  // the go.work that uses it
  };

  void read_module(std::string_view path);
  void read_workspace(std::string_view path);
  bool sees(const Module& from, const Module& other) const;
  const Module* module_of(std::string_view folder) const;
  const ProjectFile* find_package(std::string_view folder, std::string_view import_path) const;
  const ProjectFile* in_module(const Module& module, std::string_view import_path) const;
  const ProjectFile* in_folder_of(std::string_view folder) const;

  ProjectTree& tree_;
  std::vector<Module> modules_;  // by folder
  // The file that represents each folder's package: the first one that is not a test.
  std::unordered_map<std::string, const ProjectFile*> packages_;
};

}  // namespace codexmem::graph
