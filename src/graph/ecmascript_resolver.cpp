// Order, as in the compiler: relative; `paths` of the nearest tsconfig; `#imports`; built-in
// modules; `baseUrl`; packages of the workspace; and, where all that fails, `paths` of
// configurations further up and the bundlers' habit that `@/` and `~/` mean the package's own
// sources. A path is probed as a file, with each extension, as a folder; declarations come before
// JavaScript where TypeScript asks, after it where JavaScript does. What a manifest exports lies in
// build output that is rarely in the tree: the output's folder is replaced by the places where
// sources are kept. Tested by graph/import_resolver_test.cpp.
#include "graph/ecmascript_resolver.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <vector>

namespace codexmem::graph {
namespace {

// The extensions that a specifier without one may stand for, by the language of the importer.
using Probed = std::array<std::string_view, 12>;
constexpr Probed kProbedByTypeScript = {".ts",    ".tsx", ".d.ts", ".mts", ".cts", ".d.mts",
                                        ".d.cts", ".js",  ".jsx",  ".mjs", ".cjs", ".json"};
constexpr Probed kProbedByJavaScript = {".js",  ".jsx", ".mjs",  ".cjs",   ".ts",    ".tsx",
                                        ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts", ".json"};

// A JavaScript extension in a specifier, and what the file may really be called.
struct Substitution {
  std::string_view written;
  std::array<std::string_view, 5> by_typescript, by_javascript;
};
constexpr std::array<Substitution, 4> kSubstitutions = {{
    {".js", {".ts", ".tsx", ".d.ts", ".js", ".jsx"}, {".js", ".ts", ".tsx", ".jsx", ".d.ts"}},
    {".jsx", {".tsx", ".ts", ".d.ts", ".jsx", ".js"}, {".jsx", ".tsx", ".ts", ".js", ".d.ts"}},
    {".mjs", {".mts", ".d.mts", ".mjs", "", ""}, {".mjs", ".mts", ".d.mts", "", ""}},
    {".cjs", {".cts", ".d.cts", ".cjs", "", ""}, {".cjs", ".cts", ".d.cts", "", ""}},
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

// Folders that hold build output by convention.
bool is_output_folder(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "dist",    "lib",     "build",  "out",     "output", "esm",      "cjs",
      "es",      "umd",     "types",  "typings", "module", "commonjs", "node",
      "browser", "default", "import", "require", "mjs",    "bundle"};
  return names.contains(name) || name.starts_with("dist-") || name.starts_with("dist_") ||
         name.starts_with("lib-") || name.starts_with("build-");
}

bool is_typescript(std::string_view path) {
  return path.ends_with(".ts") || path.ends_with(".tsx") || path.ends_with(".mts") ||
         path.ends_with(".cts");
}

const Probed& probed(bool for_typescript) {
  return for_typescript ? kProbedByTypeScript : kProbedByJavaScript;
}

std::string_view strip_output_extension(std::string_view path) {
  for (const std::string_view extension : kOutputExtensions) {
    if (path.ends_with(extension)) return path.substr(0, path.size() - extension.size());
  }
  return path;
}

std::string in_folder(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
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

bool EcmaScriptResolver::is_source(std::string_view path) {
  static constexpr std::array<std::string_view, 8> kExtensions = {".ts", ".tsx", ".mts", ".cts",
                                                                  ".js", ".jsx", ".mjs", ".cjs"};
  return std::any_of(kExtensions.begin(), kExtensions.end(),
                     [&](std::string_view extension) { return path.ends_with(extension); });
}

const ProjectFile* EcmaScriptResolver::find_file(std::string_view path) const {
  for (const Substitution& substitution : kSubstitutions) {
    if (!path.ends_with(substitution.written)) continue;
    const std::string stem(path.substr(0, path.size() - substitution.written.size()));
    for (const std::string_view extension :
         for_typescript_ ? substitution.by_typescript : substitution.by_javascript) {
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
      for (const std::string& entry : package->entry) {
        const auto target = join_path(path, entry);
        if (!target || *target == path) continue;
        if (const ProjectFile* file = find_module(*target)) return file;
      }
    }
  }
  for (const std::string_view extension : probed(for_typescript_)) {
    if (const ProjectFile* file = tree_.find(in_folder(path, "index" + std::string(extension)))) {
      return file;
    }
  }
  return nullptr;
}

const ProjectFile* EcmaScriptResolver::find_module(std::string_view path, bool folder_only) {
  if (!folder_only && !path.empty()) {
    if (const ProjectFile* file = find_file(path)) return file;
    for (const std::string_view extension : probed(for_typescript_)) {
      if (const ProjectFile* file = tree_.find(std::string(path) + std::string(extension))) {
        return file;
      }
    }
  }
  return find_folder(path);
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

const ProjectFile* EcmaScriptResolver::find_output(const PackageJson& package,
                                                   std::string_view relative) {
  const auto path = join_path(package.folder, relative);
  if (!path) return nullptr;
  if (const ProjectFile* file = find_file(*path)) return file;

  // The package's own tsconfig may say where its output comes from.
  const std::string_view stem = strip_output_extension(*path);
  const auto probe = [&](std::string_view candidate) { return find_module(candidate); };
  for (const TsConfig* config : configs_.list_for(in_folder(package.folder, "package.json"))) {
    if (config->out_dir.empty() || !stem.starts_with(config->out_dir + "/")) continue;
    const std::string_view rest = stem.substr(config->out_dir.size() + 1);
    if (const ProjectFile* file = probe(in_folder(config->root_dir, rest))) return file;
  }
  if (!package.folder.empty() && !stem.starts_with(package.folder + "/")) return nullptr;
  std::string_view rest = package.folder.empty() ? stem : stem.substr(package.folder.size() + 1);
  // dist/esm/a, dist/a, a: after each folder of output, where sources may be.
  for (int level = 0; level < 4; ++level) {
    for (const std::string_view source : {"src", "source", "lib", ""}) {
      const std::string folder =
          source.empty() ? package.folder : in_folder(package.folder, source);
      const std::string candidate = in_folder(folder, rest);
      if (const ProjectFile* file = probe(candidate); file != nullptr && is_source(file->path)) {
        return file;
      }
    }
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos || !is_output_folder(rest.substr(0, slash))) break;
    rest = rest.substr(slash + 1);
  }
  return nullptr;
}

const ProjectFile* EcmaScriptResolver::find_in_package(const PackageJson& package,
                                                       std::string_view subpath) {
  for (const std::string& target : match_subpath(package.exports, subpath)) {
    if (const ProjectFile* file = find_output(package, target)) return file;
  }
  if (subpath == ".") {
    for (const std::string& entry : package.entry) {
      if (const ProjectFile* file = find_output(package, entry)) return file;
    }
    for (const std::string_view folder : {"", "src", "source", "lib"}) {
      const std::string path = folder.empty() ? package.folder : in_folder(package.folder, folder);
      for (const std::string_view extension : probed(for_typescript_)) {
        const ProjectFile* file = tree_.find(in_folder(path, "index" + std::string(extension)));
        if (file != nullptr && is_source(file->path)) return file;
      }
    }
    return nullptr;
  }
  const std::string_view relative = subpath.substr(2);
  const std::string path = in_folder(package.folder, relative);
  if (const ProjectFile* file = find_module(path)) return file;
  return find_output(package, relative);
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
    if (const auto path = join_path(folder_of(source), specifier)) {
      const bool folder_only = specifier.ends_with("/") || specifier.ends_with("/.") ||
                               specifier.ends_with("..") || specifier == ".";
      target.file = find_module(*path, folder_only);
    }
    return target;
  }
  if (specifier.starts_with("/") || specifier.find("://") != std::string_view::npos ||
      specifier.starts_with("data:")) {
    target.is_external = !specifier.starts_with("/");
    if (target.is_external) target.package = specifier;
    return target;
  }

  const std::vector<const TsConfig*>& configs = configs_.list_for(source);
  // The nearest folder with a configuration decides; those above it are a last resort.
  std::size_t nearest = 0;
  while (nearest < configs.size() && configs[nearest]->folder == configs[0]->folder) ++nearest;
  for (std::size_t i = 0; i < nearest; ++i) {
    if ((target.file = find_by_paths(*configs[i], specifier)) != nullptr) return target;
  }
  const PackageJson* enclosing = packages_.find_enclosing(source);
  if (specifier.starts_with("#")) {
    if (enclosing != nullptr) {
      for (const std::string& path : match_subpath(enclosing->imports, specifier)) {
        if ((target.file = find_output(*enclosing, path)) != nullptr) return target;
        if (!path.starts_with(".") && !path.starts_with("#")) return find(source, path);
      }
    }
    return target;
  }
  const auto [name, subpath] = split_package(specifier);
  if (specifier.starts_with("node:") || specifier.starts_with("bun:") ||
      node_builtins().contains(name)) {
    const std::size_t colon = name.find(':');
    target.is_external = true;
    target.package = colon == std::string_view::npos ? name : name.substr(colon + 1);
    return target;
  }
  for (std::size_t i = 0; i < nearest; ++i) {
    if (!configs[i]->base_url) continue;
    if (const auto path = join_path(*configs[i]->base_url, specifier)) {
      if ((target.file = find_module(*path)) != nullptr) return target;
    }
  }
  if (const PackageJson* package = packages_.find_named(name, source)) {
    if ((target.file = find_in_package(*package, subpath)) != nullptr) return target;
    // A package of ours whose built file cannot be traced to a source.
    if (package->is_member || package == enclosing) return target;
  }
  for (std::size_t i = nearest; i < configs.size(); ++i) {
    if ((target.file = find_by_paths(*configs[i], specifier)) != nullptr) return target;
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
  target.is_external = true;
  target.package = name;
  return target;
}

const EcmaScriptTarget& EcmaScriptResolver::resolve(std::string_view source,
                                                    std::string_view specifier) {
  for_typescript_ = is_typescript(source);
  std::string key(folder_of(source));
  key += for_typescript_ ? "\nt" : "\nj";
  key += specifier;
  if (const auto known = cache_.find(key); known != cache_.end()) return known->second;
  EcmaScriptTarget target = find(source, specifier);
  return cache_.emplace(std::move(key), std::move(target)).first->second;
}

}  // namespace codexmem::graph
