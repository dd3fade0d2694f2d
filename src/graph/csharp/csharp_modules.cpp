// Resolves the usings of C# to files. A namespace is the folder with most of the files that declare
// it; `using static` and aliases name a type, which is in the file that declares it. Without known
// declarations paths decide: a namespace usually is the folder's path with dots, perhaps below the
// root namespace of a project, and a type is in a file of its name.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/path.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"
#include "graph/csharp/csharp_projects.h"
#include "graph/csharp/csharp_semantics.h"
#include "graph/imports/packages.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kLibraryNamespace = "System";

class CSharpModuleFinder final : public ModuleFinder {
 public:
  explicit CSharpModuleFinder(ProjectTree& tree)
      : tree_(tree), family_(family_of("csharp")), projects_(tree) {
    for (const ProjectFile& file : tree.files()) {
      if (file.family != family_) continue;
      files_[std::string(file_name(file.path))].push_back(&file);
      ++counts_[folder_of(file.path)];
      const auto [at, is_new] = folders_.emplace(folder_of(file.path), &file);
      if (!is_new) continue;
      std::string dotted(at->first);
      std::ranges::replace(dotted, '/', '.');
      const std::string last = dotted.substr(dotted.rfind('.') + 1);
      by_last_[last].push_back({std::move(dotted), at->first});
    }
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    std::string path = import.path.substr(0, import.path.find('<'));
    if (resolve_declared(facts, import, path, resolved)) return resolved;
    if (std::string_view folder = find_folder(source, path); !folder.empty()) {
      const ProjectFile* file = folders_.find(folder)->second;
      resolved.targets.push_back({file->id, file->path, package_key(folder), resolved.symbols});
      return resolved;
    }
    // A type, or a type in one.
    for (std::string type = path; !type.empty();) {
      if (const ProjectFile* file = find_type(source, type)) {
        resolved.targets.push_back({file->id, file->path, "", resolved.symbols});
        return resolved;
      }
      const std::size_t dot = type.rfind('.');
      if (dot == std::string::npos) break;
      type.resize(dot);
    }
    // A namespace of a project that has no folder of its own.
    const std::string* longest = nullptr;
    std::string_view around;
    for (const auto& [root, folder] : projects_.roots()) {
      const bool is_around = path.starts_with(root) &&
                             (path.size() == root.size() || path[root.size()] == '.') &&
                             (longest == nullptr || root.size() > longest->size());
      if (!is_around) continue;
      longest = &root;
      around = folder;
    }
    if (longest != nullptr) {
      if (const auto found = folders_.find(around); found != folders_.end()) {
        resolved.targets.push_back(
            {found->second->id, found->second->path, package_key(found->first), resolved.symbols});
      }
      return resolved;
    }
    resolved.is_external = true;
    resolved.package = projects_.package_of(source, path);
    if (resolved.package.empty()) resolved.package = path;
    return resolved;
  }

 private:
  struct Dotted {
    std::string path;
    std::string_view folder;
  };

  // By what files declare: a name in a namespace may leave out what that begins with.
  bool resolve_declared(const parse::FileFacts& facts, const parse::Import& import,
                        const std::string& path, ResolvedImport& resolved) {
    // A file that adds to the library's own namespace makes nobody else a user of it.
    if (path == kLibraryNamespace) return false;
    std::string around;
    if (import.scope < facts.scopes.size()) {
      const std::uint32_t symbol = facts.scopes[import.scope].symbol;
      if (symbol < facts.symbols.size()) around = facts.symbols[symbol].qualified_name;
    }
    for (bool is_last = false; !is_last;) {
      is_last = around.empty();
      const auto found = tree_.declarations_at(is_last ? path : around + "." + path, family_);
      if (!found.empty()) {
        resolved.targets.push_back(target_of(found, resolved.symbols));
        return true;
      }
      const std::size_t dot = around.rfind('.');
      around.resize(dot == std::string::npos ? 0 : dot);
    }
    return false;
  }

  // The folder with most files of a namespace, the first of those with as many; else the file of a
  // type.
  static ImportTarget target_of(const std::vector<ProjectTree::Declared>& found,
                                const std::vector<std::string>& symbols) {
    std::map<std::string_view, std::size_t> counts;
    for (const ProjectTree::Declared& declared : found) {
      if (declared.declaration.kind == "namespace") ++counts[folder_of(declared.file->path)];
    }
    const ProjectFile* file = found.front().file;
    if (counts.empty()) return {file->id, file->path, "", symbols};
    std::string_view best = counts.begin()->first;
    for (const auto& [folder, count] : counts) {
      if (count > counts[best]) best = folder;
    }
    for (const ProjectTree::Declared& declared : found) {
      if (folder_of(declared.file->path) != best) continue;
      file = declared.file;
      break;
    }
    return {file->id, file->path, package_key(best), symbols};
  }

  // The folder of namespace `path`, nearest to `source`; empty without one.
  std::string_view find_folder(std::string_view source, std::string_view path) const {
    // One that is called so, the nearest, of equal ones that with most files.
    std::string_view best;
    std::tuple<bool, std::size_t, std::size_t> rank;
    const std::string_view last = path.substr(path.rfind('.') + 1);
    const auto take = [&](std::string_view folder) {
      const std::tuple<bool, std::size_t, std::size_t> own = {
          folder.ends_with(last), shared_folders(std::string(folder) + "/", source),
          counts_.find(folder)->second};
      if (!best.empty() && own <= rank) return;
      best = folder;
      rank = own;
    };
    for (const auto& [root, folder] : projects_.roots()) {
      if (!path.starts_with(root)) continue;
      std::string_view rest = path.substr(root.size());
      if (!rest.empty() && rest.front() != '.') continue;
      std::string inner = folder;
      for (const char c : rest) inner += c == '.' ? '/' : c;
      if (inner.starts_with('/')) inner.erase(0, 1);
      if (const auto found = folders_.find(inner); found != folders_.end()) take(found->first);
    }
    if (!best.empty()) return best;
    const auto named = by_last_.find(std::string(path.substr(path.rfind('.') + 1)));
    if (named == by_last_.end()) return {};
    for (const Dotted& at : named->second) {
      const bool ends_so =
          at.path.ends_with(path) &&
          (at.path.size() == path.size() || at.path[at.path.size() - path.size() - 1] == '.');
      if (ends_so) take(at.folder);
    }
    return best;
  }

  const ProjectFile* find_type(std::string_view source, std::string_view type) const {
    const std::size_t dot = type.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    const auto named = files_.find(std::string(type.substr(dot + 1)) + ".cs");
    if (named == files_.end()) return nullptr;
    const std::string_view folder = find_folder(source, type.substr(0, dot));
    for (const ProjectFile* file : named->second) {
      if (folder_of(file->path) == folder) return file;
    }
    return named->second.size() == 1 && !folder.empty() ? named->second.front() : nullptr;
  }

  ProjectTree& tree_;
  const parse::Family family_;
  CSharpProjects projects_;
  std::map<std::string, std::vector<const ProjectFile*>, std::less<>> files_;  // by base name
  std::map<std::string_view, const ProjectFile*> folders_;  // with the first file of each
  std::map<std::string_view, std::size_t> counts_;          // files of each
  std::unordered_map<std::string, std::vector<Dotted>> by_last_;
};

}  // namespace

std::unique_ptr<ModuleFinder> CSharpSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<CSharpModuleFinder>(tree);
}

}  // namespace codexmem::graph
