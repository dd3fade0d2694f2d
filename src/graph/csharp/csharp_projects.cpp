// Tested by graph/csharp_test.cpp.
#include "graph/csharp/csharp_projects.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxPackages = 4096;  // of a file

std::string_view element_of(std::string_view text, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find('<', begin + open.size());
  if (end == std::string_view::npos) return {};
  return trim(text.substr(begin + open.size(), end - begin - open.size()));
}

// The value of an attribute in the head of an element.
std::string_view attribute_of(std::string_view head, std::string_view name) {
  const std::string open = std::string(name) + "=\"";
  std::size_t begin = head.find(open);
  while (begin != std::string_view::npos && begin > 0 && head[begin - 1] != ' ' &&
         head[begin - 1] != '\n' && head[begin - 1] != '\t') {
    begin = head.find(open, begin + 1);
  }
  if (begin == std::string_view::npos) return {};
  begin += open.size();
  const std::size_t end = head.find('"', begin);
  return end == std::string_view::npos ? std::string_view() : head.substr(begin, end - begin);
}

bool begins_with_name(std::string_view path, std::string_view outer) {
  return !outer.empty() && path.starts_with(outer) &&
         (path.size() == outer.size() || path[outer.size()] == '.');
}

}  // namespace

std::vector<std::string> usings_of_project(std::string_view text) {
  constexpr std::string_view kOpen = "<Using ";
  std::vector<std::string> paths;
  for (std::size_t at = text.find(kOpen); at != std::string_view::npos;
       at = text.find(kOpen, at + 1)) {
    const std::string_view head = text.substr(at, std::min(text.find('>', at), text.size()) - at);
    const std::string_view path = attribute_of(head, "Include");
    if (!path.empty() && attribute_of(head, "Alias").empty()) paths.emplace_back(path);
    if (paths.size() >= kMaxPackages) break;
  }
  return paths;
}

CSharpProjects::CSharpProjects(ProjectTree& tree) {
  for (const std::string_view name :
       {"*.csproj", "Directory.Build.props", "Directory.Packages.props"}) {
    for (const std::string_view path : tree.list_configs(name)) {
      if (const auto text = tree.read(path)) read(path, *text);
    }
  }
}

void CSharpProjects::read(std::string_view path, const std::string& text) {
  const std::string folder(folder_of(path));
  if (path.ends_with(".csproj")) {
    std::string_view root = element_of(text, "RootNamespace");
    if (root.empty() || root.find('$') != std::string_view::npos) root = file_stem(path);
    roots_.emplace(root, folder);
  }
  std::vector<Package>& packages = packages_[folder];
  for (const std::string_view element : {"<PackageReference ", "<PackageVersion "}) {
    for (std::size_t at = text.find(element); at != std::string::npos;
         at = text.find(element, at + 1)) {
      const std::size_t end = std::min(text.find('>', at), text.size());
      const std::string_view head = std::string_view(text).substr(at, end - at);
      std::string_view name = attribute_of(head, "Include");
      if (name.empty()) name = attribute_of(head, "Update");
      std::string_view version = attribute_of(head, "Version");
      if (version.empty() && !head.ends_with('/')) {
        const std::size_t close = std::min(text.find("</", end), text.size());
        version = element_of(std::string_view(text).substr(end, close + 2 - end), "Version");
      }
      if (version.find('$') != std::string_view::npos) version = {};
      if (!name.empty() && packages.size() < kMaxPackages) {
        packages.push_back({std::string(name), std::string(version)});
      }
    }
  }
}

std::string CSharpProjects::package_of(std::string_view source, std::string_view path) const {
  std::string name;
  std::string version;
  for (std::string_view folder = folder_of(source);; folder = folder_of(folder)) {
    if (const auto found = packages_.find(folder); found != packages_.end()) {
      for (const Package& package : found->second) {
        // The longest that the namespace begins with, as it is said nearest.
        if (!begins_with_name(path, package.name) || package.name.size() < name.size()) continue;
        if (package.name.size() > name.size()) version.clear();
        name = package.name;
        if (version.empty()) version = package.version;
      }
    }
    if (folder.empty()) break;
  }
  return version.empty() ? name : name + "@" + version;
}

}  // namespace codexmem::graph
