// graph/tsconfig.h - the options of tsconfig and jsconfig files that decide what an import means.
//
// `extends` is followed (strings and arrays; packages only when they are part of the repository),
// paths stay relative to the file that gives them. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/package_json.h"
#include "graph/project_tree.h"

namespace codexmem::graph {

struct TsConfig {
  std::string path;
  std::string folder;
  std::optional<std::string> base_url;  // folder, relative to the root
  SubpathMap paths;                     // pattern to paths relative to the root, `*` unfilled
  std::string out_dir, root_dir;        // folders relative to the root; empty when not given
  std::vector<std::string> references;  // paths of config files of the same project
};

class TsConfigIndex {
 public:
  TsConfigIndex(ProjectTree& tree, const PackageIndex& packages)
      : tree_(tree), packages_(packages) {}

  /// The configurations that hold for the file at `source`, nearest folder first, each followed by
  /// those that it references.
  const std::vector<const TsConfig*>& list_for(std::string_view source);

 private:
  const TsConfig* load(const std::string& path, int depth);
  std::optional<std::string> find_extended(const TsConfig& from, std::string_view name);

  ProjectTree& tree_;
  const PackageIndex& packages_;
  std::unordered_map<std::string, std::unique_ptr<TsConfig>> loaded_;  // nullptr: not readable
  std::unordered_map<std::string, std::vector<const TsConfig*>> by_folder_;
};

}  // namespace codexmem::graph
