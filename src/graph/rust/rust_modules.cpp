// Tested by graph/rust_test.cpp.
#include "graph/rust/rust_modules.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::string_view kModule = "mod ";
constexpr std::string_view kGuess = "mod? ";
constexpr std::string_view kRootFolders[] = {"tests", "benches", "examples", "bin"};
constexpr std::string_view kLibraries[] = {"std", "core", "alloc", "proc_macro", "test"};

std::string_view stem_of(std::string_view file) {
  std::string_view name = file_name(file);
  if (name.ends_with(".rs")) name.remove_suffix(3);
  return name;
}

bool owns_folder(std::string_view stem) { return stem == "mod" || stem == "lib" || stem == "main"; }

// The string in quotes behind `key` and "=" in a line or inline table.
std::string_view value_in(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at > 0 && std::string_view(" \t{,").find(text[at - 1]) == std::string_view::npos) continue;
    std::string_view rest = trim(text.substr(at + key.size()));
    if (!rest.starts_with('=')) continue;
    rest = trim(rest.substr(1));
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) continue;
    const std::size_t end = rest.find(rest.front(), 1);
    return end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
  }
  return {};
}

// A file of another name may be a crate: tests/a.rs, src/bin/b.rs.
bool may_be_crate(std::string_view file) {
  return std::ranges::find(kRootFolders, file_name(folder_of(file))) != std::end(kRootFolders) ||
         stem_of(file) == "build";
}

// Whether a file says `mod name`.
bool declares(const parse::FileFacts& facts, std::string_view name) {
  return std::ranges::any_of(facts.imports, [&](const parse::Import& import) {
    const auto module = rust_module_name(import.path);
    return module && module->name == name;
  });
}

}  // namespace

std::string rust_crate(std::string_view name) {
  std::string crate(name);
  std::ranges::replace(crate, '-', '_');
  return crate;
}

std::optional<RustLibrary> rust_library_of(std::string_view folder, std::string_view manifest) {
  std::string package;
  std::string name;
  std::string file = "src/lib.rs";
  std::string_view section;
  for (std::size_t at = 0; at < manifest.size();) {
    const std::size_t end = std::min(manifest.find('\n', at), manifest.size());
    const std::string_view line = trim(manifest.substr(at, end - at));
    at = end + 1;
    if (line.starts_with('[')) {
      section = line;
    } else if (section == "[package]" && package.empty()) {
      package = value_in(line, "name");
    } else if (section == "[lib]") {
      if (const auto value = value_in(line, "name"); !value.empty()) name = value;
      if (const auto value = value_in(line, "path"); !value.empty()) file = value;
    }
  }
  if (package.empty()) return std::nullopt;
  const auto path = join_path(folder, file);
  if (!path) return std::nullopt;
  return RustLibrary{name.empty() ? rust_crate(package) : name, *path};
}

std::vector<std::string_view> rust_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find("::"), path.size());
    if (end > 0) parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 2, path.size()));
  }
  return parts;
}

std::optional<RustModuleName> rust_module_name(std::string_view import_path) {
  if (import_path.starts_with(kGuess)) {
    return RustModuleName{import_path.substr(kGuess.size()), {}, /*is_guess=*/true};
  }
  if (!import_path.starts_with(kModule)) return std::nullopt;
  std::string_view name = import_path.substr(kModule.size());
  const std::size_t sign = name.find(" = ");
  if (sign == std::string_view::npos) return RustModuleName{name, {}, false};
  return RustModuleName{name.substr(0, sign), name.substr(sign + 3), false};
}

std::string rust_module_folder(std::string_view file) {
  const std::string_view folder = folder_of(file);
  const std::string_view stem = stem_of(file);
  if (owns_folder(stem)) return std::string(folder);
  return in_folder(folder, stem);
}

std::vector<std::string_view> rust_inner_modules(const parse::FileFacts& facts,
                                                 std::uint32_t scope) {
  std::vector<std::string_view> names;
  for (; scope < facts.scopes.size(); scope = facts.scopes[scope].parent) {
    const parse::Scope& at = facts.scopes[scope];
    if (at.kind == parse::ScopeKind::kNamespace && at.symbol != kNoIndex) {
      names.insert(names.begin(), facts.symbols[at.symbol].name);
    }
  }
  return names;
}

RustModuleFinder::RustModuleFinder(ProjectTree& tree) : tree_(tree) {
  for (const std::string_view path : tree.list_configs("Cargo.toml")) read_manifest(path);
  for (Package& package : packages_) {
    for (auto& [name, dependency] : package.dependencies) {
      const auto shared = shared_.find(name);
      if (shared == shared_.end() || !dependency.version.empty()) continue;
      dependency.version = shared->second.version;
      if (dependency.package == name || rust_crate(dependency.package) == name) {
        dependency.package = shared->second.package;
      }
    }
  }
}

void RustModuleFinder::read_manifest(std::string_view path) {
  const auto text = tree_.read(path);
  if (!text) return;
  Package package;
  package.folder = folder_of(path);
  std::string library;
  std::string section;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::string_view line = trim(std::string_view(*text).substr(at, end - at));
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      section = line.substr(0, line.find(']'));
      section.erase(0, section.find_first_not_of('['));
      const std::size_t of = section.find("dependencies.");
      if (of != std::string::npos && (of == 0 || section.find("workspace.") != 0)) {
        const std::string name = section.substr(of + 13);
        package.dependencies.try_emplace(rust_crate(name), Dependency{name, {}});
      }
      continue;
    }
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos) continue;
    std::string_view key = trim(line.substr(0, sign));
    if (key.size() > 1 && key.front() == '"') key = key.substr(1, key.size() - 2);
    if (section == "package" && key == "name") {
      package.name = value_in(line, "name");
    } else if (section == "lib" && key == "name") {
      package.crate = value_in(line, "name");
    } else if (section == "lib" && key == "path") {
      library = value_in(line, "path");
    } else if (section.ends_with("dependencies")) {
      const bool is_inherited = key.ends_with(".workspace");
      if (is_inherited) key.remove_suffix(10);
      const std::size_t dot = key.find('.');
      if (dot != std::string_view::npos) key = key.substr(0, dot);
      Dependency dependency{std::string(key), {}};
      const std::string_view rest = trim(line.substr(sign + 1));
      if (!rest.empty() && rest.front() == '"') {
        dependency.version = rest.substr(1, rest.find('"', 1) - 1);
      } else {
        dependency.version = value_in(rest, "version");
        if (const std::string_view named = value_in(rest, "package"); !named.empty()) {
          dependency.package = named;
        }
      }
      auto& table = section.starts_with("workspace.") ? shared_ : package.dependencies;
      table.try_emplace(rust_crate(key), std::move(dependency));
    } else if (const std::size_t of = section.rfind("dependencies."); of != std::string::npos) {
      Dependency& dependency = package.dependencies[rust_crate(section.substr(of + 13))];
      if (key == "version") dependency.version = value_in(line, "version");
      if (key == "package") dependency.package = value_in(line, "package");
    }
  }
  if (package.name.empty()) return;
  if (package.crate.empty()) package.crate = rust_crate(package.name);
  const auto file = join_path(package.folder, library.empty() ? "src/lib.rs" : library);
  if (file && tree_.find(*file) != nullptr) package.library = *file;
  packages_.push_back(std::move(package));
}

// The package of a file: the package of the nearest manifest above it.
const RustModuleFinder::Package* RustModuleFinder::package_of(std::string_view path) const {
  const Package* best = nullptr;
  for (const Package& package : packages_) {
    const bool is_in = package.folder.empty() ||
                       (path.size() > package.folder.size() && path.starts_with(package.folder) &&
                        path[package.folder.size()] == '/');
    if (is_in && (best == nullptr || package.folder.size() > best->folder.size())) best = &package;
  }
  return best;
}

const ProjectFile* RustModuleFinder::in_folder_of(std::string_view folder,
                                                  std::string_view name) const {
  if (name.starts_with("r#")) name.remove_prefix(2);
  const std::string below = in_folder(folder, name);
  if (const ProjectFile* file = tree_.find(below + ".rs")) return file;
  return tree_.find(below + "/mod.rs");
}

// The file of module `name` in the module of `file`.
const ProjectFile* RustModuleFinder::child(std::string_view file, std::string_view name) const {
  if (const ProjectFile* found = in_folder_of(rust_module_folder(file), name)) return found;
  const ProjectFile* found = may_be_crate(file) ? in_folder_of(folder_of(file), name) : nullptr;
  return found == nullptr || found->path == file ? nullptr : found;
}

// The file of the module around `file`'s module; nullptr for a crate.
const ProjectFile* RustModuleFinder::parent(std::string_view file) const {
  const std::string_view stem = stem_of(file);
  if (stem == "lib" || stem == "main") return nullptr;
  const std::string_view folder = stem == "mod" ? folder_of(folder_of(file)) : folder_of(file);
  const auto in = [&](std::string_view name) { return tree_.find(in_folder(folder, name)); };
  if (const ProjectFile* found = in("mod.rs")) return found;
  if (!folder.empty()) {
    if (const ProjectFile* found = tree_.find(std::string(folder) + ".rs")) return found;
  }
  if (std::ranges::find(kRootFolders, file_name(folder)) != std::end(kRootFolders)) return nullptr;
  // Folders without a file of their own are blocks in a file above.
  for (std::string_view above = folder;; above = folder_of(above)) {
    for (const std::string_view name : {"lib.rs", "main.rs", "mod.rs"}) {
      if (const ProjectFile* found = tree_.find(in_folder(above, name))) return found;
    }
    if (above.empty() || file_name(above) == "src") return nullptr;
  }
}

// Whether `name` is a package of the tree that the one of `source` depends on, or it itself.
bool RustModuleFinder::names_package(std::string_view source, std::string_view name) const {
  const Package* own = package_of(source);
  if (own == nullptr) return false;
  return own->dependencies.contains(name) || (own->crate == name && own->library != source);
}

const ProjectFile* RustModuleFinder::root(std::string_view file) const {
  const ProjectFile* at = tree_.find(file);
  for (int steps = 0; steps < 64 && at != nullptr; ++steps) {
    const ProjectFile* above = parent(at->path);
    if (above == nullptr || above == at) break;
    at = above;
  }
  return at;
}

ResolvedImport RustModuleFinder::resolve(std::string_view source, const parse::FileFacts& facts,
                                         const parse::Import& import) {
  ResolvedImport resolved;
  resolved.symbols = imported_names(facts, import);
  const auto leads_to = [&](const ProjectFile* file) {
    if (file != nullptr && file->path != source) {
      resolved.targets.push_back({file->id, file->path, "", resolved.symbols});
    }
    return resolved;
  };
  std::vector<std::string_view> inner = rust_inner_modules(facts, import.scope);
  const auto inner_folder = [&] {
    std::string folder =
        may_be_crate(source) ? std::string(folder_of(source)) : rust_module_folder(source);
    for (const std::string_view name : inner) folder = in_folder(folder, name);
    return folder;
  };
  if (const auto named = rust_module_name(import.path)) {
    resolved.is_guess = named->is_guess;
    if (!named->path.empty()) {
      const auto path =
          join_path(inner.empty() ? std::string(folder_of(source)) : inner_folder(), named->path);
      return leads_to(path ? tree_.find(*path) : nullptr);
    }
    if (inner.empty()) return leads_to(child(source, named->name));
    return leads_to(in_folder_of(inner_folder(), named->name));
  }
  std::vector<std::string_view> parts = rust_path(import.path);
  if (parts.empty()) return resolved;
  const bool is_global = import.path.starts_with("::");
  const ProjectFile* at = tree_.find(source);
  std::size_t next = 1;
  const std::string_view first = parts.front();
  if (first == "crate" || first == "$crate") {
    at = root(source);
    inner.clear();
  } else if (first == "self" || first == "super" || first == "Self") {
    next = 0;
    for (; next < parts.size() && (parts[next] == "self" || parts[next] == "super"); ++next) {
      if (parts[next] == "self") continue;
      if (!inner.empty()) {
        inner.pop_back();
      } else {
        at = at == nullptr ? nullptr : parent(at->path);
      }
    }
  } else {
    const ProjectFile* below = nullptr;
    if (!is_global && (declares(facts, first) || !names_package(source, first))) {
      below = inner.empty() ? child(source, first) : in_folder_of(inner_folder(), first);
    }
    if (below != nullptr) {
      at = below;
      inner.clear();
    } else {
      const Package* own = package_of(source);
      std::string_view wanted = first;
      std::string version;
      std::string package_name(first);
      if (own != nullptr) {
        const auto known = own->dependencies.find(first);
        if (known != own->dependencies.end()) {
          package_name = known->second.package;
          version = known->second.version;
        }
      }
      const std::string crate = rust_crate(package_name);
      const Package* found = nullptr;
      for (const Package& package : packages_) {
        if (package.library.empty()) continue;
        if (package.crate != wanted && rust_crate(package.name) != crate) continue;
        if (found == nullptr || &package == own) found = &package;
      }
      if (found == nullptr || (found == own && found->library == source)) {
        const bool is_library = std::ranges::find(kLibraries, first) != std::end(kLibraries);
        const bool is_known =
            is_library || !version.empty() || (own != nullptr && own->dependencies.contains(first));
        // A name of the module itself, or a crate of which nothing is known.
        const bool is_type = first.front() >= 'A' && first.front() <= 'Z';
        if (!is_known && (own != nullptr || is_type)) return resolved;
        resolved.is_external = true;
        resolved.package = version.empty() ? package_name : package_name + "@" + version;
        return resolved;
      }
      at = tree_.find(found->library);
      inner.clear();
    }
  }
  if (at == nullptr) return resolved;
  if (!inner.empty()) return leads_to(at);
  // Folders without a file of their own are blocks: their modules are below them.
  std::string folder;
  for (int blocks = 0; next < parts.size() && blocks < 3; ++next) {
    const ProjectFile* below =
        blocks == 0 ? child(at->path, parts[next]) : in_folder_of(folder, parts[next]);
    if (below == nullptr) {
      if (blocks == 0) folder = rust_module_folder(at->path);
      folder = in_folder(folder, parts[next]);
      ++blocks;
      continue;
    }
    at = below;
    blocks = 0;
  }
  return leads_to(at);
}

}  // namespace codexmem::graph
