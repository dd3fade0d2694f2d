// Tested by config/project_test.cpp.
#include "config/git_root.h"

#include <system_error>

#include "base/owner.h"

namespace codexmem {
namespace fs = std::filesystem;

fs::path git_root(const fs::path& folder) {
  std::error_code failed;
  const fs::path start = fs::weakly_canonical(folder, failed);
  if (failed) return {};
  for (fs::path place = start; place.has_relative_path(); place = place.parent_path()) {
    if (speaks_for(place / ".git", start)) return place;
  }
  return {};
}

fs::path repository_root(const fs::path& folder) {
  std::error_code failed;
  const fs::path start = fs::weakly_canonical(folder, failed);
  if (failed) return folder;
  for (fs::path place = start; place.has_relative_path(); place = place.parent_path()) {
    if (speaks_for(place / ".git", start) || speaks_for(place / ".codexmem/index.db", start)) {
      return place;
    }
  }
  return start;
}

}  // namespace codexmem
