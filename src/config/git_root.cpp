// Tested by config/project_test.cpp.
#include "config/git_root.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include "base/file.h"
#include "base/owner.h"

namespace codexmem {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxWorktrees = 256;
constexpr std::size_t kMaxPathBytes = 4096;

// The path in a small file of git's, after `head`, from `base`, links resolved; empty without one.
fs::path path_in_file(const fs::path& file, std::string_view head, const fs::path& base) {
  const auto text = read_beginning(file, kMaxPathBytes);
  if (!text.ok() || !text->starts_with(head)) return {};
  std::string_view line = std::string_view(*text).substr(head.size());
  line = line.substr(0, line.find_last_not_of("\r\n") + 1);
  if (line.empty() || line.find('\0') != std::string_view::npos) return {};
  std::error_code failed;
  fs::path path = fs::weakly_canonical(base / line, failed);
  return failed ? fs::path() : path;
}

// The folder with the data of the worktree at `root`, whose .git is a file; empty unless that
// folder names `root`.
fs::path linked_data(const fs::path& root) {
  const fs::path data = path_in_file(root / ".git", "gitdir: ", root);
  if (data.empty() || path_in_file(data / "gitdir", "", data) != root / ".git") return {};
  return data;
}

}  // namespace

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

std::vector<fs::path> other_worktrees(const fs::path& root) {
  std::error_code failed;
  const fs::path here = fs::weakly_canonical(root, failed);
  fs::path common = here / ".git";
  if (!fs::is_directory(fs::symlink_status(common, failed))) {
    const fs::path data = linked_data(here);
    if (data.empty()) return {};
    common = path_in_file(data / "commondir", "", data);
    if (data.parent_path() != common / "worktrees") return {};
  }
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(common / "worktrees", failed), end;
       !failed && entry != end && found.size() < kMaxWorktrees; entry.increment(failed)) {
    const fs::path git = path_in_file(entry->path() / "gitdir", "", entry->path());
    const fs::path other = git.parent_path();
    if (!other.empty() && other != here && linked_data(other) == entry->path()) {
      found.push_back(other);
    }
  }
  std::ranges::sort(found);
  const fs::path main = common.parent_path();
  if (common.filename() == ".git" && main != here) found.insert(found.begin(), main);
  return found;
}

}  // namespace codexmem
