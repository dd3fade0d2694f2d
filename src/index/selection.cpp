#include "index/selection.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace codexmem::index {

namespace fs = std::filesystem;

Selection::Selection(std::vector<std::string> paths) : paths_(std::move(paths)) {
  for (std::string& path : paths_) {
    while (path.ends_with('/')) path.pop_back();
  }
  std::sort(paths_.begin(), paths_.end());
  everything_ = paths_.empty() || paths_.front().empty();
}

bool Selection::holds(std::string_view path) const {
  if (everything_) return true;
  for (std::size_t end = path.size(); end != std::string_view::npos && end > 0;
       end = path.rfind('/', end - 1)) {
    if (std::binary_search(paths_.begin(), paths_.end(), path.substr(0, end))) return true;
  }
  return false;
}

bool Selection::leads_to(std::string_view path) const {
  if (holds(path)) return true;
  const std::string prefix = std::string(path) + "/";
  const auto below = std::lower_bound(paths_.begin(), paths_.end(), prefix);
  return below != paths_.end() && below->starts_with(prefix);
}

Result<std::string> relative_to_root(const fs::path& root, std::string_view input) {
  const auto inside = [&](const fs::path& path) -> std::string {
    std::string relative = path.lexically_relative(root).generic_string();
    while (relative.ends_with('/')) relative.pop_back();
    return relative;
  };
  const auto leads_out = [](const std::string& relative) {
    return relative.empty() || relative == ".." || relative.starts_with("../");
  };
  const fs::path given(input);
  std::string relative = inside((given.is_absolute() ? given : root / given).lexically_normal());
  if (leads_out(relative) && given.is_absolute()) {
    // The root may have been named through a link.
    std::error_code failed;
    const fs::path folder = fs::weakly_canonical(given.parent_path(), failed);
    if (!failed) relative = inside((folder / given.filename()).lexically_normal());
  }
  if (leads_out(relative) || input.find('\0') != std::string_view::npos) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is not inside {}", std::string(input), root.string())};
  }
  return relative == "." ? std::string() : relative;
}

}  // namespace codexmem::index
