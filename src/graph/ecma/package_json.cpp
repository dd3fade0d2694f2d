#include "graph/ecma/package_json.h"

#include <algorithm>

#include "base/path.h"
#include "config/path_kind.h"
#include "text/json.h"
#include "base/text.h"
#include "text/json_comments.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::graph {
namespace {

// A file that a manifest names, and the conditions under which it does.
struct Leaf {
  std::string path;
  bool is_source = false, is_types = false, is_import = false, is_require = false;
  bool is_foreign = false;  // for a runtime or tool of which the importer says nothing
};

// A condition that leads to sources rather than to build output: "source", "@zod/source",
// "development", "bun" (by convention it points at TypeScript).
bool names_sources(std::string_view condition) {
  return condition.find("source") != std::string_view::npos || condition.starts_with("@") ||
         condition == "src" || condition == "development" || condition == "bun";
}

void add_condition(Leaf& leaf, std::string_view condition) {
  if (names_sources(condition)) {
    leaf.is_source = true;
  } else if (condition.starts_with("types")) {
    leaf.is_types = true;
  } else if (condition == "import") {
    leaf.is_import = true;
  } else if (condition == "require") {
    leaf.is_require = true;
  } else if (condition != "default" && condition != "node" && !condition.starts_with("module")) {
    leaf.is_foreign = true;
  }
}

void collect_leaves(const Json& value, const Leaf& above, std::vector<Leaf>& out, int depth = 0) {
  if (depth > 8) return;
  if (value.is_string()) {
    out.push_back(above);
    out.back().path = value.get<std::string>();
  } else if (value.is_array()) {
    for (const Json& item : value) collect_leaves(item, above, out, depth + 1);
  } else if (value.is_object()) {
    for (const auto& [condition, item] : value.items()) {
      Leaf leaf = above;
      add_condition(leaf, condition);
      collect_leaves(item, leaf, out, depth + 1);
    }
  }
}

// How far `leaf` is from what `importer` gets; 0 is best.
int distance(const Leaf& leaf, const Importer& importer) {
  if (leaf.is_source) return 0;
  int far = 1;
  if (leaf.is_types != importer.is_typescript) far += leaf.is_types ? 8 : 1;
  if (leaf.is_foreign) far += 2;
  if (importer.is_require ? leaf.is_import : leaf.is_require) far += 4;
  return far;
}

constexpr std::array<Importer, 4> kImporters = {{{.is_typescript = false, .is_require = false},
                                                 {.is_typescript = false, .is_require = true},
                                                 {.is_typescript = true, .is_require = false},
                                                 {.is_typescript = true, .is_require = true}}};

void add_subpath(ByImporter<SubpathMap>& maps, const std::string& key, const Json& value) {
  std::vector<Leaf> in_order;
  collect_leaves(value, {}, in_order);
  for (const Importer& importer : kImporters) {
    std::vector<Leaf> leaves = in_order;
    std::stable_sort(leaves.begin(), leaves.end(), [&](const Leaf& a, const Leaf& b) {
      return distance(a, importer) < distance(b, importer);
    });
    std::vector<std::string> paths;
    for (const Leaf& leaf : leaves) paths.push_back(leaf.path);
    maps[importer.index()].emplace_back(key, std::move(paths));
  }
}

std::string string_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
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
  package->name = string_of(json, "name");
  // A JavaScript file gets the module that runs, a TypeScript file its declarations.
  for (const Importer& importer : kImporters) {
    std::vector<const char*> fields = {"source", "main", "module", "browser", "types", "typings"};
    if (importer.is_typescript)
      fields = {"source", "types", "typings", "module", "main", "browser"};
    for (const char* field : fields) {
      if (std::string path = string_of(json, field); !path.empty()) {
        package->entry[importer.index()].push_back(std::move(path));
      }
    }
  }
  if (const auto exports = json.find("exports"); exports != json.end()) {
    const bool has_subpaths =
        exports->is_object() && !exports->empty() && exports->begin().key().starts_with(".");
    if (!has_subpaths) {
      add_subpath(package->exports, ".", *exports);
    } else {
      for (const auto& [key, item] : exports->items()) add_subpath(package->exports, key, item);
    }
  }
  if (const auto imports = json.find("imports"); imports != json.end() && imports->is_object()) {
    for (const auto& [key, item] : imports->items()) add_subpath(package->imports, key, item);
  }
  package->tsconfig = string_of(json, "tsconfig");
  for (const char* field : {"dependencies", "devDependencies", "peerDependencies"}) {
    const auto dependencies = json.find(field);
    if (dependencies == json.end() || !dependencies->is_object()) continue;
    for (const auto& [name, value] : dependencies->items()) {
      if (!value.is_string()) continue;
      const std::string target = value.get<std::string>();
      for (const std::string_view protocol : {"link:", "file:", "portal:"}) {
        if (!target.starts_with(protocol)) continue;
        if (auto linked = join_path(folder, std::string_view(target).substr(protocol.size()))) {
          package->links.emplace_back(name, std::move(*linked));
        }
      }
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
    const bool is_folder = pattern.ends_with("/");
    const std::size_t star = is_folder ? pattern.size() : pattern.find('*');
    if (star == std::string::npos) continue;
    const std::string_view before = std::string_view(pattern).substr(0, star);
    const std::string_view after =
        is_folder ? std::string_view() : std::string_view(pattern).substr(star + 1);
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
    if (target.ends_with("/")) target += '*';
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
  for (const PackageJson* above = find_enclosing(source); above != nullptr;
       above = above->folder.empty() ? nullptr : find_enclosing(above->folder)) {
    for (const auto& [linked, folder] : above->links) {
      if (linked != name) continue;
      if (const auto package = by_folder_.find(folder); package != by_folder_.end()) {
        return package->second;
      }
    }
  }
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
    if (!package->is_member && !is_inside(*package) && is_secondary_path(package->folder + "/")) {
      continue;
    }
    if (best == nullptr || rank(*package) > rank(*best)) best = package;
  }
  return best;
}

}  // namespace codexmem::graph
