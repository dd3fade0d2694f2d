#include "graph/core/files_by_name.h"

#include <cstddef>

#include "base/path.h"

namespace codexmem::graph {

void FilesByName::add(const ProjectFile& file) { by_name_[file_name(file.path)].push_back(&file); }

const ProjectFile* FilesByName::nearest(std::string_view ending, std::string_view source) const {
  const auto named = by_name_.find(file_name(ending));
  if (named == by_name_.end()) return nullptr;
  const ProjectFile* best = nullptr;
  std::size_t most = 0;
  for (const ProjectFile* file : named->second) {
    if (!ends_with_path(file->path, ending)) continue;
    const std::size_t shared = shared_folders(file->path, source);
    const bool is_better = best == nullptr || shared > most ||
                           (shared == most && file->path.size() < best->path.size());
    if (!is_better) continue;
    best = file;
    most = shared;
  }
  return best;
}

}  // namespace codexmem::graph
