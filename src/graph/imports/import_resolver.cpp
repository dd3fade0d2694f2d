#include "graph/imports/import_resolver.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/path.h"
#include "graph/c/compile_commands.h"
#include "graph/core/language_semantics.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"

namespace codexmem::graph {
namespace {

std::string_view import_type(parse::ImportKind kind) {
  if (kind == parse::ImportKind::kDocumented) return store::kDocumentedImport;
  if (kind == parse::ImportKind::kInclude) return "include";
  return kind == parse::ImportKind::kRequire ? "require" : "import";
}

}  // namespace

std::vector<std::string> imported_names(const parse::FileFacts& facts,
                                        const parse::Import& import) {
  std::vector<std::string> names;
  for (const parse::ImportedName& name : import.names) {
    const std::string& text = facts.names[name.imported];
    if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
  }
  return names;
}

bool is_configuration(std::string_view path) {
  return std::ranges::any_of(importing_semantics(), [&](const LanguageSemantics* semantics) {
    const auto names = semantics->traits().files.configuration;
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return has_config_name(path, name); });
  });
}

std::uint64_t max_configuration_bytes(std::string_view path) {
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;
  return file_name(path) == kCompileCommands ? 32 * kMegabyte : kMegabyte;
}

struct ImportResolver::Impl {
  Impl(std::span<const ProjectFile> files, ConfigSource& config, std::vector<std::string> unindexed,
       DeclarationSource* declarations)
      : tree(files, config, std::move(unindexed), declarations) {
    for (const LanguageSemantics* semantics : importing_semantics()) {
      finders.emplace_back(semantics, semantics->make_module_finder(tree));
    }
  }

  ProjectTree tree;
  std::vector<std::pair<const LanguageSemantics*, std::unique_ptr<ModuleFinder>>> finders;
};

ImportResolver::ImportResolver(std::span<const ProjectFile> files, ConfigSource& config,
                               std::vector<std::string> unindexed, DeclarationSource* declarations)
    : impl_(std::make_unique<Impl>(files, config, std::move(unindexed), declarations)) {}
ImportResolver::~ImportResolver() = default;
ImportResolver::ImportResolver(ImportResolver&&) noexcept = default;
ImportResolver& ImportResolver::operator=(ImportResolver&&) noexcept = default;

ResolvedImport ImportResolver::resolve(const ProjectFile& source, const parse::FileFacts& facts,
                                       std::uint32_t import) {
  for (const auto& [semantics, finder] : impl_->finders) {
    if (semantics != &semantics_of(source.family)) continue;
    return finder->resolve(source.path, facts, facts.imports[import]);
  }
  return {};
}

std::vector<store::DependencyRow> ImportResolver::make_dependencies(
    const ProjectFile& source, const parse::FileFacts& facts,
    std::span<const std::uint32_t> lines) {
  std::vector<store::DependencyRow> rows;
  rows.reserve(facts.imports.size());
  for (std::uint32_t i = 0; i < facts.imports.size(); ++i) {
    ResolvedImport resolved = resolve(source, facts, i);
    store::DependencyRow row;
    row.source = source.id;
    row.import_path = facts.imports[i].path;
    row.import_type = import_type(facts.imports[i].kind);
    row.import_index = i;
    row.line = i < lines.size() ? lines[i] : 0;
    if (resolved.targets.empty() && resolved.is_guess) continue;
    if (resolved.targets.empty()) {
      row.is_external = resolved.is_external;
      row.package = std::move(resolved.package);
      row.symbols = std::move(resolved.symbols);
      rows.push_back(std::move(row));
      continue;
    }
    for (ImportTarget& target : resolved.targets) {
      store::DependencyRow found = row;
      found.target = target.id;
      found.package = std::move(target.module);
      found.symbols = std::move(target.symbols);
      rows.push_back(std::move(found));
    }
  }
  return rows;
}

std::set<std::string> changed_declarations(parse::Family family, const parse::FileFacts& before,
                                           const parse::FileFacts& after) {
  if (!semantics_of(family).traits().imports_name_declarations) return {};
  const auto declared = [](const parse::FileFacts& facts) {
    std::map<std::string, std::string_view> names;  // by where they are
    std::vector<bool> is_local;
    for (const parse::Symbol& symbol : facts.symbols) {
      bool is_in_function = false;
      if (symbol.parent < is_local.size()) {
        const SymbolType around = facts.symbols[symbol.parent].type;
        is_in_function = is_local[symbol.parent] || around == SymbolType::kFunction ||
                         around == SymbolType::kMethod;
      }
      is_local.push_back(is_in_function);
      if (is_in_function) continue;
      const std::string access = symbol.exported ? ":" : ":-";
      names.emplace(facts.package + access + symbol.kind + ":" + symbol.qualified_name,
                    symbol.name);
    }
    return names;
  };
  const auto old_names = declared(before);
  const auto new_names = declared(after);
  std::set<std::string> changed;
  for (const auto& [place, name] : old_names) {
    if (!new_names.contains(place)) changed.emplace(name);
  }
  for (const auto& [place, name] : new_names) {
    if (!old_names.contains(place)) changed.emplace(name);
  }
  return changed;
}

std::vector<std::uint32_t> import_lines(const parse::FileFacts& facts, const LineIndex& lines) {
  std::vector<std::uint32_t> result;
  result.reserve(facts.imports.size());
  for (const parse::Import& import : facts.imports) {
    result.push_back(lines.line_of(import.range.begin));
  }
  return result;
}

}  // namespace codexmem::graph
