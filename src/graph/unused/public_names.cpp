// Tested by graph/repository_map_test.cpp and git/overview_test.py.
#include "graph/unused/public_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/path.h"
#include "graph/core/file_model.h"
#include "graph/core/language_semantics.h"
#include "graph/stored/facts_cache_impl.h"
#include "graph/stored/repository_map.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxModules = 20;
constexpr std::size_t kMaxPackageFiles = 50;
constexpr std::size_t kLookedAt = 3;  // files of a folder

// The rows below `folder`, by path.
std::pair<std::size_t, std::size_t> range_below(const FileTable& files, std::string_view folder) {
  const auto& rows = files.rows();
  if (folder.empty()) return {0, rows.size()};
  const std::string first = std::string(folder) + "/", last = std::string(folder) + "0";
  const auto place = [&](const std::string& path) {
    return static_cast<std::size_t>(
        std::ranges::lower_bound(rows, path, {}, &store::FileRow::path) - rows.begin());
  };
  return {place(first), place(last)};  // '0' follows '/'
}

class NameList {
 public:
  explicit NameList(std::vector<std::string>& names) : names_(names) {}
  void add(const std::string& name) {
    if (name.empty() || name == "*" || name == "default" || name.starts_with('_')) return;
    if (seen_.insert(name).second) names_.push_back(name);
  }

 private:
  std::vector<std::string>& names_;
  std::set<std::string> seen_;
};

// The symbols of a file that other files may use and that are not part of another symbol, except
// namespaces.
Result<std::vector<store::SymbolRow>> declared(store::CodeReader& reader, store::FileId file) {
  CODEXMEM_ASSIGN(std::vector<store::SymbolRow> symbols, reader.list_symbols(file));
  std::set<store::SymbolId> namespaces;
  for (const store::SymbolRow& symbol : symbols) {
    if (symbol.kind == "namespace") namespaces.insert(symbol.id);
  }
  std::erase_if(symbols, [&](const store::SymbolRow& symbol) {
    return !symbol.exported || namespaces.contains(symbol.id) ||
           (symbol.parent && !namespaces.contains(*symbol.parent));
  });
  return symbols;
}

// Types, then values; macros last, of which many are guards and switches of headers.
int rank_of_name(const store::SymbolRow& symbol) {
  if (symbol.kind == "macro") return 2;
  return is_type(symbol.type) ? 0 : 1;
}

// Their names, types first; not destructors and operators.
Result<void> add_declared(store::CodeReader& reader, store::FileId file, NameList& names) {
  CODEXMEM_ASSIGN(const auto symbols, declared(reader, file));
  for (const int rank : {0, 1, 2}) {
    for (const store::SymbolRow& symbol : symbols) {
      if (symbol.name.starts_with('~') || symbol.name.starts_with("operator")) continue;
      if (rank_of_name(symbol) == rank) names.add(symbol.name);
    }
  }
  return {};
}

// The exports of modules, one after the other.
class Exports {
 public:
  Exports(FactsCache& cache, store::CodeReader& reader, const FileTable& files, NameList& names)
      : cache_(cache), reader_(reader), files_(files), names_(names) {}

  Result<void> add(const store::FileRow& row) {
    if (seen_.size() >= kMaxModules || !seen_.insert(row.id).second) return {};
    CODEXMEM_ASSIGN(const auto model, cache_.impl().model(reader_, row));
    if (model == nullptr) return {};
    CODEXMEM_ASSIGN(const auto imports, reader_.list_dependencies(row.id));
    for (const parse::Export& each : model->facts.exports) {
      const std::string& name = model->name(each.exported);
      names_.add(name);
      if (name != "*" || each.import == parse::kNoIndex) continue;
      for (const store::DependencyRow& import : imports) {
        if (import.import_index != each.import || !import.target) continue;
        if (const store::FileRow* target = files_.find(*import.target)) CODEXMEM_TRY(add(*target));
      }
    }
    if (!model->facts.exports.empty()) return {};
    if (semantics_of(model->family).traits().imports_are_exports) {
      for (const store::DependencyRow& import : imports) {
        if (!import.target) continue;
        for (const std::string& name : import.symbols) {
          names_.add(name);
          const store::FileRow* const target = name == "*" ? files_.find(*import.target) : nullptr;
          if (target != nullptr) CODEXMEM_TRY(add(*target));
        }
      }
    }
    return add_declared(reader_, row.id, names_);
  }

 private:
  FactsCache& cache_;
  store::CodeReader& reader_;
  const FileTable& files_;
  NameList& names_;
  std::set<store::FileId> seen_;
};

}  // namespace

Result<PublicNames> find_public_names(FactsCache& cache, store::CodeReader& reader,
                                      std::string_view folder, std::string_view entry) {
  PublicNames found;
  NameList names(found.names);
  CODEXMEM_ASSIGN(const auto files, cache.files(reader));
  const auto [begin, end] = range_below(*files, folder);
  // The module nearest to the folder; of two the one with more lines.
  const store::FileRow* module = files->find(entry);
  const bool is_provided = module != nullptr;
  std::vector<const store::FileRow*> package;
  const auto depth = [](const store::FileRow& row) { return std::ranges::count(row.path, '/'); };
  for (std::size_t i = begin; i < end; ++i) {
    const store::FileRow& row = files->rows()[i];
    if (!is_main_file(row)) continue;
    if (folder_of(row.path) == folder && package.size() < kMaxPackageFiles) {
      const LanguageSemantics& semantics = semantics_of(family_of(row.language));
      if (semantics.traits().imports_name_folders && semantics.is_part_of_package(row.path)) {
        package.push_back(&row);
      }
    }
    if (is_provided || !stands_for_folder(row)) continue;
    if (module == nullptr ||
        std::pair(depth(row), module->line_count) < std::pair(depth(*module), row.line_count)) {
      module = &row;
    }
  }
  if (module != nullptr) {
    found.path = module->path;
    CODEXMEM_TRY(Exports(cache, reader, *files, names).add(*module));
  } else if (!package.empty()) {
    found.path = folder.empty() ? "." : std::string(folder);
    std::vector<store::SymbolRow> others;
    for (const store::FileRow* row : package) {
      CODEXMEM_ASSIGN(auto symbols, declared(reader, row->id));
      for (store::SymbolRow& symbol : symbols) {
        if (is_type(symbol.type)) {
          names.add(symbol.name);
        } else if (symbol.type == SymbolType::kFunction) {
          others.push_back(std::move(symbol));
        }
      }
    }
    for (const store::SymbolRow& symbol : others) names.add(symbol.name);
  }
  return found;
}

Result<std::vector<std::string>> find_used_names(FactsCache& cache, store::CodeReader& reader,
                                                 std::string_view folder, bool only_in_it,
                                                 std::size_t most) {
  std::vector<std::string> found;
  CODEXMEM_ASSIGN(const auto files, cache.files(reader));
  CODEXMEM_ASSIGN(const auto imports, cache.imports(reader, files));
  const auto [begin, end] = range_below(*files, folder);
  std::vector<std::size_t> order;
  for (std::size_t i = begin; i < end; ++i) {
    const store::FileRow& row = files->rows()[i];
    const parse::Language* const language = parse::find_language(row.language);
    if (language == nullptr || !language->has_grammar || language->is_configuration ||
        !is_main_file(row)) {
      continue;
    }
    if (!only_in_it || folder_of(row.path) == folder) order.push_back(i);
  }
  const std::size_t looked_at = std::min(order.size(), kLookedAt);
  std::ranges::partial_sort(
      order, order.begin() + static_cast<std::ptrdiff_t>(looked_at), {}, [&](std::size_t file) {
        return std::pair(-static_cast<std::ptrdiff_t>(imports->importers[file].size()),
                         -static_cast<std::ptrdiff_t>(files->rows()[file].line_count));
      });
  order.resize(looked_at);
  std::map<std::string, std::size_t> uses;
  for (const std::size_t file : order) {
    CODEXMEM_ASSIGN(const auto rows, reader.list_dependents(files->rows()[file].id));
    for (const store::DependencyRow& row : rows) {
      for (const std::string& name : row.symbols) ++uses[name];
    }
  }
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& [name, count] : uses) {
    if (count > 1) ranked.emplace_back(count, name);
  }
  std::ranges::stable_sort(ranked, std::ranges::greater(),
                           &std::pair<std::size_t, std::string>::first);
  NameList names(found);
  for (const auto& [count, name] : ranked) names.add(name);
  for (const std::size_t file : order) {
    if (found.size() >= most) break;
    CODEXMEM_TRY(add_declared(reader, files->rows()[file].id, names));
  }
  found.resize(std::min(found.size(), most));
  return found;
}

}  // namespace codexmem::graph
