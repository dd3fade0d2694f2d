// Tested by graph/php_test.cpp.
#include "graph/php/php_composer.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "text/json.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxRoots = 4096;
constexpr std::size_t kMaxNamespaceDepth = 24;  // of a namespace

// The strings that a value is or has.
template <typename Visit>
void each_text(const Json& value, Visit visit) {
  if (value.is_string()) visit(value.get<std::string>());
  if (!value.is_array()) return;
  for (const Json& item : value) {
    if (item.is_string()) visit(item.get<std::string>());
  }
}

// Letters and digits, small: GuzzleHttp and guzzle-http are one.
std::string letters_and_digits(std::string_view text) {
  std::string found;
  for (const char c : text) {
    if (is_identifier_char(c) && c != '_') found += to_lower(c);
  }
  return found;
}

}  // namespace

ComposerFiles::ComposerFiles(ProjectTree& tree) : tree_(tree) {
  for (const std::string_view path : tree.list_configs("composer.json")) {
    if (const auto text = tree.read(path)) read(path, *text);
  }
  std::ranges::stable_sort(
      roots_, [](const Root& a, const Root& b) { return a.prefix.size() > b.prefix.size(); });
}

void ComposerFiles::add_roots(std::string_view composer, std::string_view prefix,
                              const std::string& folder, bool takes_all) {
  const auto path = join_path(composer, folder);
  if (!path || roots_.size() >= kMaxRoots) return;
  roots_.push_back({std::string(prefix), *path, std::string(composer), takes_all});
}

void ComposerFiles::read(std::string_view path, const std::string& text) {
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object()) return;
  const std::string composer(folder_of(path));
  for (const char* section : {"autoload", "autoload-dev"}) {
    const auto autoload = root.find(section);
    if (autoload == root.end() || !autoload->is_object()) continue;
    for (const char* kind : {"psr-4", "psr-0"}) {
      const auto map = autoload->find(kind);
      if (map == autoload->end() || !map->is_object()) continue;
      for (const auto& [prefix, folders] : map->items()) {
        each_text(folders, [&, &name = prefix](const std::string& folder) {
          add_roots(composer, name, folder, std::string_view(kind) == "psr-0");
        });
      }
    }
    if (const auto files = autoload->find("files"); files != autoload->end()) {
      each_text(*files, [&](const std::string& file) {
        if (const auto found = join_path(composer, file)) functions_[composer].push_back(*found);
      });
    }
  }
  for (const char* section : {"require", "require-dev"}) {
    const auto required = root.find(section);
    if (required == root.end() || !required->is_object()) continue;
    for (const auto& [name, version] : required->items()) {
      if (name.find('/') != std::string::npos) packages_[composer].push_back(name);
    }
  }
}

const ProjectFile* ComposerFiles::find_class(std::string_view source, std::string_view path) const {
  const ProjectFile* best = nullptr;
  std::size_t prefix = 0;
  for (const Root& root : roots_) {
    if (best != nullptr && root.prefix.size() < prefix) break;
    if (!path.starts_with(root.prefix)) continue;
    std::string rest(root.takes_all ? path : path.substr(root.prefix.size()));
    if (root.takes_all) {
      const std::size_t name = rest.rfind('\\') + 1;
      std::replace(rest.begin() + static_cast<std::ptrdiff_t>(name), rest.end(), '_', '\\');
    }
    if (rest.starts_with('\\')) rest.erase(0, 1);
    std::ranges::replace(rest, '\\', '/');
    const ProjectFile* found = tree_.find(in_folder(root.folder, rest + ".php"));
    if (found == nullptr) continue;
    if (best == nullptr ||
        shared_folders(found->path, source) > shared_folders(best->path, source)) {
      best = found;
      prefix = root.prefix.size();
    }
  }
  return best;
}

bool ComposerFiles::owns(std::string_view path) const {
  return std::ranges::any_of(roots_, [&](const Root& root) {
    return !root.prefix.empty() && path.starts_with(root.prefix);
  });
}

const ProjectFile* ComposerFiles::find_functions(std::string_view path) const {
  const std::string inner = std::string(path) + "\\";
  for (const Root& root : roots_) {
    if (root.prefix.empty() || !inner.starts_with(root.prefix)) continue;
    const auto files = functions_.find(root.composer);
    if (files == functions_.end()) continue;
    std::string rest = inner.substr(root.prefix.size());
    std::ranges::replace(rest, '\\', '/');
    const std::string folder = in_folder(root.folder, rest);
    // The one in the namespace's folder, else the only one.
    const ProjectFile* found = nullptr;
    for (const std::string& file : files->second) {
      const bool is_inside = in_folder(folder_of(file), "") == folder;
      if (is_inside || files->second.size() == 1) found = tree_.find(file);
      if (is_inside && found != nullptr) break;
    }
    if (found == nullptr) continue;
    // functions_include.php only loads functions.php.
    constexpr std::string_view kInclude = "_include.php";
    if (found->path.ends_with(kInclude)) {
      const std::string plain_path =
          found->path.substr(0, found->path.size() - kInclude.size()) + ".php";
      if (const ProjectFile* other = tree_.find(plain_path)) found = other;
    }
    return found;
  }
  return nullptr;
}

std::string ComposerFiles::package_of(std::string_view source, std::string_view path) const {
  std::vector<std::string> parts;
  for (const std::string_view part : split(path, '\\')) {
    if (parts.size() >= kMaxNamespaceDepth) break;
    parts.push_back(letters_and_digits(part));
  }
  if (parts.empty() || parts.front().empty()) return {};
  std::string best;
  std::size_t score = 0;
  for (std::string_view folder = folder_of(source);; folder = folder_of(folder)) {
    if (const auto found = packages_.find(folder); found != packages_.end()) {
      for (const std::string& package : found->second) {
        const std::size_t slash = package.find('/');
        const std::string vendor = letters_and_digits(std::string_view(package).substr(0, slash));
        const std::string name = letters_and_digits(std::string_view(package).substr(slash + 1));
        std::size_t own = 0;
        if (vendor == parts[0]) {
          own = 2;
          for (std::size_t i = 1; i < parts.size(); ++i) {
            if (parts[i] == name || vendor + parts[i] == name) own = 4;
          }
          if (name == vendor) own = 3;
        } else if (name == parts[0]) {
          own = 3;
        } else if (parts.size() > 1 && name == parts[0] + parts[1]) {
          own = 4;
        }
        if (own > score) {
          score = own;
          best = package;
        }
      }
    }
    if (folder.empty() || !best.empty()) break;
  }
  return best;
}

}  // namespace codexmem::graph
