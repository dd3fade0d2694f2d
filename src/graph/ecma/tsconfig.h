// graph/ecma/tsconfig.h - the options of tsconfig and jsconfig files that decide what an import
// means.
//
// `extends` is followed (strings and arrays; into packages of the repository and into node_modules
// where that is present), paths stay relative to the file that gives them, `${configDir}` is the
// folder of the file that extends. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/ecma/package_json.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {

/// A folder of which a configuration includes the files, with all below it or without.
struct Coverage {
  std::string folder;
  bool is_recursive = true;
};

struct TsConfig {
  std::string path;
  std::string folder;
  std::optional<std::string> base_url;  // folder, relative to the root
  SubpathMap paths;                     // pattern to paths relative to the root, `*` unfilled
  std::string out_dir, root_dir;        // folders relative to the root; empty when not given
  std::vector<std::string> root_dirs;   // folders that are one as relative specifiers see it
  std::vector<std::string> references;  // paths of config files of the same project
  std::vector<Coverage> covers;         // what `include` and `files` name, as far as folders go

  /// True when it includes files of `source_folder`.
  bool has_folder(std::string_view source_folder) const;
};

/// The configurations that hold for a file, best first.
struct TsConfigs {
  std::vector<const TsConfig*> list;
  std::size_t nearest = 0;  // so many of the front belong to the nearest folder that has any
};

class TsConfigIndex {
 public:
  TsConfigIndex(ProjectTree& tree, const PackageIndex& packages)
      : tree_(tree), packages_(packages) {}

  /// The configurations that hold for the file at `source`: nearest folder first, and of a folder's
  /// own and those that it references the ones that include the file first.
  const TsConfigs& list_for(std::string_view source);

 private:
  struct Options;
  const TsConfig* load(const std::string& path);
  std::optional<Options> read_options(const std::string& path, int& files_left);
  std::optional<std::string> find_extended(std::string_view folder, std::string_view name);

  ProjectTree& tree_;
  const PackageIndex& packages_;
  std::unordered_map<std::string, std::unique_ptr<TsConfig>> loaded_;  // nullptr: not readable
  std::unordered_map<std::string, TsConfigs> by_folder_;
};

}  // namespace codexmem::graph
