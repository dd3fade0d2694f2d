#include "serve/repository.h"

#include <fmt/core.h>

#include <system_error>

#include "serve/served_repositories.h"
#include "base/log.h"
#include "base/owner.h"
#include "base/path.h"
#include "index/run/indexer.h"
#include "store/code/store_directory.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

bool path_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

Result<fs::path> find_index_around(const fs::path& folder) {
  std::error_code failed;
  for (fs::path above = fs::canonical(folder, failed); !failed; above = above.parent_path()) {
    if (store::has_index(above)) return above;
    if (above == above.parent_path()) break;
  }
  return find_root(folder);
}

fs::path start_directory(const std::string& given) {
  std::error_code ignored;
  return given.empty() ? fs::current_path(ignored) : fs::path(given);
}

bool has_repository(const fs::path& root) {
  return store::has_index(root) || path_exists(root / ".git");
}

Result<fs::path> find_root(const fs::path& start) {
  std::error_code failed;
  const fs::path top = fs::canonical(start, failed);
  if (failed || !fs::is_directory(top, failed)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("there is no directory {}", start.string())};
  }
  for (fs::path folder = top;; folder = folder.parent_path()) {
    if (store::has_index(folder) || speaks_for(folder / ".git", top)) return folder;
    if (path_exists(folder / ".git")) {
      log_warn("{} belongs to another user and is not used: go into {} to work with it",
               (folder / ".git").string(), folder.string());
    }
    if (folder == folder.parent_path()) return top;
  }
}

Result<fs::path> find_root_to_index(const fs::path& start) {
  CODEXMEM_ASSIGN(fs::path root, find_root(start));
  if (store::has_index(root) || speaks_for(root / ".git", start)) return root;
  if (const std::string why = why_no_repository(root); !why.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 why + ": go into a repository, or name its folder (codexmem -C DIR ...)"};
  }
  return root;
}

SettingFiles setting_files(const fs::path& start) {
  SettingFiles files{.user = user_settings_file()};
  if (start.empty()) return files;
  if (const auto root = find_root(start); root.ok()) files.project = *root / kProjectSettingsName;
  return files;
}

Settings load_settings(const fs::path& start) {
  Settings settings = Settings::load(setting_files(start));
  for (const SettingProblem& problem : settings.problems()) {
    // Each reader of an environment variable reports its problem.
    if (problem.origin != SettingOrigin::kEnvironment) log_warn("{}", problem.text());
  }
  return settings;
}

Result<std::unique_ptr<store::Workspace>> open_index(const fs::path& start) {
  CODEXMEM_ASSIGN(const fs::path root, find_root(start));
  if (!store::has_index(root)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} is not indexed yet{}: run `codexmem index`", root.string(),
                             store::has_foreign_index(root)
                                 ? " (the index there is not one that your codexmem made)"
                                 : "")};
  }
  return store::Workspace::open_existing(root);
}

bool has_complete_index(store::Workspace& workspace) {
  auto reader = workspace.reader();
  if (!reader.ok()) return false;
  const auto complete = index::has_complete_index(**reader);
  return complete.ok() && *complete;
}

std::string relative_to_root(const fs::path& root, const fs::path& start, const std::string& path) {
  std::error_code ignored;
  const fs::path base = fs::weakly_canonical(start, ignored);
  const auto inside = path_below(root, base / path);
  // Typed below the root: that file if it exists, otherwise the path is relative to the root.
  const bool is_meant = inside && (path_exists(base / path) || !path_exists(root / path));
  if (!is_meant) return path;
  return inside->empty() ? "." : *inside;
}

}  // namespace codexmem::serve
