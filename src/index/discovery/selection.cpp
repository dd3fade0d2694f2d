#include "index/discovery/selection.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/path.h"

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
  const std::string prefix = std::string(path) + (path.ends_with('/') ? "" : "/");
  const auto below = std::lower_bound(paths_.begin(), paths_.end(), prefix);
  return below != paths_.end() && below->starts_with(prefix);
}

Result<std::string> relative_to_root(const fs::path& root, std::string_view input) {
  auto relative = path_below(root, fs::path(input));
  if (relative) return *std::move(relative);
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{} is not inside {}", std::string(input), root.string())};
}

}  // namespace codexmem::index
