#include "graph/core/project_tree.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

std::string in_folder(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

std::optional<std::string> join_path(std::string_view folder, std::string_view relative) {
  std::vector<std::string_view> parts;
  for (const std::string_view path : {folder, relative}) {
    for (const std::string_view part : split(path, '/')) {
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        if (parts.empty()) return std::nullopt;
        parts.pop_back();
      } else {
        parts.push_back(part);
      }
    }
  }
  std::string joined;
  for (const std::string_view part : parts) {
    if (!joined.empty()) joined += '/';
    joined += part;
  }
  return joined;
}

bool ends_with_path(std::string_view path, std::string_view ending) {
  return path.ends_with(ending) &&
         (path.size() == ending.size() || path[path.size() - ending.size() - 1] == '/');
}

bool has_config_name(std::string_view path, std::string_view name) {
  return name.starts_with('*') ? path.ends_with(name.substr(1)) : file_name(path) == name;
}

std::size_t shared_folders(std::string_view a, std::string_view b) {
  std::size_t shared = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) {
    if (a[i] == '/') ++shared;
  }
  return shared;
}

ProjectTree::ProjectTree(std::span<const ProjectFile> files, ConfigSource& config,
                         std::vector<std::string> unindexed, DeclarationSource* declarations)
    : files_(files.begin(), files.end()),
      unindexed_(std::move(unindexed)),
      config_(&config),
      source_(declarations) {
  std::sort(unindexed_.begin(), unindexed_.end());
  std::sort(files_.begin(), files_.end(),
            [](const ProjectFile& a, const ProjectFile& b) { return a.path < b.path; });
  by_path_.reserve(files_.size());
  folders_.insert(std::string_view());
  for (const ProjectFile& file : files_) {
    by_path_.emplace(file.path, &file);
    if (source_ != nullptr && semantics_of(file.family).traits().imports_name_declarations) {
      by_id_.emplace(file.id, &file);
    }
    for (std::string_view folder = folder_of(file.path);
         !folder.empty() && folders_.insert(folder).second;) {
      folder = folder_of(folder);
    }
  }
}

const ProjectFile* ProjectTree::find(std::string_view path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : found->second;
}

bool ProjectTree::has_folder(std::string_view path) const { return folders_.contains(path); }

bool ProjectTree::has_config(std::string_view path) const {
  return find(path) != nullptr || std::binary_search(unindexed_.begin(), unindexed_.end(), path);
}

std::vector<std::string_view> ProjectTree::list_configs(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const ProjectFile& file : files_) {
    if (has_config_name(file.path, name)) found.push_back(file.path);
  }
  const auto indexed = static_cast<std::ptrdiff_t>(found.size());
  for (const std::string& path : unindexed_) {
    if (has_config_name(path, name)) found.push_back(path);
  }
  std::inplace_merge(found.begin(), found.begin() + indexed, found.end());
  return found;
}

const std::vector<ProjectTree::Declared>& ProjectTree::declarations(std::string_view name) {
  const auto [at, is_new] = declarations_.try_emplace(std::string(name));
  if (!is_new || by_id_.empty() || name.empty()) return at->second;
  for (Declaration& declaration : source_->find(name)) {
    const auto file = by_id_.find(declaration.file);
    if (file == by_id_.end() || declaration.is_private) continue;
    at->second.push_back({file->second, std::move(declaration)});
  }
  std::ranges::stable_sort(at->second, {}, [](const Declared& declared) -> const std::string& {
    return declared.file->path;
  });
  return at->second;
}

std::vector<ProjectTree::Declared> ProjectTree::declarations_at(std::string_view path,
                                                                parse::Family family) {
  const std::size_t dot = path.rfind('.');
  const std::string_view container = dot == std::string_view::npos ? "" : path.substr(0, dot);
  std::vector<Declared> found;
  for (const Declared& declared : declarations(path.substr(dot + 1))) {
    if (declared.file->family == family && declared.declaration.container == container) {
      found.push_back(declared);
    }
  }
  return found;
}

const std::string& ProjectTree::package_of(const ProjectFile& file) {
  const auto [at, is_new] = packages_.try_emplace(&file);
  if (is_new && source_ != nullptr) at->second = source_->package_of(file.id);
  return at->second;
}

}  // namespace codexmem::graph
