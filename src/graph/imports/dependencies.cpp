// Breadth first over table dependencies, in both directions: the first level at which a file is met
// is its smallest depth, and each file is expanded once, so cycles end by themselves. A cycle
// through the file asked about is found when a neighbour it imports leads back to it; the parents
// that the search kept give the way. Tested by graph/dependencies_test.cpp.
#include "graph/imports/dependencies.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/path.h"
#include "base/stop_scope.h"
#include "graph/stored/facts_cache_impl.h"
#include "graph/core/file_model.h"
#include "base/text.h"
#include "graph/core/language_semantics.h"
#include "graph/core/project_tree.h"
#include "graph/imports/packages.h"
#include "graph/imports/template_views.h"
#include "graph/uses/symbol_search.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

constexpr std::uint32_t kMaxDepth = 10;
constexpr std::size_t kMaxCycles = 10;
constexpr std::size_t kMaxViewed = 30;          // templates whose views are looked for
constexpr std::size_t kMaxCycleFiles = 20'000;  // files expanded while looking for cycles

void add_symbols(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& name : from) {
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  }
}

bool is_documented(const store::DependencyRow& row) {
  return row.import_type == store::kDocumentedImport;
}

class Walk {
 public:
  Walk(store::CodeReader& reader, const DependencyQuery& query) : reader_(reader), query_(query) {}

  Result<DependencyAnswer> run() {
    CODEXMEM_ASSIGN(start_, get_indexed_file(reader_, query_.file_path));
    answer_.path = start_.path;
    CODEXMEM_TRY(walk_dependencies());
    CODEXMEM_TRY(walk_dependents());
    CODEXMEM_TRY(find_cycles());
    return std::move(answer_);
  }

 private:
  Result<const std::vector<store::DependencyRow>*> edges_from(store::FileId id) {
    const auto known = outgoing_.find(id);
    if (known != outgoing_.end()) return &known->second;
    CODEXMEM_ASSIGN(auto rows, reader_.list_dependencies(id));
    std::erase_if(rows, is_documented);
    if (id == start_.id) {
      CODEXMEM_ASSIGN(auto templates, find_templates(reader_, start_));
      rows.insert(rows.end(), std::make_move_iterator(templates.begin()),
                  std::make_move_iterator(templates.end()));
    }
    return const_cast<const std::vector<store::DependencyRow>*>(&(outgoing_[id] = std::move(rows)));
  }

  Result<std::string> path_of(store::FileId id) {
    CODEXMEM_ASSIGN(const Known* file, get_file(id));
    return file->path;
  }

  struct Known {
    std::string path;
    bool is_resource = false;
    bool is_code = false;  // whose modules compilers know; what else it imports is a resource
    std::string language;
  };

  Result<const Known*> get_file(store::FileId id) {
    const auto known = files_.find(id);
    if (known != files_.end()) return &known->second;
    CODEXMEM_ASSIGN(const auto row, reader_.find_file(id));
    Known& file = files_[id];
    if (row) {
      const parse::Language* language = parse::find_language(row->language);
      const bool is_resource =
          language == nullptr || !language->has_grammar || language->is_configuration;
      file = {row->path, is_resource, resolves_names(family_of(row->language)), row->language};
    }
    return const_cast<const Known*>(&file);
  }

  static DependencyItem item_of(const store::DependencyRow& row, std::uint32_t depth) {
    DependencyItem item;
    item.import_path = row.import_path;
    item.import_type = row.import_type;
    item.symbols = row.symbols;
    item.is_external = row.is_external;
    if (row.is_external) item.package = row.package;
    item.depth = depth;
    item.line = row.line;
    return item;
  }

  // The identity of an item: its file or, for several imports of one module, the package.
  static std::string key_of(const store::DependencyRow& row) {
    // A package with a version is a module, which may have many packages.
    const bool is_module = row.is_external && row.package.find('@', 1) != std::string::npos;
    return is_module ? row.package + "\n" + row.import_path : row.package;
  }

  // True for a row that leads back to the file asked about, or to the package that it is part of.
  bool leads_back(const store::DependencyRow& row) {
    const auto folder = package_folder(row);
    if (!folder) return row.target == start_.id;
    return *folder == folder_of(start_.path) &&
           semantics_of(family_of(start_.language)).is_part_of_package(start_.path);
  }

  // How the answer names a file on the way: a file of a package is that package.
  Result<std::string> name_of(store::FileId id) {
    const auto known = package_of_.find(id);
    if (known != package_of_.end()) return known->second;
    return path_of(id);
  }

  // The files that importing the package of `row` brings, which go on from it.
  Result<void> enter_package(const store::DependencyRow& row, std::string_view folder,
                             std::vector<store::FileId>* next) {
    CODEXMEM_ASSIGN(const Known* target, get_file(*row.target));
    CODEXMEM_ASSIGN(const auto files,
                    list_package_files(reader_, folder, family_of(target->language)));
    for (const store::FileRow& file : files) {
      if (!package_of_.emplace(file.id, package_path(folder)).second) continue;
      next->push_back(file.id);
    }
    return {};
  }

  // The imports that reach a file, without imports in documentation.
  Result<std::vector<store::DependencyRow>> edges_to(store::FileId id) {
    CODEXMEM_ASSIGN(const Known* known, get_file(id));
    store::FileRow file;
    file.id = id;
    file.path = known->path;
    file.language = known->language;
    const std::string key(folder_of(file.path));
    const LanguageSemantics& semantics = semantics_of(family_of(file.language));
    std::vector<store::DependencyRow> rows;
    if (semantics.traits().imports_name_folders && semantics.is_part_of_package(file.path)) {
      // Once for all files of a package: those that import it.
      const auto of_package = incoming_.find(key);
      if (of_package != incoming_.end()) {
        CODEXMEM_ASSIGN(rows, reader_.list_dependents(id));
        std::erase_if(rows, [](const auto& row) { return package_folder(row).has_value(); });
        rows.insert(rows.end(), of_package->second.begin(), of_package->second.end());
      } else {
        CODEXMEM_ASSIGN(rows, list_importers(reader_, file));
        auto& kept = incoming_[key];
        for (const store::DependencyRow& row : rows) {
          if (package_folder(row)) kept.push_back(row);
        }
      }
    } else {
      CODEXMEM_ASSIGN(rows, list_importers(reader_, file));
    }
    std::erase_if(rows, is_documented);
    if (is_template(file)) {
      CODEXMEM_ASSIGN(const auto* views, views_of(file));
      rows.insert(rows.end(), views->begin(), views->end());
    }
    return rows;
  }

  // The code that names a template; of the first templates that are met.
  Result<const std::vector<store::DependencyRow>*> views_of(const store::FileRow& file) {
    const auto known = views_.find(file.id);
    if (known != views_.end()) return &known->second;
    Views found;
    if (views_.size() < kMaxViewed) {
      CODEXMEM_ASSIGN(found, find_views(reader_, file));
    } else {
      found.is_cut = true;
    }
    answer_.views_are_cut = answer_.views_are_cut || found.is_cut;
    return const_cast<const std::vector<store::DependencyRow>*>(
        &(views_[file.id] = std::move(found.rows)));
  }

  // An import of a file that is there but not indexed, an image for example: true, and listed.
  Result<bool> add_skipped(const store::DependencyRow& row, std::uint32_t depth,
                           const std::string& source_path) {
    const std::string_view written =
        std::string_view(row.import_path).substr(0, row.import_path.find('?'));
    if (!written.starts_with("./") && !written.starts_with("../")) return false;
    const auto path = join_path(folder_of(source_path), written);
    if (!path) return false;
    CODEXMEM_ASSIGN(const auto skipped, reader_.find_skipped(*path));
    if (!skipped) return false;
    if (!skipped_.insert(*path).second) return true;
    DependencyItem item = item_of(row, depth);
    if (depth > 1) item.via = source_path;
    item.path = *path;
    item.is_resource = true;
    item.not_indexed = skipped->reason;
    answer_.dependencies.push_back(std::move(item));
    return true;
  }

  Result<void> walk_dependencies() {
    std::unordered_map<store::FileId, std::size_t> items;  // file to its item
    std::map<std::string, std::size_t> packages;
    std::unordered_set<std::string> omitted;
    std::vector<store::FileId> level = {start_.id};
    for (std::uint32_t depth = 1; depth <= query_.depth && !level.empty(); ++depth) {
      std::vector<store::FileId> next;
      for (const store::FileId source : level) {
        CODEXMEM_TRY(go_on());
        CODEXMEM_ASSIGN(const auto* rows, edges_from(source));
        CODEXMEM_ASSIGN(const std::string source_path, name_of(source));
        CODEXMEM_ASSIGN(const Known* importer, get_file(source));
        const bool is_code = importer->is_code;
        for (const store::DependencyRow& row : *rows) {
          if (leads_back(row) || (row.target && *row.target == source)) continue;
          const auto folder = package_folder(row);
          if (!row.target && !row.is_external) {
            CODEXMEM_ASSIGN(const bool is_present, add_skipped(row, depth, source_path));
            if (is_present) continue;
            if (depth == 1 && std::find(answer_.unresolved.begin(), answer_.unresolved.end(),
                                        row.import_path) == answer_.unresolved.end()) {
              answer_.unresolved.push_back(row.import_path);
            }
            continue;
          }
          if (row.is_external && !query_.include_external) {
            omitted.insert(key_of(row));
            continue;
          }
          // A further statement of the same file adds its names to the item.
          std::size_t* known = nullptr;
          if (row.target && !folder) {
            if (const auto found = items.find(*row.target); found != items.end()) {
              known = &found->second;
            }
          } else if (const auto found = packages.find(key_of(row)); found != packages.end()) {
            known = &found->second;
          }
          if (known != nullptr) {
            DependencyItem& item = answer_.dependencies[*known];
            if (item.depth == depth && item.via == (depth == 1 ? "" : source_path)) {
              add_symbols(item.symbols, row.symbols);
            }
            continue;
          }
          DependencyItem item = item_of(row, depth);
          if (depth > 1) item.via = source_path;
          if (folder) {
            item.path = package_path(*folder);
            item.is_package = true;
            packages.emplace(key_of(row), answer_.dependencies.size());
            CODEXMEM_TRY(enter_package(row, *folder, &next));
          } else if (row.target) {
            CODEXMEM_ASSIGN(const Known* target, get_file(*row.target));
            item.path = target->path;
            item.is_resource = target->is_resource || (is_code && !target->is_code);
            items.emplace(*row.target, answer_.dependencies.size());
            next.push_back(*row.target);
          } else {
            packages.emplace(key_of(row), answer_.dependencies.size());
          }
          answer_.dependencies.push_back(std::move(item));
        }
      }
      level = std::move(next);
    }
    answer_.external_omitted = omitted.size();
    return {};
  }

  Result<void> walk_dependents() {
    std::unordered_set<store::FileId> seen = {start_.id};
    std::vector<store::FileId> level = {start_.id};
    for (std::uint32_t depth = 1; depth <= query_.depth && !level.empty(); ++depth) {
      std::vector<DependencyItem> items;
      std::unordered_map<store::FileId, std::size_t> of_level;
      for (const store::FileId target : level) {
        CODEXMEM_TRY(go_on());
        CODEXMEM_ASSIGN(const auto rows, edges_to(target));
        CODEXMEM_ASSIGN(const std::string target_path, path_of(target));
        for (const store::DependencyRow& row : rows) {
          if (const auto known = of_level.find(row.source); known != of_level.end()) {
            DependencyItem& item = items[known->second];
            if (item.via == (depth == 1 ? "" : target_path)) {
              add_symbols(item.symbols, row.symbols);
            }
            continue;
          }
          if (!seen.insert(row.source).second) continue;
          DependencyItem item = item_of(row, depth);
          item.package.clear();
          CODEXMEM_ASSIGN(item.path, path_of(row.source));
          if (depth > 1) item.via = target_path;
          of_level.emplace(row.source, items.size());
          items.push_back(std::move(item));
        }
      }
      // By path: ids depend on which files were indexed first.
      std::vector<std::pair<std::string, store::FileId>> next;
      for (const auto& [id, at] : of_level) next.emplace_back(items[at].path, id);
      std::ranges::sort(next);
      level.clear();
      for (const auto& [path, id] : next) {
        answer_.dependents.push_back(std::move(items[of_level[id]]));
        level.push_back(id);
      }
    }
    return {};
  }

  // The shortest way from each direct dependency back to the file, by one search from the file
  // along its dependents: `next_hop` leads from a file towards the start.
  Result<void> find_cycles() {
    if (semantics_of(family_of(start_.language)).traits().imports_make_no_cycles) return {};
    std::unordered_map<store::FileId, store::FileId> next_hop = {{start_.id, start_.id}};
    std::deque<store::FileId> queue = {start_.id};
    CODEXMEM_ASSIGN(const auto* rows, edges_from(start_.id));
    std::vector<store::FileId> wanted;
    for (const store::DependencyRow& row : *rows) {
      if (const auto folder = package_folder(row)) {
        CODEXMEM_ASSIGN(const Known* target, get_file(*row.target));
        CODEXMEM_ASSIGN(const auto files,
                        list_package_files(reader_, *folder, family_of(target->language)));
        for (const store::FileRow& file : files) {
          if (std::find(wanted.begin(), wanted.end(), file.id) == wanted.end()) {
            wanted.push_back(file.id);
          }
        }
      } else if (row.target &&
                 std::find(wanted.begin(), wanted.end(), *row.target) == wanted.end()) {
        wanted.push_back(*row.target);
      }
    }
    std::size_t missing = wanted.size();
    while (!queue.empty() && missing > 0 && next_hop.size() < kMaxCycleFiles) {
      const store::FileId at = queue.front();
      queue.pop_front();
      CODEXMEM_TRY(go_on());
      CODEXMEM_ASSIGN(const auto sources, edges_to(at));
      for (const store::DependencyRow& row : sources) {
        if (!next_hop.emplace(row.source, at).second) continue;
        if (std::find(wanted.begin(), wanted.end(), row.source) != wanted.end()) --missing;
        queue.push_back(row.source);
      }
    }
    for (store::FileId at : wanted) {
      if (at == start_.id || !next_hop.contains(at)) continue;
      if (answer_.cycles.size() == kMaxCycles) {
        ++answer_.cycles_omitted;
        continue;
      }
      std::vector<std::string> cycle = {start_.path};
      for (; at != start_.id; at = next_hop.at(at)) {
        CODEXMEM_ASSIGN(std::string path, path_of(at));
        cycle.push_back(std::move(path));
      }
      answer_.cycles.push_back(std::move(cycle));
    }
    return {};
  }

  store::CodeReader& reader_;
  const DependencyQuery& query_;
  store::FileRow start_;
  DependencyAnswer answer_;
  std::unordered_map<store::FileId, std::vector<store::DependencyRow>> outgoing_;
  std::unordered_map<store::FileId, Known> files_;
  std::unordered_map<store::FileId, std::string> package_of_;  // that led to a file
  std::unordered_map<std::string, std::vector<store::DependencyRow>> incoming_;  // by folder
  std::unordered_map<store::FileId, std::vector<store::DependencyRow>> views_;   // of templates
  std::unordered_set<std::string> skipped_;  // paths that are listed though not indexed
};

}  // namespace

Result<DependencyAnswer> analyze_dependencies(store::CodeReader& reader,
                                              const DependencyQuery& query, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  if (query.depth < 1 || query.depth > kMaxDepth) {
    return Error{ErrorCode::kInvalidArgument, "analyze_dependencies: depth is " +
                                                  std::to_string(query.depth) +
                                                  ", must be between 1 and 10"};
  }
  return Walk(reader, query).run();
}

Result<void> mark_unused(FactsCache& cache, store::CodeReader& reader,
                         std::vector<DependencyItem>& importers) {
  for (DependencyItem& item : importers) {
    if (item.symbols.empty()) continue;
    CODEXMEM_ASSIGN(const auto row, reader.find_file(item.path));
    if (!row || !is_one_of(row->language, {"java", "kotlin"})) continue;
    CODEXMEM_ASSIGN(const auto file, cache.impl().model(reader, *row));
    if (file == nullptr || !file->facts.unparsed.empty()) continue;
    item.is_unused = std::ranges::none_of(item.symbols, [&](const std::string& symbol) {
      const auto name = file->find_name(symbol);
      if (!name) return true;  // "*"
      return std::ranges::any_of(file->occurrences_of(*name), [&](std::uint32_t index) {
        const parse::Occurrence& at = file->facts.occurrences[index];
        return at.role != parse::Role::kImport && !file->is_documentation(at.offset);
      });
    });
  }
  return {};
}

}  // namespace codexmem::graph
