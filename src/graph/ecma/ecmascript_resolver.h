// graph/ecma/ecmascript_resolver.h - which file a JavaScript or TypeScript specifier means.
//
// As the TypeScript compiler reads it, with two differences: a package of the repository leads to
// its sources rather than to its build output or declarations, and a JavaScript file that imports
// gets the JavaScript that a declaration file describes. One thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/ecma/package_json.h"
#include "graph/core/project_tree.h"
#include "graph/ecma/tsconfig.h"

namespace codexmem::graph {

/// True for a module of the platform: "fs", "fs/promises", "node:fs", "bun:test".
bool is_platform_module(std::string_view specifier);

struct EcmaScriptTarget {
  const ProjectFile* file = nullptr;  // nullptr: external or not found
  bool is_external = false;
  std::string package;  // of an external one
};

class EcmaScriptResolver {
 public:
  explicit EcmaScriptResolver(ProjectTree& tree)
      : tree_(tree), packages_(tree), configs_(tree, packages_) {}

  /// What `specifier` means in the file at `source`; `is_require` for require("specifier"). The
  /// reference is valid until the next call.
  const EcmaScriptTarget& resolve(std::string_view source, std::string_view specifier,
                                  bool is_require);

 private:
  EcmaScriptTarget find(std::string_view source, std::string_view specifier);
  const ProjectFile* find_relative(std::string_view source, std::string_view specifier);
  const ProjectFile* find_module(std::string_view path, bool folder_only = false);
  const ProjectFile* find_file(std::string_view path) const;
  const ProjectFile* find_folder(std::string_view path);
  const ProjectFile* find_described(const ProjectFile* declarations) const;
  const ProjectFile* find_by_paths(const TsConfig& config, std::string_view specifier);
  const ProjectFile* find_in_package(const PackageJson& package, std::string_view subpath);
  const ProjectFile* find_written(const PackageJson& package, std::string_view relative);
  const ProjectFile* find_exported(const PackageJson& package, std::string_view relative,
                                   bool may_be_output);

  ProjectTree& tree_;
  PackageIndex packages_;
  TsConfigIndex configs_;
  std::unordered_map<std::string, EcmaScriptTarget> cache_;  // by folder, importer, specifier
  Importer importer_;  // of the specifier that is being resolved
};

}  // namespace codexmem::graph
