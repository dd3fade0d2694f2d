// The folder with most code is found by walking down from the root as long as one folder holds most
// files: src, then src/main/java/com/example. The walk stops at a package with a module of its own
// (index, __init__). Folders on that path are level 0, folders directly below them level 1, so that
// a level means the same in a repository with one package and with forty. Files are counted, not
// lines: one file of data may have more lines than all code. Layers are computed for the folders of
// level 1, and of level 2 in a folder that holds most files.
//
// Type-only imports do not tie one folder to another when the program runs. Facts show which
// imports these are, but reading facts is slow: only imports against the layers are looked up, and
// the layers are computed again without the type-only ones.
//
// A module that represents its folder (index, __init__) re-exports the modules below, and they
// import it: neither says which folder is built on which, and neither counts.
//
// Tested by graph/repository_map_test.cpp and git/overview_test.py.
#include "graph/stored/repository_map.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/path.h"
#include "config/path_kind.h"
#include "graph/core/language_semantics.h"
#include "graph/stored/facts_cache_impl.h"
#include "graph/imports/folder_layers.h"
#include "graph/imports/packages.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kTrunkShare = 70;  // percent of the main files that lead on
constexpr std::size_t kOnlyShare = 90;   // in a folder that only leads to another
constexpr std::size_t kMinOwn = 2;     // percent of the lines, for a folder of level 0
constexpr std::size_t kFewParts = 4;     // fewer folders say little about layers
constexpr std::size_t kHeavyPart = 50;   // percent of the main files, to be taken apart
constexpr std::size_t kManyParts = 24;   // more are not taken apart
constexpr std::size_t kMaxMapParts = 40;
constexpr std::size_t kMaxLookedUp = 60;  // imports whose facts are read
constexpr std::uint32_t kNone = 0xFFFFFFFFU;

bool is_code(std::string_view language) {
  const parse::Language* const known = parse::find_language(language);
  return known != nullptr && !known->is_prose && !known->is_configuration;
}

bool is_below(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

struct Node {
  std::string path;
  std::uint32_t parent = kNone;
  std::vector<std::uint32_t> children = {};
  std::size_t files = 0, lines = 0;            // code in it and below
  std::size_t main_files = 0, main_lines = 0;  // likewise
  std::size_t own_files = 0, own_lines = 0;    // main ones directly in it
  bool has_surface = false;                    // a module represents it
  std::optional<std::size_t> level = {};       // of those that are shown
  std::uint32_t part = kNone;                  // the folder of level 1 that it is, or is in
};

class Mapper {
 public:
  Mapper(FactsCache& cache, store::CodeReader& reader, const MapLimits& limits,
         const std::stop_token& stop)
      : cache_(cache), reader_(reader), limits_(limits), stop_(stop) {}

  Result<RepositoryMap> run() {
    CODEXMEM_ASSIGN(files_, cache_.files(reader_));
    CODEXMEM_ASSIGN(imports_, cache_.imports(reader_, files_));
    read_files();
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    find_levels();
    map_.main_folder = nodes_[trunk_end_].path;
    list_folders();
    choose_parts();
    CODEXMEM_TRY(find_layers());
    CODEXMEM_TRY(find_central());
    return std::move(map_);
  }

 private:
  std::uint32_t node_of(std::string_view folder) {
    if (const auto known = by_path_.find(std::string(folder)); known != by_path_.end()) {
      return known->second;
    }
    const std::uint32_t parent = folder.empty() ? kNone : node_of(folder_of(folder));
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_.back().path = folder;
    nodes_.back().parent = parent;
    if (parent != kNone) nodes_[parent].children.push_back(node);
    by_path_.emplace(folder, node);
    return node;
  }

  void read_files() {
    node_of("");
    std::map<std::string, LanguageSize> languages;
    std::unordered_map<std::string, bool> code;
    const auto& rows = files_->rows();
    folder_.assign(rows.size(), kNone);
    is_main_.assign(rows.size(), false);
    is_surface_.assign(rows.size(), false);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const store::FileRow& row = rows[i];
      const auto [known, is_new] = code.try_emplace(row.language);
      if (is_new) known->second = is_code(row.language);
      if (!known->second) continue;
      LanguageSize& language = languages[row.language];
      ++language.files;
      language.lines += row.line_count;
      folder_[i] = node_of(folder_of(row.path));
      is_main_[i] = is_main_file(row);
      is_surface_[i] = is_main_[i] && stands_for_folder(row);
      if (is_main_[i]) {
        Node& own = nodes_[folder_[i]];
        ++own.own_files;
        own.own_lines += row.line_count;
        own.has_surface = own.has_surface || is_surface_[i];
      }
      for (std::uint32_t at = folder_[i]; at != kNone; at = nodes_[at].parent) {
        Node& node = nodes_[at];
        ++node.files;
        node.lines += row.line_count;
        if (!is_main_[i]) continue;
        ++node.main_files;
        node.main_lines += row.line_count;
      }
    }
    for (auto& [name, size] : languages) {
      size.language = name;
      map_.languages.push_back(std::move(size));
    }
    std::ranges::stable_sort(map_.languages, std::ranges::greater(), &LanguageSize::lines);
  }

  // The child with so many of the main files of a folder.
  std::uint32_t main_child(std::uint32_t folder, std::size_t percent) const {
    for (const std::uint32_t child : nodes_[folder].children) {
      if (nodes_[child].main_files > 0 &&
          nodes_[child].main_files * 100 >= nodes_[folder].main_files * percent) {
        return child;
      }
    }
    return kNone;
  }

  void find_levels() {
    std::vector<std::pair<std::uint32_t, std::size_t>> open;  // folders whose children come next
    for (std::uint32_t at = 0; at != kNone;
         at = nodes_[at].has_surface ? kNone : main_child(at, kTrunkShare)) {
      nodes_[at].level = 0;
      trunk_end_ = at;
      open.emplace_back(at, 1);
    }
    while (!open.empty()) {
      const auto [folder, level] = open.back();
      open.pop_back();
      for (const std::uint32_t child : nodes_[folder].children) {
        Node& node = nodes_[child];
        if (node.level || node.files == 0 || file_name(node.path).starts_with('.')) continue;
        if (is_secondary(node) && level > 1) continue;  // of tests there is a list
        node.level = level;
        node.part = level == 1 ? child : nodes_[folder].part;
        if (level >= limits_.depth || is_secondary(node)) continue;
        // A folder that only leads to another one is no level.
        std::uint32_t last = child;
        for (std::uint32_t next = child; next != kNone; next = main_child(next, kOnlyShare)) {
          last = next;
          nodes_[last].part = node.part;
        }
        open.emplace_back(last, level + 1);
      }
    }
  }

  static bool is_secondary(const Node& node) { return node.main_files == 0; }

  void list_folders() {
    std::vector<const Node*> shown;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (!node.level || node.files == 0) continue;
      // Of level 0 only folders with enough code of their own.
      if (*node.level == 0 && !(i == trunk_end_ && node.has_surface) &&
          node.own_lines * 100 <= nodes_[0].main_lines * kMinOwn) {
        continue;
      }
      shown.push_back(&node);
    }
    const auto rank = [](const Node* node) {
      return 2 * *node->level + (is_secondary(*node) ? 1 : 0);
    };
    std::ranges::sort(shown, [&](const Node* a, const Node* b) {
      return std::tuple(rank(a), b->lines, std::string_view(a->path)) <
             std::tuple(rank(b), a->lines, std::string_view(b->path));
    });
    for (const Node* node : shown) {
      const bool is_trunk = *node->level == 0;
      map_.folders.push_back({node->path, is_trunk ? node->own_files : node->files,
                              is_trunk ? node->own_lines : node->lines, *node->level,
                              is_secondary(*node)});
    }
  }

  // The folders, or files, that layers are made of.
  void choose_parts() {
    const auto is_heavy = [&](std::uint32_t part) {
      return nodes_[part].main_files * 100 >= nodes_[0].main_files * kHeavyPart;
    };
    std::vector<std::uint32_t> parts, inner;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (!node.level || node.main_files == 0 || (*node.level == 0 && node.own_files == 0)) {
        continue;
      }
      if (*node.level < 2) parts.push_back(i);
      if (*node.level == 2 && is_heavy(node.part)) inner.push_back(i);
    }
    if (parts.size() + inner.size() <= kManyParts) {
      parts.insert(parts.end(), inner.begin(), inner.end());
    }
    part_.assign(files_->rows().size(), kNone);
    if (parts.size() < kFewParts) {
      choose_files();
      return;
    }
    std::ranges::stable_sort(parts, std::ranges::greater(),
                             [&](std::uint32_t node) { return nodes_[node].main_lines; });
    std::map<std::uint32_t, std::uint32_t> part_of_node;
    std::vector<bool> is_left_out(nodes_.size());
    for (const std::uint32_t node : parts) {
      if (names_.size() == kMaxMapParts) {
        ++map_.parts_left_out;
        is_left_out[node] = true;
        continue;
      }
      part_of_node.emplace(node, static_cast<std::uint32_t>(names_.size()));
      names_.push_back(package_path(nodes_[node].path));
    }
    for (std::size_t i = 0; i < part_.size(); ++i) {
      if (!is_main_[i]) continue;
      for (std::uint32_t at = folder_[i]; at != kNone && !is_left_out[at]; at = nodes_[at].parent) {
        if (const auto found = part_of_node.find(at); found != part_of_node.end()) {
          part_[i] = found->second;
          break;
        }
      }
    }
  }

  // All main code is in a few folders: the files of the one that has most.
  void choose_files() {
    std::uint32_t fullest = 0;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].own_files > nodes_[fullest].own_files) fullest = i;
    }
    if (nodes_[fullest].own_files > kMaxMapParts) return;
    map_.is_by_file = true;
    for (std::size_t i = 0; i < part_.size(); ++i) {
      if (!is_main_[i] || folder_[i] != fullest) continue;
      part_[i] = static_cast<std::uint32_t>(names_.size());
      names_.push_back(files_->rows()[i].path);
    }
  }

  bool goes_through_surface(std::uint32_t from, std::uint32_t to) const {
    const auto& rows = files_->rows();
    return (is_surface_[from] && is_below(rows[to].path, folder_of(rows[from].path))) ||
           (is_surface_[to] && is_below(rows[from].path, folder_of(rows[to].path)));
  }

  using Parts = std::pair<std::uint32_t, std::uint32_t>;
  using Files = std::pair<std::uint32_t, std::uint32_t>;

  Result<void> find_layers() {
    std::map<Parts, std::vector<Files>> seen;  // imports between parts
    for (std::uint32_t from = 0; from < part_.size(); ++from) {
      if (part_[from] == kNone) continue;
      for (const std::uint32_t to : imports_->imports[from]) {
        if (part_[to] == kNone || part_[to] == part_[from] || goes_through_surface(from, to)) {
          continue;
        }
        seen[{part_[from], part_[to]}].emplace_back(from, to);
      }
    }
    FolderLayers layers;
    std::vector<FolderEdge> edges;
    std::size_t looked_up = 0;
    for (bool is_final = false; !is_final;) {
      edges.clear();
      for (const auto& [parts, files] : seen) {
        edges.push_back({parts.first, parts.second, files.size()});
      }
      layers = find_folder_layers(names_.size(), edges);
      is_final = true;
      for (const std::size_t i : layers.inversions) {
        const Parts parts(edges[i].from, edges[i].to);
        std::vector<Files>& files = seen.at(parts);
        if (!looked_up_.insert(parts).second || (looked_up += files.size()) > kMaxLookedUp) {
          continue;
        }
        CODEXMEM_ASSIGN(const bool are_fewer, drop_imports_of_types(files));
        if (files.empty()) seen.erase(parts);
        if (are_fewer) is_final = false;
      }
    }
    const auto named = [&](const std::vector<std::vector<std::uint32_t>>& groups) {
      std::vector<std::vector<std::string>> lists;
      for (const auto& group : groups) {
        std::vector<std::string>& list = lists.emplace_back();
        for (const std::uint32_t part : group) list.push_back(names_[part]);
        std::ranges::sort(list);
      }
      return lists;
    };
    map_.layers = named(layers.layers);
    map_.cycles = named(layers.cycles);
    for (const std::size_t i : layers.inversions) {
      const auto back = seen.find({edges[i].to, edges[i].from});
      const Files files = seen.at({edges[i].from, edges[i].to}).front();
      CODEXMEM_ASSIGN(const std::uint32_t line, line_of(files));
      map_.inversions.push_back({.from = names_[edges[i].from],
                                 .to = names_[edges[i].to],
                                 .imports = edges[i].imports,
                                 .others = back == seen.end() ? 0 : back->second.size(),
                                 .path = files_->rows()[files.first].path,
                                 .line = line,
                                 .imported = files_->rows()[files.second].path});
    }
    return {};
  }

  // Removes imports that bind no running code: of types, and of documentation.
  Result<bool> drop_imports_of_types(std::vector<Files>& imports) {
    std::vector<Files> kept;
    for (const Files& each : imports) {
      const store::FileRow& row = files_->rows()[each.first];
      CODEXMEM_ASSIGN(const auto model, cache_.impl().model(reader_, row));
      CODEXMEM_ASSIGN(const auto dependencies, reader_.list_dependencies(row.id));
      const bool is_used = std::ranges::any_of(dependencies, [&](const auto& dependency) {
        if (dependency.target != files_->rows()[each.second].id ||
            dependency.import_type == store::kDocumentedImport) {
          return false;
        }
        if (model == nullptr || dependency.import_index >= model->facts.imports.size()) return true;
        const parse::Import& import = model->facts.imports[dependency.import_index];
        return !import.type_only &&
               (import.names.empty() ||
                !std::ranges::all_of(import.names, &parse::ImportedName::type_only));
      });
      if (is_used) kept.push_back(each);
    }
    const bool are_fewer = kept.size() < imports.size();
    imports = std::move(kept);
    return are_fewer;
  }

  // Where one file imports the other.
  Result<std::uint32_t> line_of(const Files& files) {
    CODEXMEM_ASSIGN(const auto imports, reader_.list_dependencies(files_->rows()[files.first].id));
    for (const store::DependencyRow& import : imports) {
      if (import.target == files_->rows()[files.second].id) return import.line;
    }
    return 0U;
  }

  Result<void> find_central() {
    std::vector<std::pair<std::size_t, std::uint32_t>> counts;
    for (std::uint32_t to = 0; to < is_main_.size(); ++to) {
      if (!is_main_[to]) continue;
      const auto importers = static_cast<std::size_t>(std::ranges::count_if(
          imports_->importers[to], [&](std::uint32_t from) { return is_main_[from]; }));
      if (importers > 1) counts.emplace_back(importers, to);
    }
    std::ranges::sort(counts, [](const auto& a, const auto& b) {
      return std::pair(b.first, a.second) < std::pair(a.first, b.second);
    });
    counts.resize(std::min(counts.size(), limits_.central));
    for (const auto& [importers, file] : counts) {
      const store::FileRow& row = files_->rows()[file];
      CentralFile central{row.path, false, importers};
      if (semantics_of(family_of(row.language)).traits().imports_name_folders) {
        CODEXMEM_ASSIGN(const auto dependents, reader_.list_dependents(row.id));
        central.is_package = std::ranges::any_of(dependents, [](const store::DependencyRow& each) {
          return package_folder(each).has_value();
        });
        if (central.is_package) central.path = package_path(folder_of(row.path));
      }
      map_.central.push_back(std::move(central));
    }
    return {};
  }

  FactsCache& cache_;
  store::CodeReader& reader_;
  const MapLimits& limits_;
  const std::stop_token& stop_;
  std::shared_ptr<const FileTable> files_;
  std::shared_ptr<const ImportTable> imports_;
  std::vector<Node> nodes_;  // the root first, parents before their children
  std::unordered_map<std::string, std::uint32_t> by_path_;
  // By the places of files in FileTable::rows().
  std::vector<std::uint32_t> folder_;  // kNone: no code
  std::vector<bool> is_main_, is_surface_;
  std::uint32_t trunk_end_ = 0;
  std::vector<std::uint32_t> part_;  // that layers are made of
  std::set<Parts> looked_up_;        // whose imports of types are gone
  std::vector<std::string> names_;   // of parts
  RepositoryMap map_;
};

}  // namespace

bool is_main_file(const store::FileRow& row) {
  if (is_secondary_path(row.path) || (row.flags & store::kFileGenerated) != 0) return false;
  if (row.path.starts_with('.') || row.path.find("/.") != std::string::npos) return false;
  const std::string_view legacy = legacy_folder(row.path);
  return legacy.empty() || legacy == "legacy" || legacy == "deprecated" ||
         legacy.ends_with("compat");
}

bool stands_for_folder(const store::FileRow& row) {
  const auto modules = semantics_of(family_of(row.language)).traits().files.folder_modules;
  return std::ranges::find(modules, file_stem(row.path)) != modules.end();
}

Result<RepositoryMap> map_repository(FactsCache& cache, store::CodeReader& reader,
                                     const MapLimits& limits, const std::stop_token& stop) {
  return Mapper(cache, reader, limits, stop).run();
}

}  // namespace codexmem::graph
