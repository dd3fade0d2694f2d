#include "base/path.h"

#include <cstdlib>
#include <system_error>

#include "base/text.h"

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

std::optional<fs::path> path_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file:";
  if (!to_lower_ascii(uri.substr(0, kScheme.size())).starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::string_view host = uri.substr(0, uri.find('/'));
    if (!host.empty() && to_lower_ascii(host) != "localhost") return std::nullopt;
    uri.remove_prefix(host.size());
  }
  uri = uri.substr(0, uri.find_first_of("?#"));
  std::string path;
  for (std::size_t at = 0; at < uri.size(); ++at) {
    if (uri[at] != '%') {
      path += uri[at];
      continue;
    }
    const std::string digits(uri.substr(at + 1, 2));
    char* end = nullptr;
    const unsigned long byte = std::strtoul(digits.c_str(), &end, 16);
    if (digits.size() != 2 || end != digits.c_str() + 2 || byte == 0) return std::nullopt;
    path += static_cast<char>(byte);
    at += 2;
  }
  if (!path.starts_with('/')) return std::nullopt;
  return fs::path(path);
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
