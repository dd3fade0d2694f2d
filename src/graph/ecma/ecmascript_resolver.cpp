// Order, as in the compiler: relative; `paths` of the nearest tsconfig; `#imports`; built-in
// modules; `baseUrl`; packages of the workspace; and, if all that fails, `paths` of configurations
// further up and the bundlers' convention that `@/` and `~/` mean the package's own sources. A path
// is probed as a file, with each extension, as a folder. A manifest exports files of build output,
// which is rarely in the tree: the output's folder is replaced by the folders where sources usually
// are, and output in the tree is only taken when there is no source. Tested by
// graph/import_resolver_test.cpp.
#include "graph/ecma/ecmascript_resolver.h"
#include "base/path.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <vector>

namespace codexmem::graph {
namespace {

// The extensions that a specifier without one may stand for.
constexpr std::array<std::string_view, 11> kProbed = {
    ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"};

// What bundlers add, when nothing else is found.
constexpr std::array<std::string_view, 9> kProbedByBundlers = {
    ".native.tsx", ".native.ts", ".native.js", ".ios.tsx", ".ios.ts",
    ".ios.js",     ".web.tsx",   ".web.js",    ".vue"};

// What SvelteKit calls its sources, and where they are unless its configuration says otherwise.
constexpr std::string_view kSvelteLibrary = "$lib";
constexpr std::string_view kSvelteLibraryFolder = "src/lib";

// A JavaScript extension in a specifier, and what the file may really be called.
struct Substitution {
  std::string_view written;
  std::array<std::string_view, 5> called;
};
constexpr std::array<Substitution, 4> kSubstitutions = {{
    {".js", {".ts", ".tsx", ".d.ts", ".js", ".jsx"}},
    {".jsx", {".tsx", ".ts", ".d.ts", ".jsx", ".js"}},
    {".mjs", {".mts", ".d.mts", ".mjs", "", ""}},
    {".cjs", {".cts", ".d.cts", ".cjs", "", ""}},
}};

// Declarations, and the files that they may describe.
struct Described {
  std::string_view declarations;
  std::array<std::string_view, 4> sources;
};
constexpr std::array<Described, 3> kDescribed = {{
    {".d.ts", {".js", ".jsx", ".mjs", ".cjs"}},
    {".d.mts", {".mjs", ".js", "", ""}},
    {".d.cts", {".cjs", ".js", "", ""}},
}};

// Extensions of build output, longest first.
constexpr std::array<std::string_view, 12> kOutputExtensions = {
    ".d.mts", ".d.cts", ".d.ts", ".mjs", ".cjs", ".jsx",
    ".tsx",   ".mts",   ".cts",  ".js",  ".ts",  ".json"};

const std::unordered_set<std::string_view>& node_builtins() {
  static const std::unordered_set<std::string_view> names = {"assert",
                                                             "async_hooks",
                                                             "buffer",
                                                             "child_process",
                                                             "cluster",
                                                             "console",
                                                             "constants",
                                                             "crypto",
                                                             "dgram",
                                                             "diagnostics_channel",
                                                             "dns",
                                                             "domain",
                                                             "events",
                                                             "fs",
                                                             "http",
                                                             "http2",
                                                             "https",
                                                             "inspector",
                                                             "module",
                                                             "net",
                                                             "os",
                                                             "path",
                                                             "perf_hooks",
                                                             "process",
                                                             "punycode",
                                                             "querystring",
                                                             "readline",
                                                             "repl",
                                                             "stream",
                                                             "string_decoder",
                                                             "sys",
                                                             "timers",
                                                             "tls",
                                                             "trace_events",
                                                             "tty",
                                                             "url",
                                                             "util",
                                                             "v8",
                                                             "vm",
                                                             "wasi",
                                                             "worker_threads",
                                                             "zlib"};
  return names;
}

// Folders that hold nothing but build output.
bool is_built(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {"dist", "build", "out", "output",
                                                             "umd",  "cjs",   "esm", "bundle"};
  return names.contains(name) || name.starts_with("dist-") || name.starts_with("dist_") ||
         name.starts_with("lib-") || name.starts_with("build-");
}

// Folders that may hold build output.
bool is_output_folder(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "lib",  "es",      "types",   "typings", "module",  "commonjs",
      "node", "browser", "default", "import",  "require", "mjs"};
  return is_built(name) || names.contains(name);
}

bool is_typescript(std::string_view path) {
  return path.ends_with(".ts") || path.ends_with(".tsx") || path.ends_with(".mts") ||
         path.ends_with(".cts");
}

std::string_view strip_output_extension(std::string_view path) {
  for (const std::string_view extension : kOutputExtensions) {
    if (path.ends_with(extension)) return path.substr(0, path.size() - extension.size());
  }
  return path;
}

bool is_inside(const PackageJson& package, std::string_view path) {
  return package.folder.empty() || path.starts_with(package.folder + "/");
}

// True for a path like dist/index.js of `package`.
bool is_build_output(const PackageJson& package, std::string_view path) {
  if (!is_inside(package, path)) return false;
  const std::string_view rest = path.substr(package.folder.empty() ? 0 : package.folder.size() + 1);
  return rest.find('/') != std::string_view::npos && is_built(rest.substr(0, rest.find('/')));
}

bool is_declaration(std::string_view path) {
  return path.ends_with(".d.ts") || path.ends_with(".d.mts") || path.ends_with(".d.cts");
}

// "@scope/name/sub/path" as "@scope/name" and "./sub/path" (or ".").
std::pair<std::string_view, std::string> split_package(std::string_view specifier) {
  std::size_t slash = specifier.find('/');
  if (specifier.starts_with("@") && slash != std::string_view::npos) {
    slash = specifier.find('/', slash + 1);
  }
  if (slash == std::string_view::npos) return {specifier, "."};
  return {specifier.substr(0, slash), "." + std::string(specifier.substr(slash))};
}

}  // namespace

const ProjectFile* EcmaScriptResolver::find_file(std::string_view path) const {
  for (const Substitution& substitution : kSubstitutions) {
    if (!path.ends_with(substitution.written)) continue;
    const std::string stem(path.substr(0, path.size() - substitution.written.size()));
    for (const std::string_view extension : substitution.called) {
      if (extension.empty()) break;
      if (const ProjectFile* file = tree_.find(stem + std::string(extension))) return file;
    }
    break;
  }
  // Another language's module is no target; a stylesheet, an image or data is.
  if (path.ends_with(".py") || path.ends_with(".pyi")) return nullptr;
  return tree_.find(path);
}

const ProjectFile* EcmaScriptResolver::find_folder(std::string_view path) {
  if (!tree_.has_folder(path)) return nullptr;
  const std::string manifest = in_folder(path, "package.json");
  if (tree_.has_config(manifest)) {
    const PackageJson* package = packages_.find_enclosing(manifest);
    if (package != nullptr && package->folder == path) {
      for (const std::string& entry : package->entry[importer_.index()]) {
        const auto target = join_path(path, entry);
        if (!target || *target == path) continue;
        if (const ProjectFile* file = find_module(*target)) return file;
      }
    }
  }
  for (const std::string_view extension : kProbed) {
    if (const ProjectFile* file = tree_.find(in_folder(path, "index" + std::string(extension)))) {
      return file;
    }
  }
  return nullptr;
}

const ProjectFile* EcmaScriptResolver::find_module(std::string_view path, bool folder_only) {
  if (!folder_only && !path.empty()) {
    if (const ProjectFile* file = find_file(path)) return file;
    for (const std::string_view extension : kProbed) {
      if (const ProjectFile* file = tree_.find(std::string(path) + std::string(extension))) {
        return file;
      }
    }
  }
  return find_folder(path);
}

// The JavaScript file that a declaration file describes; the declaration file itself without one.
const ProjectFile* EcmaScriptResolver::find_described(const ProjectFile* declarations) const {
  for (const Described& described : kDescribed) {
    if (!declarations->path.ends_with(described.declarations)) continue;
    const std::string stem =
        declarations->path.substr(0, declarations->path.size() - described.declarations.size());
    for (const std::string_view extension : described.sources) {
      if (extension.empty()) break;
      if (const ProjectFile* file = tree_.find(stem + std::string(extension))) return file;
    }
  }
  return declarations;
}

const ProjectFile* EcmaScriptResolver::find_relative(std::string_view source,
                                                     std::string_view specifier) {
  const auto path = join_path(folder_of(source), specifier);
  if (!path) return nullptr;
  const bool folder_only = specifier.ends_with("/") || specifier.ends_with("/.") ||
                           specifier.ends_with("..") || specifier == ".";
  if (const ProjectFile* file = find_module(*path, folder_only)) return file;
  // Several folders may be one.
  const TsConfigs& configs = configs_.list_for(source);
  for (std::size_t i = 0; i < configs.nearest; ++i) {
    for (const std::string& from : configs.list[i]->root_dirs) {
      if (!path->starts_with(from + "/")) continue;
      for (const std::string& to : configs.list[i]->root_dirs) {
        const std::string other = in_folder(to, path->substr(from.size() + 1));
        if (const ProjectFile* file = find_module(other, folder_only)) return file;
      }
    }
  }
  if (folder_only) return nullptr;
  if (!importer_.is_typescript) {
    if (const ProjectFile* file = tree_.find(*path + ".json")) return file;
  }
  for (const std::string_view extension : kProbedByBundlers) {
    if (const ProjectFile* file = tree_.find(*path + std::string(extension))) return file;
  }
  return nullptr;
}

const ProjectFile* EcmaScriptResolver::find_by_paths(const TsConfig& config,
                                                     std::string_view specifier) {
  for (const std::string& target : match_subpath(config.paths, specifier)) {
    if (const auto path = join_path("", target)) {
      if (const ProjectFile* file = find_module(*path)) return file;
    }
  }
  return nullptr;
}

// The file of `package` that its manifest calls `relative`, unless that is build output.
const ProjectFile* EcmaScriptResolver::find_written(const PackageJson& package,
                                                    std::string_view relative) {
  const auto path = join_path(package.folder, relative);
  if (!path || is_build_output(package, *path)) return nullptr;
  const ProjectFile* file = find_file(*path);
  return file == nullptr ? nullptr : find_described(file);
}

// The source behind what a manifest of `package` names; a file of its build output only if
// `may_be_output`.
const ProjectFile* EcmaScriptResolver::find_exported(const PackageJson& package,
                                                     std::string_view relative,
                                                     bool may_be_output) {
  const auto path = join_path(package.folder, relative);
  if (!path) return nullptr;
  const bool is_output = is_build_output(package, *path);
  if (is_output == may_be_output) {
    if (const ProjectFile* file = find_file(*path)) return find_described(file);
  }
  if (may_be_output) return nullptr;

  // The package's own tsconfig may say where its output comes from.
  const std::string_view stem = strip_output_extension(*path);
  for (const TsConfig* config : configs_.list_for(in_folder(package.folder, "package.json")).list) {
    if (config->out_dir.empty() || !stem.starts_with(config->out_dir + "/")) continue;
    const std::string_view rest = stem.substr(config->out_dir.size() + 1);
    const std::string& root = config->root_dir.empty() ? config->folder : config->root_dir;
    const ProjectFile* file = find_module(in_folder(root, rest));
    if (file != nullptr) return find_described(file);
  }
  if (!is_inside(package, *path)) return nullptr;
  std::string_view rest = stem.substr(package.folder.empty() ? 0 : package.folder.size() + 1);
  // dist/esm/a, dist/a, a: after each folder of output, where sources may be.
  for (int level = 0; level < 4; ++level) {
    for (const std::string_view source : {"src", "source", "lib", ""}) {
      if (source.empty() && level == 0 && is_output) continue;
      const std::string folder =
          source.empty() ? package.folder : in_folder(package.folder, source);
      const ProjectFile* file = find_module(in_folder(folder, rest));
      if (file != nullptr && file->family == parse::Family::kEcmaScript)
        return find_described(file);
    }
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos || !is_output_folder(rest.substr(0, slash))) break;
    rest = rest.substr(slash + 1);
  }
  return nullptr;
}

const ProjectFile* EcmaScriptResolver::find_in_package(const PackageJson& package,
                                                       std::string_view subpath) {
  std::vector<std::string> exported = match_subpath(package.exports[importer_.index()], subpath);
  if (subpath == ".") {
    const std::vector<std::string>& entry = package.entry[importer_.index()];
    exported.insert(exported.end(), entry.begin(), entry.end());
  }
  // A file of the tree that the manifest itself names is surer than a guess where one comes from.
  for (const std::string& target : exported) {
    const ProjectFile* file = find_written(package, target);
    if (file != nullptr && (importer_.is_typescript || !is_declaration(file->path))) return file;
  }
  for (const bool may_be_output : {false, true}) {
    for (const std::string& target : exported) {
      if (const ProjectFile* file = find_exported(package, target, may_be_output)) return file;
    }
    if (subpath == ".") {
      for (const std::string_view folder : {"", "src", "source", "lib"}) {
        const std::string path =
            folder.empty() ? package.folder : in_folder(package.folder, folder);
        for (const std::string_view extension : kProbed) {
          const ProjectFile* file = tree_.find(in_folder(path, "index" + std::string(extension)));
          if (file != nullptr) return find_described(file);
        }
      }
    }
  }
  if (subpath == ".") return nullptr;
  const std::string_view relative = subpath.substr(2);
  if (const ProjectFile* file = find_module(in_folder(package.folder, relative))) {
    return find_described(file);
  }
  return find_exported(package, relative, false);
}

bool is_platform_module(std::string_view specifier) {
  return specifier.starts_with("node:") || specifier.starts_with("bun:") ||
         node_builtins().contains(split_package(specifier).first);
}

EcmaScriptTarget EcmaScriptResolver::find(std::string_view source, std::string_view specifier) {
  // A bundler's query or loader prefix is no part of the path.
  if (const std::size_t query = specifier.find('?'); query != std::string_view::npos) {
    specifier = specifier.substr(0, query);
  }
  EcmaScriptTarget target;
  if (specifier.empty()) return target;
  if (specifier == "." || specifier == ".." || specifier.starts_with("./") ||
      specifier.starts_with("../")) {
    target.file = find_relative(source, specifier);
    return target;
  }
  if (specifier.starts_with("/") || specifier.find("://") != std::string_view::npos ||
      specifier.starts_with("data:")) {
    target.is_external = !specifier.starts_with("/");
    if (target.is_external) target.package = specifier;
    return target;
  }

  const TsConfigs& configs = configs_.list_for(source);
  // The nearest folder with a configuration decides; those above it are a last resort.
  for (std::size_t i = 0; i < configs.nearest; ++i) {
    if ((target.file = find_by_paths(*configs.list[i], specifier)) != nullptr) return target;
  }
  const PackageJson* enclosing = packages_.find_enclosing(source);
  if (specifier.starts_with("#")) {
    if (enclosing != nullptr) {
      const SubpathMap& imports = enclosing->imports[importer_.index()];
      const std::vector<std::string> paths = match_subpath(imports, specifier);
      for (const bool may_be_output : {false, true}) {
        for (const std::string& path : paths) {
          target.file = find_exported(*enclosing, path, may_be_output);
          if (target.file != nullptr) return target;
        }
      }
      for (const std::string& path : paths) {
        if (!path.starts_with(".") && !path.starts_with("#")) return find(source, path);
      }
    }
    return target;
  }
  const auto [name, subpath] = split_package(specifier);
  if (is_platform_module(specifier)) {
    const std::size_t colon = name.find(':');
    target.is_external = true;
    target.package = colon == std::string_view::npos ? name : name.substr(colon + 1);
    return target;
  }
  for (std::size_t i = 0; i < configs.nearest; ++i) {
    if (!configs.list[i]->base_url) continue;
    if (const auto path = join_path(*configs.list[i]->base_url, specifier)) {
      if ((target.file = find_module(*path)) != nullptr) return target;
    }
  }
  if (const PackageJson* package = packages_.find_named(name, source)) {
    if ((target.file = find_in_package(*package, subpath)) != nullptr) return target;
    // A package of ours whose built file cannot be traced to a source.
    if (package->is_member || package == enclosing) return target;
  }
  for (std::size_t i = configs.nearest; i < configs.list.size(); ++i) {
    if ((target.file = find_by_paths(*configs.list[i], specifier)) != nullptr) return target;
  }
  if (specifier.starts_with("@/") || specifier.starts_with("~/")) {
    const std::string package = enclosing == nullptr ? std::string() : enclosing->folder;
    for (const std::string_view folder : {"src", "app", ""}) {
      const std::string base = folder.empty() ? package : in_folder(package, folder);
      if (const auto path = join_path(base, specifier.substr(2))) {
        if ((target.file = find_module(*path)) != nullptr) return target;
      }
    }
    return target;
  }
  if (name == kSvelteLibrary) {
    const std::string package = enclosing == nullptr ? std::string() : enclosing->folder;
    std::string path = in_folder(package, kSvelteLibraryFolder);
    path += specifier.substr(name.size());
    target.file = find_module(path);
    return target;
  }
  target.is_external = true;
  target.package = name;
  return target;
}

const EcmaScriptTarget& EcmaScriptResolver::resolve(std::string_view source,
                                                    std::string_view specifier, bool is_require) {
  importer_ = {.is_typescript = is_typescript(source), .is_require = is_require};
  std::string key(folder_of(source));
  key += '\n';
  key += static_cast<char>('0' + importer_.index());
  key += specifier;
  if (const auto known = cache_.find(key); known != cache_.end()) return known->second;
  EcmaScriptTarget target = find(source, specifier);
  if (target.file != nullptr && !importer_.is_typescript) {
    target.file = find_described(target.file);
  }
  return cache_.emplace(std::move(key), std::move(target)).first->second;
}

}  // namespace codexmem::graph
