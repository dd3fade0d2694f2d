// graph/core/files_by_name.h - finds the file of an import by the end of its path. One thread.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/core/project_tree.h"

namespace codexmem::graph {

class FilesByName {
 public:
  /// Adds `file`, which must outlive this object.
  void add(const ProjectFile& file);

  bool empty() const { return by_name_.empty(); }

  /// The file whose path ends with `ending` ("b/c.h"); of several the one that shares most folders
  /// with the file at `source`, of these the one with the shortest path. nullptr when no path ends
  /// so.
  const ProjectFile* nearest(std::string_view ending, std::string_view source) const;

 private:
  std::unordered_map<std::string_view, std::vector<const ProjectFile*>> by_name_;
};

}  // namespace codexmem::graph
