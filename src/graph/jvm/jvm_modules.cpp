// A class is in the file with a path that ends with its package's folders and its name, in any
// source root; of several files the nearest to the importer is taken. Imports of Kotlin are looked
// up in the declarations of files, since a file may have any name and declare any part of a
// package; `a.b.*` means the package's folder. Folders may omit a prefix that all packages share,
// as the importer's own path shows.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/path.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"
#include "graph/jvm/jvm_artifacts.h"
#include "graph/jvm/jvm_semantics.h"
#include "graph/imports/packages.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kExtensions[] = {".java", ".kt"};
constexpr std::string_view kJdk[] = {"kotlin.", "java.",    "javax.",       "jdk.",
                                     "sun.",    "com.sun.", "org.w3c.dom.", "org.xml.sax."};

constexpr std::size_t kMaxSteps = 3;  // from a member to the types around it

class JvmModuleFinder final : public ModuleFinder {
 public:
  explicit JvmModuleFinder(ProjectTree& tree) : tree_(tree), artifacts_(tree) {
    const parse::Family families[] = {family_of("java"), family_of("kotlin")};
    for (const ProjectFile& file : tree.files()) {
      if (file.family != families[0] && file.family != families[1]) continue;
      files_[file_name(file.path)].push_back(&file);
      const std::string_view folder = folder_of(file.path);
      Folder& at = folders_[folder];
      if (at.first == nullptr) {
        at.first = &file;
        by_last_[file_name(folder)].push_back(folder);
      }
      ++at.count;
    }
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    const bool is_kotlin = source.ends_with(".kt") || source.ends_with(".kts");
    if (is_kotlin && resolve_declared(source, import.path, resolved)) return resolved;
    std::string path = import.path;
    const bool takes_all = path.ends_with(".*");
    if (takes_all) {
      path.resize(path.size() - 2);
    } else if (import.from_import) {
      path.resize(std::min(path.rfind('.'), path.size()));
    }
    std::ranges::replace(path, '.', '/');
    if (resolve_path(source, path, takes_all, is_kotlin, resolved)) return resolved;
    if (const std::string shorter = shortened(source, facts.package, path);
        !shorter.empty() && resolve_path(source, shorter, takes_all, is_kotlin, resolved)) {
      return resolved;
    }
    if (!is_kotlin && resolve_declared(source, import.path, resolved)) return resolved;
    const bool is_jdk = std::ranges::any_of(
        kJdk, [&](std::string_view prefix) { return import.path.starts_with(prefix); });
    if (!is_jdk && is_of_repository(source, path)) return resolved;
    resolved.is_external = true;
    if (!is_jdk) resolved.package = artifacts_.find(source, import.path);
    if (resolved.package.empty()) resolved.package = import.path;
    return resolved;
  }

 private:
  struct Folder {
    const ProjectFile* first = nullptr;
    std::size_t count = 0;  // of files
  };

  // What `path` is without the beginning that the folders of the importer leave out of its package.
  static std::string shortened(std::string_view source, std::string_view package,
                               std::string_view path) {
    std::string own(package);
    std::ranges::replace(own, '.', '/');
    const std::string_view folder = folder_of(source);
    std::size_t cut = 0;  // of the package
    while (cut < own.size() && !ends_with_path(folder, std::string_view(own).substr(cut))) {
      const std::size_t slash = own.find('/', cut);
      cut = slash == std::string::npos ? own.size() : slash + 1;
    }
    if (cut == 0 || own.empty()) return {};
    const std::string_view beginning = std::string_view(own).substr(0, cut);
    const std::string with_slash = std::string(beginning) + (beginning.ends_with('/') ? "" : "/");
    if (!path.starts_with(with_slash)) return {};
    return std::string(path.substr(with_slash.size()));
  }

  // The files that declare `path`, or what it is a member of: those that are as near as any, since
  // functions of one name may be in several, as may declarations of one for several platforms.
  bool resolve_declared(std::string_view source, std::string_view path, ResolvedImport& resolved) {
    if (path.ends_with(".*")) path.remove_suffix(2);
    for (std::size_t steps = 0; steps < kMaxSteps && path.find('.') != std::string_view::npos;
         ++steps) {
      std::vector<const ProjectFile*> found;
      std::size_t nearest = 0;
      for (const ProjectTree::Declared& declared :
           tree_.declarations(path.substr(path.rfind('.') + 1))) {
        if (!is_at(declared, path)) continue;
        const std::size_t shared = shared_folders(declared.file->path, source);
        if (!found.empty() && (shared < nearest || declared.file == found.back())) continue;
        if (shared > nearest) found.clear();
        nearest = shared;
        found.push_back(declared.file);
      }
      for (const ProjectFile* file : found) {
        resolved.targets.push_back({file->id, file->path, "", resolved.symbols});
      }
      if (!found.empty()) return true;
      path = path.substr(0, path.rfind('.'));
    }
    return false;
  }

  bool is_at(const ProjectTree::Declared& declared, std::string_view path) {
    const Declaration& declaration = declared.declaration;
    std::string_view around = path.substr(0, path.rfind('.'));
    // (The container of an extension is what it extends.)
    const bool is_extension = declaration.kind == "extension";
    if (is_extension && declaration.is_inner) return false;
    if (!is_extension && !declaration.container.empty()) {
      if (around.size() <= declaration.container.size() ||
          !around.ends_with(declaration.container) ||
          around[around.size() - declaration.container.size() - 1] != '.') {
        return false;
      }
      around.remove_suffix(declaration.container.size() + 1);
    }
    return tree_.package_of(*declared.file) == around;
  }

  bool resolve_path(std::string_view source, const std::string& path, bool takes_all,
                    bool is_kotlin, ResolvedImport& resolved) const {
    // A type in a type is in the outer one's file.
    for (std::string type = path; !type.empty();) {
      if (const ProjectFile* file = find_type(source, type)) {
        resolved.targets.push_back({file->id, file->path, "", resolved.symbols});
        return true;
      }
      const std::size_t slash = type.rfind('/');
      if (slash == std::string::npos) break;
      type.resize(slash);
    }
    std::string package = path;
    if (!takes_all) {
      if (!is_kotlin) return false;
      package.resize(std::min(package.rfind('/'), package.size()));
      if (package == path) return false;
    }
    const std::string_view folder = find_folder(source, package, /*wants_most=*/is_kotlin);
    if (folder.empty()) return false;
    const ProjectFile* file = folders_.at(folder).first;
    resolved.targets.push_back({file->id, file->path,
                                is_kotlin ? package_key(folder) : std::string(folder),
                                resolved.symbols});
    return true;
  }

  const ProjectFile* find_type(std::string_view source, std::string_view type) const {
    const ProjectFile* best = nullptr;
    std::size_t nearest = 0;
    for (const std::string_view extension : kExtensions) {
      const std::string ending = std::string(type) + std::string(extension);
      const auto named = files_.find(file_name(ending));
      if (named == files_.end()) continue;
      for (const ProjectFile* file : named->second) {
        if (!ends_with_path(file->path, ending)) continue;
        const std::size_t shared = shared_folders(file->path, source);
        if (best != nullptr && shared <= nearest) continue;
        best = file;
        nearest = shared;
      }
    }
    return best;
  }

  // The folder of a package that is nearest, or has most files.
  std::string_view find_folder(std::string_view source, std::string_view path,
                               bool wants_most = false) const {
    const auto named = by_last_.find(file_name(path));
    if (named == by_last_.end()) return {};
    std::string_view best;
    std::size_t nearest = 0;
    for (const std::string_view folder : named->second) {
      if (!ends_with_path(folder, path)) continue;
      const std::size_t rank = wants_most ? folders_.at(folder).count
                                          : shared_folders(std::string(folder) + "/", source);
      if (!best.empty() && rank <= nearest) continue;
      best = folder;
      nearest = rank;
    }
    return best;
  }

  // True if the repository has files in the package that a name begins with: a name not found there
  // is missing.
  bool is_of_repository(std::string_view source, std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    return slash != std::string_view::npos && path.find('/') != slash &&
           !find_folder(source, path.substr(0, slash)).empty();
  }

  ProjectTree& tree_;
  JvmArtifacts artifacts_;
  std::unordered_map<std::string_view, std::vector<const ProjectFile*>> files_;  // by base name
  std::map<std::string_view, Folder> folders_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> by_last_;
};

}  // namespace

std::unique_ptr<ModuleFinder> JvmSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<JvmModuleFinder>(tree);
}

}  // namespace codexmem::graph
