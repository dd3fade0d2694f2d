// graph/c/compile_commands.h - the folders in which a build looks for headers, read from a
// compile_commands.json (https://clang.llvm.org/docs/JSONCompilationDatabase.html).
//
// Belongs to one index run. One thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/core/project_tree.h"

namespace codexmem::graph {

inline constexpr std::string_view kCompileCommands = "compile_commands.json";

class CompileCommands {
 public:
  /// Reads the first one found: at the root, in the usual build folders (which need not be
  /// indexed), or elsewhere among the files. Without one, or if it is damaged, there are no
  /// folders.
  explicit CompileCommands(ProjectTree& tree);

  /// The folders of the repository in which includes of `source` are looked for, in order. A file
  /// that is not compiled by itself has the folders of a source in the same folder, else of one in
  /// a folder above.
  std::span<const std::string> include_folders(std::string_view source) const;

 private:
  bool read(const ProjectTree& tree, std::string_view text);

  std::vector<std::vector<std::string>> lists_;
  std::unordered_map<std::string, std::size_t> list_of_;  // by source, and by folder of one
};

}  // namespace codexmem::graph
