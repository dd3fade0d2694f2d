// The members form one tree of files in which imports are resolved again by the resolver of an
// index run (graph/imports/import_resolver.h): only imports that their own repository could not
// resolve, and that name a package of another member. The names are checked first, since that is
// cheap: only facts of importing files are decoded. For Go, all modules of the tree form one
// go.work. Tested by graph/across_test.cpp.
#include "graph/imports/cross_imports.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/path.h"
#include "graph/across/published.h"
#include "graph/across/version_range.h"
#include "graph/core/language_semantics.h"
#include "graph/core/project_tree.h"
#include "graph/imports/import_resolver.h"
#include "graph/stored/stored_declarations.h"
#include "parse/facts/facts_codec.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kGoWork = "go.work";

// Configuration of all members, from their stores. Each file is read once.
class UnitedConfigs final : public ConfigSource {
 public:
  UnitedConfigs(store::CodeReader& reader, std::span<const ProjectFile> files) : reader_(reader) {
    std::string modules;
    for (const ProjectFile& file : files) {
      if (!is_configuration(file.path)) continue;
      ids_.emplace(file.path, file.id);
      if (file_name(file.path) == "go.mod") {
        modules += "\t./" + std::string(folder_of(file.path)) + "\n";
      }
    }
    texts_[std::string(kGoWork)] = "use (\n" + modules + ")\n";
  }

  std::optional<std::string> read(std::string_view path) override {
    // The one of all members counts.
    if (file_name(path) == kGoWork && path != kGoWork) return std::nullopt;
    const auto [known, is_new] = texts_.try_emplace(std::string(path));
    if (!is_new) return known->second;
    auto id = ids_.find(path);
    if (id == ids_.end()) {
      // A configuration may have any name that another one says.
      auto row = reader_.find_file(path);
      if (!row.ok() || !*row) return std::nullopt;
      id = ids_.emplace(std::string(path), (*row)->id).first;
    }
    auto text = reader_.find_content(id->second);
    if (text.ok()) {
      known->second = *std::move(text);
    } else if (!failure_) {
      failure_ = std::move(text).error();
    }
    return known->second;
  }

  Result<void> status() const {
    if (failure_) return Error(*failure_);
    return {};
  }

 private:
  store::CodeReader& reader_;
  std::map<std::string, store::FileId, std::less<>> ids_;
  std::unordered_map<std::string, std::optional<std::string>> texts_;
  std::optional<Error> failure_;
};

// Caches the lookup of an import: one lookup for each spelling in a repository.
class NamesOfOthers {
 public:
  explicit NamesOfOthers(const PublishedPackages& published) : published_(published) {}

  bool has(const ProjectFile& source, const std::string& path) {
    std::string key(member_folder_of(source.path));
    key += '\n';
    key += std::to_string(static_cast<int>(source.family));
    key += '\n';
    key += path;
    const auto [known, is_new] = known_.try_emplace(std::move(key), false);
    if (is_new) known->second = published_.may_be_published(source, path);
    return known->second;
  }

 private:
  const PublishedPackages& published_;
  std::unordered_map<std::string, bool> known_;
};

// The version behind the last '@' of an external package, module@version.
std::string version_in(std::string_view package) {
  const std::size_t at = package.rfind('@');
  return at == std::string_view::npos || at == 0 ? std::string()
                                                 : std::string(package.substr(at + 1));
}

std::string name_of_member(std::string_view path) {
  const auto parts = store::split_united_path(path);
  return parts ? std::string(parts->name) : std::string(member_folder_of(path));
}

using UseKey = std::tuple<std::string, std::string, Ecosystem, std::string, std::string>;

}  // namespace

Result<CrossImports> link_imports(store::UnitedReader& reader, const std::stop_token& stop) {
  CrossImports found;
  CODEXMEM_ASSIGN(const std::vector<store::FileRow> rows, reader.list_files());
  std::vector<ProjectFile> files;
  files.reserve(rows.size());
  for (const store::FileRow& row : rows) {
    files.push_back({row.id, row.path, family_of(row.language)});
  }
  UnitedConfigs configs(reader, files);
  ProjectTree tree(files, configs);
  const PublishedPackages published(tree);
  CODEXMEM_TRY(configs.status());
  if (published.list().empty()) return found;
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "linking imports: cancelled"};

  std::unordered_map<store::FileId, const ProjectFile*> by_id;
  by_id.reserve(files.size());
  for (const ProjectFile& file : files) by_id.emplace(file.id, &file);
  CODEXMEM_ASSIGN(std::vector<store::DependencyRow> all, reader.list_all_dependencies());
  NamesOfOthers names(published);
  std::erase_if(all, [&](const store::DependencyRow& row) {
    const auto source = by_id.find(row.source);
    return row.target || source == by_id.end() || !names.has(*source->second, row.import_path);
  });
  if (all.empty()) return found;
  // The union's order is by source in each member; rows of a source stay together.
  std::ranges::stable_sort(all, {}, [](const store::DependencyRow& row) {
    return std::pair(row.source, row.import_index);
  });

  StoredDeclarations declarations(reader);
  ImportResolver resolver(files, configs, {std::string(kGoWork)}, &declarations);
  std::map<UseKey, CrossUse> uses;
  std::optional<parse::FileFacts> facts;
  std::optional<store::FileId> decoded;
  for (const store::DependencyRow& row : all) {
    if (decoded != row.source) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "linking imports: cancelled"};
      decoded = row.source;
      facts.reset();
      CODEXMEM_ASSIGN(const auto packed, reader.find_facts(row.source));
      // Damaged facts are found and mended by the next index run of their repository.
      if (packed) {
        if (auto read = parse::decode_facts(*packed); read.ok()) facts = *std::move(read);
      }
    }
    if (!facts || row.import_index >= facts->imports.size()) continue;
    const ProjectFile& source = *by_id.at(row.source);
    const ResolvedImport resolved = resolver.resolve(source, *facts, row.import_index);
    bool is_counted = false;
    for (const ImportTarget& target : resolved.targets) {
      const PublishedPackage* package = published.find(source, row.import_path, target.path);
      if (package == nullptr) continue;
      store::DependencyRow link = row;
      link.target = target.id;
      link.is_external = false;
      link.package = target.module;
      link.symbols = target.symbols;
      found.rows.push_back(std::move(link));
      if (std::exchange(is_counted, true)) continue;
      std::string required = published.required(source.path, *package).value_or(std::string());
      if (required.empty()) required = version_in(row.package);
      CrossUse& use = uses[{std::string(member_folder_of(source.path)),
                            std::string(member_folder_of(target.path)), package->ecosystem,
                            package->name, required}];
      if (use.imports++ > 0) continue;
      use.importer = name_of_member(source.path);
      use.publisher = name_of_member(target.path);
      use.ecosystem = package->ecosystem;
      use.package = package->name;
      use.version = package->version;
      use.agrees = allows_version(package->ecosystem, required, package->version);
      use.required = std::move(required);
    }
  }
  CODEXMEM_TRY(declarations.status());
  CODEXMEM_TRY(configs.status());
  for (auto& [key, use] : uses) found.uses.push_back(std::move(use));
  return found;
}

}  // namespace codexmem::graph
