// Tested by base/project_test.cpp.
#include "base/git_root.h"

#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace codexmem {
namespace fs = std::filesystem;
namespace {

// One of another user is none, as it is for commands (store/store_directory.h).
bool has_own_index(const fs::path& folder) {
  struct stat info {};
  return ::lstat((folder / ".codexmem/index.db").c_str(), &info) == 0 && info.st_uid == ::geteuid();
}

}  // namespace

fs::path git_root(const fs::path& folder) {
  std::error_code failed;
  fs::path place = fs::weakly_canonical(folder, failed);
  if (failed) return {};
  for (; place.has_relative_path(); place = place.parent_path()) {
    if (fs::exists(place / ".git", failed) && !failed) return place;
  }
  return {};
}

fs::path repository_root(const fs::path& folder) {
  std::error_code failed;
  const fs::path start = fs::weakly_canonical(folder, failed);
  if (failed) return folder;
  for (fs::path place = start; place.has_relative_path(); place = place.parent_path()) {
    if (fs::exists(place / ".git", failed) || has_own_index(place)) return place;
  }
  return start;
}

}  // namespace codexmem
