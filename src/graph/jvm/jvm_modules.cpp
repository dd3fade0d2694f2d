// A class is a file whose path ends with its package's folders and its name, in whatever source
// root; of several the one that lies nearest to the importer. What a package of Kotlin has besides
// may be in any file of its folder: the import leads to the folder. Folders may leave out what all
// packages begin with, as those of the importer show.
#include "graph/jvm/jvm_modules.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/path.h"
#include "graph/core/language_semantics.h"
#include "graph/jvm/jvm_artifacts.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kExtensions[] = {".java", ".kt"};
constexpr std::string_view kJdk[] = {"kotlin.", "java.",    "javax.",       "jdk.",
                                     "sun.",    "com.sun.", "org.w3c.dom.", "org.xml.sax."};

class JvmModuleFinder final : public ModuleFinder {
 public:
  explicit JvmModuleFinder(ProjectTree& tree) : artifacts_(tree) {
    const parse::Family families[] = {family_of("java"), family_of("kotlin")};
    for (const ProjectFile& file : tree.files()) {
      if (file.family != families[0] && file.family != families[1]) continue;
      files_[file_name(file.path)].push_back(&file);
      const std::string_view folder = folder_of(file.path);
      auto& members = folders_[folder];
      if (members == nullptr) {
        members = &file;
        by_last_[file_name(folder)].push_back(folder);
      }
    }
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    std::string path = import.path;
    const bool takes_all = path.ends_with(".*");
    if (takes_all) {
      path.resize(path.size() - 2);
    } else if (import.from_import) {
      path.resize(std::min(path.rfind('.'), path.size()));
    }
    std::ranges::replace(path, '.', '/');
    const bool is_kotlin = source.ends_with(".kt") || source.ends_with(".kts");
    if (resolve_path(source, path, takes_all, is_kotlin, resolved)) return resolved;
    if (const std::string shorter = shortened(source, facts.package, path);
        !shorter.empty() && resolve_path(source, shorter, takes_all, is_kotlin, resolved)) {
      return resolved;
    }
    const bool is_jdk = std::ranges::any_of(
        kJdk, [&](std::string_view prefix) { return import.path.starts_with(prefix); });
    if (!is_jdk && is_of_repository(source, path)) return resolved;
    resolved.is_external = true;
    if (!is_jdk) resolved.package = artifacts_.find(source, import.path);
    if (resolved.package.empty()) resolved.package = import.path;
    return resolved;
  }

 private:
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
    const std::string_view folder = find_folder(source, package);
    if (folder.empty()) return false;
    const ProjectFile* file = folders_.at(folder);
    resolved.targets.push_back({file->id, file->path, std::string(folder), resolved.symbols});
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

  std::string_view find_folder(std::string_view source, std::string_view path) const {
    const auto named = by_last_.find(file_name(path));
    if (named == by_last_.end()) return {};
    std::string_view best;
    std::size_t nearest = 0;
    for (const std::string_view folder : named->second) {
      if (!ends_with_path(folder, path)) continue;
      const std::size_t shared = shared_folders(std::string(folder) + "/", source);
      if (!best.empty() && shared <= nearest) continue;
      best = folder;
      nearest = shared;
    }
    return best;
  }

  // True if files of the repository lie in the package that a name begins with: what is not found
  // there is missing.
  bool is_of_repository(std::string_view source, std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    return slash != std::string_view::npos && path.find('/') != slash &&
           !find_folder(source, path.substr(0, slash)).empty();
  }

  JvmArtifacts artifacts_;
  std::unordered_map<std::string_view, std::vector<const ProjectFile*>> files_;  // by base name
  std::map<std::string_view, const ProjectFile*> folders_;  // with the first file of each
  std::unordered_map<std::string_view, std::vector<std::string_view>> by_last_;
};

}  // namespace

std::unique_ptr<ModuleFinder> make_jvm_module_finder(ProjectTree& tree) {
  return std::make_unique<JvmModuleFinder>(tree);
}

}  // namespace codexmem::graph
