#include "graph/ecma/tsconfig.h"

#include <algorithm>
#include <utility>

#include "base/path.h"
#include "text/json.h"
#include "text/json_comments.h"

namespace codexmem::graph {
namespace {

constexpr int kMaxExtended = 64;  // files of one configuration; more are a loop

constexpr std::string_view kConfigDir = "${configDir}";

// An option's path and the folder of the file that gives it.
struct WrittenPath {
  std::string folder, value;
};

// `${configDir}` is the folder of the configuration that is used, not of one that it extends.
std::optional<std::string> resolve_path(std::string_view config_folder, std::string_view folder,
                                        std::string_view value) {
  if (value.starts_with(kConfigDir)) {
    folder = config_folder;
    value.remove_prefix(kConfigDir.size());
  }
  while (value.starts_with("/")) value.remove_prefix(1);
  return join_path(folder, value);
}

std::vector<WrittenPath> read_list(const Json& object, const char* key, std::string_view folder) {
  std::vector<WrittenPath> list;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return list;
  for (const Json& item : *found) {
    if (item.is_string()) list.push_back({std::string(folder), item.get<std::string>()});
  }
  return list;
}

// What an entry of `include` or `files` covers.
Coverage coverage_of(const std::string& pattern) {
  const std::size_t star = pattern.find_first_of("*?");
  if (star != std::string::npos) {
    const std::string_view before = folder_of(std::string_view(pattern).substr(0, star));
    const bool is_deep = pattern.find('/', star) != std::string::npos ||
                         pattern.find("**", star) != std::string::npos;
    return {std::string(before), is_deep};
  }
  if (file_name(pattern).find('.', 1) != std::string_view::npos) {
    return {std::string(folder_of(pattern)), false};
  }
  return {pattern, true};
}

}  // namespace

// The options as written, with inherited ones. The folder that they are relative to is only known
// at the end of the chain: `paths` are relative to a `baseUrl` that another file of the chain may
// set.
struct TsConfigIndex::Options {
  std::optional<WrittenPath> base_url, out_dir, root_dir;
  std::vector<std::pair<std::string, std::vector<std::string>>> paths;
  std::string paths_folder;
  std::vector<WrittenPath> root_dirs;
  std::optional<std::vector<WrittenPath>> include, files;
  std::vector<std::string> references;  // never inherited
};

bool TsConfig::has_folder(std::string_view source_folder) const {
  return std::any_of(covers.begin(), covers.end(), [&](const Coverage& covered) {
    if (covered.folder == source_folder) return true;
    return covered.is_recursive &&
           (covered.folder.empty() || (source_folder.starts_with(covered.folder) &&
                                       source_folder[covered.folder.size()] == '/'));
  });
}

std::optional<std::string> TsConfigIndex::find_extended(std::string_view folder,
                                                        std::string_view name) {
  std::vector<std::string> candidates;
  const auto add = [&](std::string_view base, std::string_view relative) {
    const auto path = join_path(base, relative);
    if (!path) return;
    candidates.push_back(*path);
    candidates.push_back(*path + ".json");
    candidates.push_back(path->empty() ? "tsconfig.json" : *path + "/tsconfig.json");
  };
  if (name.starts_with(".") || name.starts_with(kConfigDir)) {
    if (name.starts_with(kConfigDir)) name.remove_prefix(kConfigDir.size() + 1);
    add(folder, name);
  } else {
    std::size_t slash = name.find('/');
    if (name.starts_with("@") && slash != std::string_view::npos) slash = name.find('/', slash + 1);
    const std::string_view inside =
        slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
    const PackageJson* package =
        packages_.find_named(name.substr(0, slash), *join_path(folder, "tsconfig.json"));
    if (package != nullptr) {
      // A package of the workspace: @repo/config/base.json.
      const std::string key = inside.empty() ? "." : "./" + std::string(inside);
      for (const std::string& path : match_subpath(package->exports[0], key)) {
        add(package->folder, path);
      }
      add(package->folder, inside.empty() && !package->tsconfig.empty()
                               ? std::string_view(package->tsconfig)
                           : inside.empty() ? std::string_view(".")
                                            : inside);
    } else {
      for (std::string_view at = folder;; at = folder_of(at)) {
        add(at, "node_modules/" + std::string(name));
        if (at.empty()) break;
      }
    }
  }
  for (const std::string& candidate : candidates) {
    // Frameworks generate configurations to be extended, which are ignored and so not indexed.
    if (tree_.find(candidate) != nullptr || tree_.read(candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<TsConfigIndex::Options> TsConfigIndex::read_options(const std::string& path,
                                                                  int& files_left) {
  if (--files_left < 0) return std::nullopt;
  const std::optional<std::string> text = tree_.read(path);
  if (!text) return std::nullopt;
  const Json json = Json::parse(strip_json_comments(*text), nullptr, false);
  if (!json.is_object()) return std::nullopt;

  Options options;
  const std::string folder(folder_of(path));
  const auto extend = [&](const Json& name) {
    if (!name.is_string()) return;
    const auto base_path = find_extended(folder, name.get<std::string>());
    std::optional<Options> base =
        base_path ? read_options(*base_path, files_left) : std::optional<Options>();
    if (!base) return;
    if (base->base_url) options.base_url = std::move(base->base_url);
    if (base->out_dir) options.out_dir = std::move(base->out_dir);
    if (base->root_dir) options.root_dir = std::move(base->root_dir);
    if (!base->root_dirs.empty()) options.root_dirs = std::move(base->root_dirs);
    if (!base->paths.empty()) {
      options.paths = std::move(base->paths);
      options.paths_folder = std::move(base->paths_folder);
    }
    if (base->include) options.include = std::move(base->include);
    if (base->files) options.files = std::move(base->files);
  };
  if (const auto extends = json.find("extends"); extends != json.end()) {
    if (extends->is_array()) {
      for (const Json& name : *extends) extend(name);
    } else {
      extend(*extends);
    }
  }
  if (const auto own = json.find("compilerOptions"); own != json.end() && own->is_object()) {
    for (auto [key, member] :
         {std::pair("baseUrl", &options.base_url), std::pair("outDir", &options.out_dir),
          std::pair("rootDir", &options.root_dir)}) {
      const auto value = own->find(key);
      if (value != own->end() && value->is_string() && !value->get<std::string>().empty()) {
        *member = WrittenPath{folder, value->get<std::string>()};
      }
    }
    if (own->contains("rootDirs")) options.root_dirs = read_list(*own, "rootDirs", folder);
    if (const auto paths = own->find("paths"); paths != own->end() && paths->is_object()) {
      options.paths.clear();
      options.paths_folder = folder;
      for (const auto& [pattern, targets] : paths->items()) {
        std::vector<std::string> written;
        if (targets.is_array()) {
          for (const Json& target : targets) {
            if (target.is_string()) written.push_back(target.get<std::string>());
          }
        }
        options.paths.emplace_back(pattern, std::move(written));
      }
    }
  }
  if (json.contains("include")) options.include = read_list(json, "include", folder);
  if (json.contains("files")) options.files = read_list(json, "files", folder);
  if (const auto references = json.find("references");
      references != json.end() && references->is_array()) {
    for (const Json& reference : *references) {
      if (!reference.is_object()) continue;
      const auto target = reference.find("path");
      if (target == reference.end() || !target->is_string()) continue;
      if (auto found = find_extended(folder, "./" + target->get<std::string>())) {
        options.references.push_back(std::move(*found));
      }
    }
  }
  return options;
}

const TsConfig* TsConfigIndex::load(const std::string& path) {
  if (const auto known = loaded_.find(path); known != loaded_.end()) return known->second.get();
  int files_left = kMaxExtended;
  std::optional<Options> options = read_options(path, files_left);
  if (!options) return (loaded_[path] = nullptr).get();

  auto config = std::make_unique<TsConfig>();
  config->path = path;
  config->folder = folder_of(path);
  const auto resolve = [&](const WrittenPath& written) {
    return resolve_path(config->folder, written.folder, written.value);
  };
  if (options->base_url) config->base_url = resolve(*options->base_url);
  if (options->out_dir) config->out_dir = resolve(*options->out_dir).value_or("");
  if (options->root_dir) config->root_dir = resolve(*options->root_dir).value_or("");
  for (const WrittenPath& written : options->root_dirs) {
    if (auto folder = resolve(written)) config->root_dirs.push_back(std::move(*folder));
  }
  const std::string base = config->base_url.value_or(options->paths_folder);
  for (const auto& [pattern, targets] : options->paths) {
    std::vector<std::string> resolved;
    for (const std::string& target : targets) {
      if (auto found = resolve_path(config->folder, base, target)) {
        resolved.push_back(std::move(*found));
      }
    }
    config->paths.emplace_back(pattern, std::move(resolved));
  }
  for (const auto* list : {&options->include, &options->files}) {
    if (!list->has_value()) continue;
    for (const WrittenPath& written : **list) {
      if (const auto pattern = resolve(written)) config->covers.push_back(coverage_of(*pattern));
    }
  }
  if (!options->include && !options->files) config->covers.push_back({config->folder, true});
  config->references = std::move(options->references);
  return (loaded_[path] = std::move(config)).get();
}

const TsConfigs& TsConfigIndex::list_for(std::string_view source) {
  const std::string folder(folder_of(source));
  if (const auto known = by_folder_.find(folder); known != by_folder_.end()) return known->second;
  TsConfigs configs;
  for (std::string_view at = folder;; at = folder_of(at)) {
    std::vector<const TsConfig*> here;
    for (const std::string_view name : {"tsconfig.json", "jsconfig.json", "tsconfig.base.json"}) {
      // The last is a habit, for projects to extend; it holds where there is no other.
      if (name == "tsconfig.base.json" && !configs.list.empty()) break;
      const std::string path = *join_path(at, name);
      if (!tree_.has_config(path)) continue;
      const TsConfig* config = load(path);
      if (config == nullptr) continue;
      here.push_back(config);
      for (const std::string& reference : config->references) {
        // A reference to another project says nothing of this one's files.
        const TsConfig* referenced = load(reference);
        if (referenced != nullptr && (referenced->folder == at || referenced->has_folder(folder))) {
          here.push_back(referenced);
        }
      }
      break;
    }
    std::stable_partition(here.begin(), here.end(),
                          [&](const TsConfig* config) { return config->has_folder(folder); });
    for (const TsConfig* config : here) {
      if (std::find(configs.list.begin(), configs.list.end(), config) == configs.list.end()) {
        configs.list.push_back(config);
      }
    }
    if (configs.nearest == 0) configs.nearest = configs.list.size();
    if (at.empty()) break;
  }
  return by_folder_[folder] = std::move(configs);
}

}  // namespace codexmem::graph
