// Resolves the imports of Elixir to files. A module `Acme.UserStore` usually is in a file with a
// path that ends with `acme/user_store.ex`, a nested module in the file of its outer module. Some
// folders are not part of module names (`controllers`), so a file with the right name and first
// folder counts as well.
#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ascii.h"
#include "base/path.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"
#include "graph/elixir/elixir_semantics.h"

namespace codexmem::graph {
namespace {

constexpr int kMaxAliasSteps = 8;
constexpr std::size_t kMaxBinding = 1000;  // that may bind what another one says

// Acme.HTTPClient: acme/http_client
std::string path_of_module(std::string_view name) {
  std::string path;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '.') {
      path += '/';
      continue;
    }
    const bool is_inner = i > 0 && name[i - 1] != '.';
    const bool begins_word =
        is_inner && is_upper(c) &&
        (!is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    if (begins_word && name[i - 1] != '_') path += '_';
    path += to_lower(c);
  }
  return path;
}

// False for `logger` and plug/logger.ex: a module name of one part is a file directly in a source
// folder.
bool is_whole(std::string_view stem, std::string_view path) {
  if (path.find('/') != std::string_view::npos || stem.size() == path.size()) return true;
  const std::string_view folder = stem.substr(0, stem.size() - path.size() - 1);
  const std::string_view last = folder.substr(folder.rfind('/') + 1);
  return last == "lib" || last == "src" || last == "test" || last == "support";
}

class ElixirModuleFinder final : public ModuleFinder {
 public:
  explicit ElixirModuleFinder(ProjectTree& tree) : tree_(tree) {
    const parse::Family family = family_of("elixir");
    for (const ProjectFile& file : tree.files()) {
      if (file.family != family) continue;
      const std::string_view name = file_name(file.path);
      files_[std::string(name.substr(0, name.rfind('.')))].push_back(&file);
      // lib/acme.ex, lib/acme/...: modules of this repository begin with Acme.
      const std::string path = "/" + file.path;
      const std::size_t lib = path.rfind("/lib/");
      if (lib == std::string::npos) continue;
      const std::string inner = path.substr(lib + 5);
      roots_.insert(inner.substr(0, inner.find_first_of("/.")));
    }
    for (const std::string_view path : tree.list_configs("mix.exs")) {
      manifests_.push_back({std::string(folder_of(path)), tree.read(path).value_or("")});
    }
  }

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    const std::string full = expanded(facts, import.path, import.range.begin, 0);
    if (const ProjectFile* file = find(source, full)) {
      resolved.targets.push_back({file->id, file->path, "", resolved.symbols});
      return resolved;
    }
    resolved.is_external = true;
    resolved.package = package_of(source, full);
    return resolved;
  }

 private:
  struct Manifest {
    std::string folder;
    std::string text;
  };

  // The full name of the module that `path` means at `offset`, by the aliases of the file.
  static std::string expanded(const parse::FileFacts& facts, const std::string& path,
                              std::uint32_t offset, int depth) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string first = path.substr(0, dot);
    if (first == "__MODULE__") {
      const parse::Symbol* around = nullptr;
      for (const parse::Symbol& symbol : facts.symbols) {
        const bool is_module =
            symbol.type == SymbolType::kClass || symbol.type == SymbolType::kInterface;
        if (is_module && symbol.range.contains(offset)) around = &symbol;
      }
      return around == nullptr ? path : around->qualified_name + path.substr(dot);
    }
    const parse::Import* alias = nullptr;
    std::size_t looked_at = 0;
    for (const parse::Import& import : facts.imports) {
      const bool is_enough = depth > kMaxAliasSteps || ++looked_at > kMaxBinding;
      if (import.range.end > offset || is_enough) break;
      const bool binds = std::ranges::any_of(import.names, [&](const parse::ImportedName& name) {
        return name.local != parse::kNoIndex && facts.names[name.local] == first;
      });
      if (binds) alias = &import;
    }
    if (alias == nullptr) return path;
    return expanded(facts, alias->path, alias->range.begin, depth + 1) + path.substr(dot);
  }

  const ProjectFile* find(std::string_view source, std::string_view full) {
    for (const ProjectTree::Declared& declared : tree_.declarations_at(full, family_of("elixir"))) {
      const std::string& kind = declared.declaration.kind;
      if (kind == "module" || kind == "protocol") return declared.file;
    }
    const std::string whole = path_of_module(full);
    // The module's own file, or the file of a module around it.
    for (std::string path = whole; !path.empty();) {
      if (const ProjectFile* file = nearest(source, path, path)) return file;
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos) break;
      path.resize(slash);
      if (path.find('/') == std::string::npos) break;
    }
    // Some folders are not in the name.
    const std::size_t slash = whole.find('/');
    if (slash == std::string::npos || !roots_.contains(whole.substr(0, slash))) return nullptr;
    // Those that tests share are rarely in a folder of the project's name.
    const std::string rest = whole.substr(slash + 1);
    if (const ProjectFile* file = nearest(source, rest, rest)) return file;
    return nearest(source, whole.substr(whole.rfind('/') + 1), whole.substr(0, slash + 1));
  }

  // Of the files that end with `path`, and have `part`, the nearest.
  const ProjectFile* nearest(std::string_view source, std::string_view path,
                             std::string_view part) const {
    const auto named = files_.find(std::string(path.substr(path.rfind('/') + 1)));
    if (named == files_.end()) return nullptr;
    const ProjectFile* best = nullptr;
    std::size_t rank = 0;
    for (const ProjectFile* file : named->second) {
      const std::string_view stem = std::string_view(file->path).substr(0, file->path.rfind('.'));
      const bool is_folder = part.ends_with('/');
      const bool fits = is_folder
                            ? ("/" + file->path).find("/" + std::string(part)) != std::string::npos
                            : ends_with_path(stem, path) && is_whole(stem, path);
      if (!fits) continue;
      const bool is_source = ("/" + file->path).find("/lib/") != std::string::npos;
      const std::size_t own = 2 * shared_folders(file->path, source) + (is_source ? 1 : 0) + 1;
      if (own > rank) {
        best = file;
        rank = own;
      }
    }
    return best;
  }

  // The dependency of a mix.exs around that the module is of, by its first part.
  std::string package_of(std::string_view source, std::string_view full) const {
    const std::string first = path_of_module(full.substr(0, full.find('.')));
    for (const Manifest& manifest : manifests_) {
      const bool is_around = manifest.folder.empty() || source.starts_with(manifest.folder + "/");
      if (!is_around) continue;
      if (manifest.text.find("{:" + first + ",") != std::string::npos) return first;
    }
    return std::string(full);
  }

  ProjectTree& tree_;
  std::unordered_map<std::string, std::vector<const ProjectFile*>> files_;  // by name
  std::set<std::string, std::less<>> roots_;  // first parts of paths of modules
  std::vector<Manifest> manifests_;
};

}  // namespace

std::unique_ptr<ModuleFinder> ElixirSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<ElixirModuleFinder>(tree);
}

}  // namespace codexmem::graph
