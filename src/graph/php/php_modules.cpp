// Which files imports of PHP mean. A class is where autoloading looks for it, else in the file that
// is called like it, in folders that are called like its namespace; what `use function` names is in
// the file that composer.json loads for its namespace.
#include <algorithm>
#include <map>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"
#include "graph/php/php_composer.h"
#include "graph/php/php_library.h"
#include "graph/php/php_semantics.h"

namespace codexmem::graph {
namespace {

class PhpModuleFinder final : public ModuleFinder {
 public:
  explicit PhpModuleFinder(ProjectTree& tree) : tree_(tree), composer_(tree) {
    const parse::Family family = family_of("php");
    for (const ProjectFile& file : tree.files()) {
      if (file.family == family) files_[std::string(file_stem(file.path))].push_back(&file);
    }
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    const ProjectFile* found = nullptr;
    if (import.kind == parse::ImportKind::kInclude) {
      found = find_included(source, import.path);
    } else if (import.from_import) {
      const std::size_t end = import.path.rfind('\\');
      if (end != std::string::npos) found = composer_.find_functions(import.path.substr(0, end));
    } else {
      found = composer_.find_class(source, import.path);
      if (found == nullptr) found = find_named(source, import.path);
    }
    if (found != nullptr) {
      resolved.targets.push_back({found->id, found->path, "", resolved.symbols});
      return resolved;
    }
    if (import.kind == parse::ImportKind::kInclude || composer_.owns(import.path)) return resolved;
    resolved.is_external = true;
    resolved.package = composer_.package_of(source, import.path);
    const bool is_global = import.path.find('\\') == std::string::npos;
    if (resolved.package.empty()) resolved.package = is_global ? "php" : import.path;
    return resolved;
  }

 private:
  // A path as written, relative to the folder of the file or to the root; a leading "/" follows
  // __DIR__.
  const ProjectFile* find_included(std::string_view source, std::string_view path) const {
    while (path.starts_with('/')) path.remove_prefix(1);
    for (const std::string_view folder : {folder_of(source), std::string_view()}) {
      if (const auto joined = join_path(folder, path)) {
        if (const ProjectFile* found = tree_.find(*joined)) return found;
      }
    }
    return nullptr;
  }

  // A file called like the class, whose folders end like the namespace; one folder at least.
  const ProjectFile* find_named(std::string_view source, std::string_view path) const {
    const std::size_t last = path.rfind('\\');
    const auto named = files_.find(path.substr(last == std::string_view::npos ? 0 : last + 1));
    if (named == files_.end()) return nullptr;
    const ProjectFile* best = nullptr;
    std::pair<std::size_t, std::size_t> rank;
    for (const ProjectFile* file : named->second) {
      std::string_view folder = folder_of(file->path);
      std::string_view space =
          last == std::string_view::npos ? std::string_view() : path.substr(0, last);
      std::size_t same = 0;
      while (!space.empty() && !folder.empty()) {
        const std::size_t cut = space.rfind('\\') + 1;
        if (to_lower_ascii(space.substr(cut)) != to_lower_ascii(file_name(folder))) break;
        ++same;
        space = space.substr(0, cut == 0 ? 0 : cut - 1);
        folder = folder_of(folder);
      }
      if (same == 0 && last != std::string_view::npos) continue;
      const std::pair<std::size_t, std::size_t> own = {same, shared_folders(file->path, source)};
      if (best != nullptr && own <= rank) continue;
      best = file;
      rank = own;
    }
    // One folder of several says little where the class is a package's.
    const auto depth = static_cast<std::size_t>(std::ranges::count(path, '\\'));
    const bool is_sure = best != nullptr && (rank.first == depth || rank.first > 1);
    return is_sure ? best : nullptr;
  }

  ProjectTree& tree_;
  ComposerFiles composer_;
  std::map<std::string, std::vector<const ProjectFile*>, std::less<>> files_;  // by stem
};

}  // namespace

std::unique_ptr<ModuleFinder> PhpSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<PhpModuleFinder>(tree);
}

}  // namespace codexmem::graph
