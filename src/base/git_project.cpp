// Tested by base/git_project_test.cpp.
#include "base/git_project.h"

#include <string_view>
#include <system_error>

#include "base/file.h"
#include "base/text.h"

namespace codexmem {
namespace fs = std::filesystem;

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
    if (fs::exists(place / ".git", failed) || fs::exists(place / ".codexmem/index.db", failed)) {
      return place;
    }
  }
  return start;
}

std::string git_project(const fs::path& folder) {
  const fs::path root = git_root(folder);
  if (root.empty()) return "";
  // A linked worktree's .git is a file: "gitdir: /repository/.git/worktrees/name". That of a
  // submodule leads to .git/modules, and it is a project of its own.
  const auto link = read_beginning(root / ".git", 4096);
  constexpr std::string_view kKey = "gitdir:";
  if (link.ok() && link->starts_with(kKey)) {
    const fs::path directory =
        (root / trim(std::string_view(*link).substr(kKey.size()))).lexically_normal();
    const fs::path common = directory.parent_path().parent_path();
    if (directory.parent_path().filename() == "worktrees" && common.filename() == ".git") {
      return common.parent_path().filename().string();
    }
  }
  return root.filename().string();
}

}  // namespace codexmem
