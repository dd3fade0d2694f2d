#include "base/path.h"

#include <system_error>

namespace codexmem {
namespace {

namespace fs = std::filesystem;

// Both paths are absolute and normal.
std::optional<std::string> below(const fs::path& root, const fs::path& path) {
  const fs::path relative = path.lexically_relative(root);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  std::string name = relative.generic_string();
  while (name.ends_with('/')) name.pop_back();
  return name == "." ? std::string() : name;
}

}  // namespace

std::optional<std::string> path_below(const fs::path& root, const fs::path& path) {
  if (path.native().find('\0') != std::string::npos) return std::nullopt;
  fs::path full = (root / path).lexically_normal();  // an absolute path stays as it is
  if (!full.has_filename()) full = full.parent_path();
  auto found = below(root, full);
  if (found || path.is_relative()) return found;
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(full.parent_path(), failed);
  if (!failed) found = below(root, folder / full.filename());
  if (found) return found;
  // A link may lead to the root itself.
  full = fs::canonical(full, failed);
  return failed ? std::nullopt : below(root, full);
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string_view file_stem(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace codexmem
