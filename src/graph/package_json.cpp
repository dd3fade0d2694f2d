#include "graph/package_json.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "graph/json_comments.h"
#include "graph/symbol_search.h"

namespace codexmem::graph {
namespace {

// A condition that leads to sources rather than to build output: "source", "@zod/source",
// "development", "bun" (by convention it points at TypeScript).
bool names_sources(std::string_view condition) {
  return condition.find("source") != std::string_view::npos || condition == "src" ||
         condition == "development" || condition == "bun";
}

// Appends each string below `value`, those under source conditions first.
void collect_leaves(const Json& value, std::vector<std::string>& out, int depth = 0) {
  if (depth > 8) return;
  if (value.is_string()) {
    out.push_back(value.get<std::string>());
  } else if (value.is_array()) {
    for (const Json& item : value) collect_leaves(item, out, depth + 1);
  } else if (value.is_object()) {
    for (const bool wanted : {true, false}) {
      for (const auto& [condition, item] : value.items()) {
        if (names_sources(condition) == wanted) collect_leaves(item, out, depth + 1);
      }
    }
  }
}

SubpathMap read_exports(const Json& value) {
  SubpathMap map;
  const bool has_subpaths =
      value.is_object() && !value.empty() && value.begin().key().starts_with(".");
  if (!has_subpaths) {
    std::vector<std::string> leaves;
    collect_leaves(value, leaves);
    if (!leaves.empty()) map.emplace_back(".", std::move(leaves));
    return map;
  }
  for (const auto& [key, item] : value.items()) {
    std::vector<std::string> leaves;
    collect_leaves(item, leaves);
    map.emplace_back(key, std::move(leaves));
  }
  return map;
}

void add_strings(const Json& value, std::vector<std::string>& out) {
  if (!value.is_array()) return;
  for (const Json& item : value) {
    if (item.is_string()) out.push_back(item.get<std::string>());
  }
}

std::unique_ptr<PackageJson> read_package(std::string_view folder, const std::string& text) {
  const Json json = Json::parse(strip_json_comments(text), nullptr, false);
  if (!json.is_object()) return nullptr;
  auto package = std::make_unique<PackageJson>();
  package->folder = folder;
  if (const auto name = json.find("name"); name != json.end() && name->is_string()) {
    package->name = name->get<std::string>();
  }
  for (const char* field : {"source", "types", "typings", "module", "main", "browser"}) {
    const auto value = json.find(field);
    if (value != json.end() && value->is_string()) {
      package->entry.push_back(value->get<std::string>());
    }
  }
  if (const auto exports = json.find("exports"); exports != json.end()) {
    package->exports = read_exports(*exports);
  }
  if (const auto imports = json.find("imports"); imports != json.end() && imports->is_object()) {
    for (const auto& [key, item] : imports->items()) {
      std::vector<std::string> leaves;
      collect_leaves(item, leaves);
      package->imports.emplace_back(key, std::move(leaves));
    }
  }
  if (const auto spaces = json.find("workspaces"); spaces != json.end()) {
    add_strings(*spaces, package->workspaces);
    if (spaces->is_object() && spaces->contains("packages")) {
      add_strings((*spaces)["packages"], package->workspaces);
    }
  }
  return package;
}

// The list below `packages:` of a pnpm-workspace.yaml: block items, or one flow list.
std::vector<std::string> read_pnpm_workspaces(std::string_view text) {
  std::vector<std::string> globs;
  const auto add = [&](std::string_view item) {
    item = trim(item);
    if (const std::size_t comment = item.find(" #"); comment != std::string_view::npos) {
      item = trim(item.substr(0, comment));
    }
    if (item.size() >= 2 && (item.front() == '"' || item.front() == '\'')) {
      const std::size_t end = item.find(item.front(), 1);
      item = item.substr(1, end == std::string_view::npos ? end : end - 1);
    }
    if (!item.empty()) globs.emplace_back(item);
  };
  bool inside = false;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view content = trim(line);
    if (content.empty() || content.starts_with("#")) continue;
    if (content.starts_with("packages:") && line.front() == 'p') {
      inside = true;
      std::string_view rest = trim(content.substr(9));
      if (rest.starts_with("[") && rest.ends_with("]")) {
        for (const std::string_view item : split(rest.substr(1, rest.size() - 2), ',')) add(item);
      }
    } else if (inside && content.starts_with("-")) {
      add(content.substr(1));
    } else if (line.front() != ' ' && line.front() != '\t') {
      inside = false;
    }
  }
  return globs;
}

bool is_member_of(const PackageJson& root, std::string_view folder) {
  std::string_view relative = folder;
  if (!root.folder.empty()) {
    if (!folder.starts_with(root.folder) || folder.size() <= root.folder.size() ||
        folder[root.folder.size()] != '/') {
      return false;
    }
    relative = folder.substr(root.folder.size() + 1);
  }
  bool member = false;
  for (std::string_view glob : root.workspaces) {
    const bool excludes = glob.starts_with("!");
    if (excludes) glob.remove_prefix(1);
    if (glob.starts_with("./")) glob.remove_prefix(2);
    while (glob.ends_with("/")) glob.remove_suffix(1);
    if (glob_matches(glob, relative)) member = !excludes;
  }
  return member;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.starts_with("**")) {
    std::string_view rest = pattern.substr(2);
    if (rest.starts_with("/")) rest.remove_prefix(1);
    if (rest.empty()) return true;
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if ((i == 0 || name[i - 1] == '/') && glob_matches(rest, name.substr(i))) return true;
    }
    return false;
  }
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (glob_matches(pattern.substr(1), name.substr(i))) return true;
      if (i < name.size() && name[i] == '/') return false;
    }
    return false;
  }
  if (pattern.front() == '{') {
    const std::size_t end = pattern.find('}');
    if (end != std::string_view::npos) {
      for (const std::string_view choice : split(pattern.substr(1, end - 1), ',')) {
        if (glob_matches(std::string(choice) + std::string(pattern.substr(end + 1)), name)) {
          return true;
        }
      }
      return false;
    }
  }
  return !name.empty() && name.front() == pattern.front() &&
         glob_matches(pattern.substr(1), name.substr(1));
}

std::vector<std::string> match_subpath(const SubpathMap& map, std::string_view key) {
  const std::vector<std::string>* best = nullptr;
  std::size_t best_length = 0;
  std::string_view filling;
  for (const auto& [pattern, targets] : map) {
    if (pattern == key) return targets;
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) continue;
    const std::string_view before = std::string_view(pattern).substr(0, star);
    const std::string_view after = std::string_view(pattern).substr(star + 1);
    if (key.size() < before.size() + after.size() || !key.starts_with(before) ||
        !key.ends_with(after) || (best != nullptr && before.size() <= best_length)) {
      continue;
    }
    best = &targets;
    best_length = before.size();
    filling = key.substr(before.size(), key.size() - before.size() - after.size());
  }
  std::vector<std::string> filled;
  if (best == nullptr) return filled;
  for (std::string target : *best) {
    for (std::size_t star = target.find('*'); star != std::string::npos;
         star = target.find('*', star + filling.size())) {
      target.replace(star, 1, filling);
    }
    filled.push_back(std::move(target));
  }
  return filled;
}

PackageIndex::PackageIndex(ProjectTree& tree) {
  for (const std::string_view path : tree.list_configs("package.json")) {
    const std::optional<std::string> text = tree.read(path);
    if (!text) continue;
    if (auto package = read_package(folder_of(path), *text)) {
      const std::string_view folder = package->folder;
      if (const auto pnpm = join_path(folder, "pnpm-workspace.yaml"); tree.has_config(*pnpm)) {
        for (std::string& glob : read_pnpm_workspaces(tree.read(*pnpm).value_or(""))) {
          package->workspaces.push_back(std::move(glob));
        }
      }
      packages_.push_back(std::move(package));
    }
  }
  for (const auto& package : packages_) {
    by_folder_.emplace(package->folder, package.get());
    if (!package->name.empty()) by_name_[package->name].push_back(package.get());
    for (const auto& root : packages_) {
      if (!root->workspaces.empty() && is_member_of(*root, package->folder)) {
        package->is_member = true;
        break;
      }
    }
  }
}

const PackageJson* PackageIndex::find_enclosing(std::string_view path) const {
  for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
    const auto found = by_folder_.find(folder);
    if (found != by_folder_.end()) return found->second;
    if (folder.empty()) return nullptr;
  }
}

const PackageJson* PackageIndex::find_named(std::string_view name, std::string_view source) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  const PackageJson* best = nullptr;
  const auto is_inside = [&](const PackageJson& package) {
    return package.folder.empty() ||
           (source.starts_with(package.folder) && source.size() > package.folder.size() &&
            source[package.folder.size()] == '/');
  };
  const auto rank = [&](const PackageJson& package) {
    return std::make_tuple(package.is_member || is_inside(package),
                           common_prefix(package.folder, source));
  };
  for (const PackageJson* package : found->second) {
    if (!package->is_member && !is_inside(*package) && is_test_path(package->folder + "/")) {
      continue;
    }
    if (best == nullptr || rank(*package) > rank(*best)) best = package;
  }
  return best;
}

}  // namespace codexmem::graph
