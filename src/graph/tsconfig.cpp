#include "graph/tsconfig.h"

#include <algorithm>

#include "base/json.h"
#include "graph/json_comments.h"

namespace codexmem::graph {
namespace {

constexpr int kMaxExtends = 16;  // a chain that is longer is a loop

constexpr std::string_view kConfigDir = "${configDir}";

// A path of an option as written in a config of `folder`. `${configDir}` is taken as that folder.
std::optional<std::string> option_path(std::string_view folder, std::string_view value) {
  if (value.starts_with(kConfigDir)) value.remove_prefix(kConfigDir.size());
  while (value.starts_with("/")) value.remove_prefix(1);
  return join_path(folder, value);
}

std::string string_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::optional<std::string> TsConfigIndex::find_extended(const TsConfig& from,
                                                        std::string_view name) {
  std::vector<std::string> candidates;
  const auto add = [&](std::string_view folder, std::string_view relative) {
    const auto path = join_path(folder, relative);
    if (!path) return;
    candidates.push_back(*path);
    candidates.push_back(*path + ".json");
    candidates.push_back(path->empty() ? "tsconfig.json" : *path + "/tsconfig.json");
  };
  if (name.starts_with(".")) {
    add(from.folder, name);
  } else {
    // A package of the workspace: @repo/config/base.json.
    std::size_t slash = name.find('/');
    if (name.starts_with("@") && slash != std::string_view::npos) slash = name.find('/', slash + 1);
    const PackageJson* package = packages_.find_named(name.substr(0, slash), from.path);
    if (package == nullptr) return std::nullopt;
    add(package->folder, slash == std::string_view::npos ? "." : name.substr(slash + 1));
  }
  for (const std::string& candidate : candidates) {
    // Frameworks generate configurations to be extended, which are ignored and so not indexed.
    if (tree_.find(candidate) != nullptr || tree_.read(candidate)) return candidate;
  }
  return std::nullopt;
}

const TsConfig* TsConfigIndex::load(const std::string& path, int depth) {
  if (const auto known = loaded_.find(path); known != loaded_.end()) return known->second.get();
  if (depth > kMaxExtends) return nullptr;
  loaded_[path] = nullptr;  // a loop of `extends` ends here
  const std::optional<std::string> text = tree_.read(path);
  if (!text) return nullptr;
  const Json json = Json::parse(strip_json_comments(*text), nullptr, false);
  if (!json.is_object()) return nullptr;

  auto config = std::make_unique<TsConfig>();
  config->path = path;
  config->folder = folder_of(path);
  const auto extend = [&](const Json& name) {
    if (!name.is_string()) return;
    const auto base_path = find_extended(*config, name.get<std::string>());
    const TsConfig* base = base_path ? load(*base_path, depth + 1) : nullptr;
    if (base == nullptr) return;
    if (base->base_url) config->base_url = base->base_url;
    if (!base->paths.empty()) config->paths = base->paths;
    if (!base->out_dir.empty()) config->out_dir = base->out_dir;
    if (!base->root_dir.empty()) config->root_dir = base->root_dir;
  };
  if (const auto extends = json.find("extends"); extends != json.end()) {
    if (extends->is_array()) {
      for (const Json& name : *extends) extend(name);
    } else {
      extend(*extends);
    }
  }
  if (const auto options = json.find("compilerOptions");
      options != json.end() && options->is_object()) {
    if (const std::string base = string_of(*options, "baseUrl"); !base.empty()) {
      config->base_url = option_path(config->folder, base);
    }
    for (auto [key, member] :
         {std::pair("outDir", &config->out_dir), std::pair("rootDir", &config->root_dir)}) {
      if (const std::string value = string_of(*options, key); !value.empty()) {
        *member = option_path(config->folder, value).value_or("");
      }
    }
    if (const auto paths = options->find("paths"); paths != options->end() && paths->is_object()) {
      config->paths.clear();
      const std::string base = config->base_url.value_or(config->folder);
      for (const auto& [pattern, targets] : paths->items()) {
        std::vector<std::string> resolved;
        if (targets.is_array()) {
          for (const Json& target : targets) {
            if (!target.is_string()) continue;
            if (auto found = option_path(base, target.get<std::string>())) {
              resolved.push_back(std::move(*found));
            }
          }
        }
        config->paths.emplace_back(pattern, std::move(resolved));
      }
    }
  }
  if (const auto references = json.find("references");
      references != json.end() && references->is_array()) {
    for (const Json& reference : *references) {
      if (!reference.is_object()) continue;
      if (auto target = find_extended(*config, "./" + string_of(reference, "path"))) {
        config->references.push_back(std::move(*target));
      }
    }
  }
  return (loaded_[path] = std::move(config)).get();
}

const std::vector<const TsConfig*>& TsConfigIndex::list_for(std::string_view source) {
  const std::string folder(folder_of(source));
  if (const auto known = by_folder_.find(folder); known != by_folder_.end()) return known->second;
  std::vector<const TsConfig*> configs;
  const auto add = [&](const TsConfig* config) {
    if (config != nullptr && std::find(configs.begin(), configs.end(), config) == configs.end()) {
      configs.push_back(config);
    }
  };
  for (std::string_view at = folder;; at = folder_of(at)) {
    for (const char* name : {"tsconfig.json", "jsconfig.json"}) {
      const std::string path = *join_path(at, name);
      if (!tree_.has_config(path)) continue;
      const TsConfig* config = load(path, 0);
      add(config);
      if (config == nullptr) continue;
      for (const std::string& reference : std::vector<std::string>(config->references)) {
        // A reference to another project says nothing of this one's files.
        if (folder_of(reference) == at) add(load(reference, 0));
      }
    }
    if (at.empty()) break;
  }
  return by_folder_[folder] = std::move(configs);
}

}  // namespace codexmem::graph
