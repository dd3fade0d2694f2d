// Which files imports of Java mean: a class is a file whose path ends with its package's folders
// and its name, in whatever source root; of several the one that lies nearest to the importer.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/path.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"
#include "graph/java/java_artifacts.h"
#include "graph/java/java_semantics.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kJdk[] = {"java.",    "javax.",       "jdk.",        "sun.",
                                     "com.sun.", "org.w3c.dom.", "org.xml.sax."};

class JavaModuleFinder final : public ModuleFinder {
 public:
  explicit JavaModuleFinder(ProjectTree& tree) : artifacts_(tree) {
    const parse::Family family = family_of("java");
    for (const ProjectFile& file : tree.files()) {
      if (file.family != family) continue;
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
    // A type in a type is in the outer one's file.
    for (std::string type = path; !type.empty();) {
      if (const ProjectFile* file = find_type(source, type)) {
        resolved.targets.push_back({file->id, file->path, "", resolved.symbols});
        return resolved;
      }
      const std::size_t slash = type.rfind('/');
      if (slash == std::string::npos) break;
      type.resize(slash);
    }
    if (takes_all) {
      const std::string_view folder = find_folder(source, path);
      if (!folder.empty()) {
        const ProjectFile* file = folders_.at(folder);
        resolved.targets.push_back({file->id, file->path, std::string(folder), resolved.symbols});
        return resolved;
      }
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
  const ProjectFile* find_type(std::string_view source, std::string_view type) const {
    const std::string ending = std::string(type) + ".java";
    const auto named = files_.find(file_name(ending));
    if (named == files_.end()) return nullptr;
    const ProjectFile* best = nullptr;
    std::size_t nearest = 0;
    for (const ProjectFile* file : named->second) {
      if (!ends_with_path(file->path, ending)) continue;
      const std::size_t shared = shared_folders(file->path, source);
      if (best != nullptr && shared <= nearest) continue;
      best = file;
      nearest = shared;
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

  JavaArtifacts artifacts_;
  std::unordered_map<std::string_view, std::vector<const ProjectFile*>> files_;  // by base name
  std::map<std::string_view, const ProjectFile*> folders_;  // with the first file of each
  std::unordered_map<std::string_view, std::vector<std::string_view>> by_last_;
};

}  // namespace

std::unique_ptr<ModuleFinder> JavaSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<JavaModuleFinder>(tree);
}

}  // namespace codexmem::graph
