#include "app/repository.h"

#include <fmt/core.h>

#include <system_error>

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

fs::path start_directory(const std::string& given) {
  std::error_code ignored;
  return given.empty() ? fs::current_path(ignored) : fs::path(given);
}

Result<fs::path> find_root(const fs::path& start) {
  std::error_code failed;
  const fs::path top = fs::canonical(start, failed);
  if (failed || !fs::is_directory(top, failed)) {
    return Error{ErrorCode::kNotFound, fmt::format("there is no directory {}", start.string())};
  }
  fs::path git_root;
  for (fs::path folder = top;; folder = folder.parent_path()) {
    if (is_there(folder / ".codexmem" / "index.db")) return folder;
    if (git_root.empty() && is_there(folder / ".git")) git_root = folder;
    if (folder == folder.parent_path()) break;
  }
  return git_root.empty() ? top : git_root;
}

Result<std::unique_ptr<store::Workspace>> open_index(const fs::path& start) {
  CODEXMEM_ASSIGN(const fs::path root, find_root(start));
  if (!is_there(root / ".codexmem" / "index.db")) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} is not indexed yet: run `codexmem index`", root.string())};
  }
  return store::Workspace::open_existing(root);
}

std::string relative_to_root(const fs::path& root, const fs::path& start, const std::string& path) {
  std::error_code ignored;
  const fs::path base = fs::weakly_canonical(start, ignored);
  const fs::path full = (base / path).lexically_normal();
  const fs::path inside = full.lexically_relative(root);
  if (!inside.empty() && *inside.begin() != "..") {
    // Typed below the root: that file, or else the path is meant from the root.
    if (is_there(full) || !is_there(root / path)) return inside.generic_string();
  }
  return path;
}

}  // namespace codexmem::app
