#include "graph/import_resolver.h"

#include <algorithm>
#include <utility>

#include "graph/ecma/ecmascript_resolver.h"
#include "graph/core/project_tree.h"
#include "graph/python/python_resolver.h"

namespace codexmem::graph {
namespace {

// The names of an import, each once, in source order.
std::vector<std::string> imported_names(const parse::FileFacts& facts,
                                        const parse::Import& import) {
  std::vector<std::string> names;
  for (const parse::ImportedName& name : import.names) {
    const std::string& text = facts.names[name.imported];
    if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
  }
  return names;
}

std::string_view import_type(parse::ImportKind kind) {
  if (kind == parse::ImportKind::kDocumented) return store::kDocumentedImport;
  return kind == parse::ImportKind::kRequire ? "require" : "import";
}

}  // namespace

bool is_configuration(std::string_view path) {
  const std::string_view name = base_name(path);
  return name == "tsconfig.json" || name == "jsconfig.json" || name == "package.json" ||
         name == "pnpm-workspace.yaml" || name == "pyproject.toml" || name == "setup.cfg" ||
         name == "setup.py" || name == "pytest.ini" || name == "tox.ini" ||
         name == "pyrightconfig.json";
}

struct ImportResolver::Impl {
  Impl(std::span<const ProjectFile> files, ConfigSource& config, std::vector<std::string> unindexed)
      : tree(files, config, std::move(unindexed)), ecmascript(tree), python(tree) {}

  ResolvedImport resolve_ecmascript(std::string_view source, const parse::FileFacts& facts,
                                    const parse::Import& import) {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    const EcmaScriptTarget& target =
        ecmascript.resolve(source, import.path, import.kind == parse::ImportKind::kRequire);
    resolved.is_external = target.is_external;
    resolved.package = target.package;
    if (target.file != nullptr) {
      resolved.targets.push_back({target.file->id, target.file->path, "", resolved.symbols});
    }
    return resolved;
  }

  ResolvedImport resolve_python(std::string_view source, const parse::FileFacts& facts,
                                const parse::Import& import) {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    const PythonModule module = python.resolve(source, import.path);
    if (!module.found()) {
      resolved.is_external = module.is_external;
      if (module.is_external) resolved.package = import.path.substr(0, import.path.find('.'));
      return resolved;
    }
    std::vector<std::string> own;
    std::vector<ImportTarget> submodules;
    for (const std::string& name : resolved.symbols) {
      if (import.from_import && name != "*") {
        const PythonModule submodule = python.find_submodule(module, name);
        if (submodule.file != nullptr) {
          const std::string_view dot = import.path.ends_with(".") ? "" : ".";
          submodules.push_back({submodule.file->id,
                                submodule.file->path,
                                import.path + std::string(dot) + name,
                                {name}});
          continue;
        }
      }
      own.push_back(name);
    }
    if (module.file != nullptr) {
      resolved.targets.push_back({module.file->id, module.file->path, import.path, std::move(own)});
    }
    for (ImportTarget& submodule : submodules) resolved.targets.push_back(std::move(submodule));
    if (resolved.targets.empty() && !import.path.starts_with(".") && module.file == nullptr) {
      // A folder that holds none of the names: some other package of the same name is meant.
      resolved.is_external = true;
      resolved.package = import.path.substr(0, import.path.find('.'));
    }
    return resolved;
  }

  ProjectTree tree;
  EcmaScriptResolver ecmascript;
  PythonResolver python;
};

ImportResolver::ImportResolver(std::span<const ProjectFile> files, ConfigSource& config,
                               std::vector<std::string> unindexed)
    : impl_(std::make_unique<Impl>(files, config, std::move(unindexed))) {}
ImportResolver::~ImportResolver() = default;
ImportResolver::ImportResolver(ImportResolver&&) noexcept = default;
ImportResolver& ImportResolver::operator=(ImportResolver&&) noexcept = default;

ResolvedImport ImportResolver::resolve(std::string_view source, const parse::FileFacts& facts,
                                       std::uint32_t import) {
  const parse::Import& statement = facts.imports[import];
  if (PythonResolver::is_source(source)) return impl_->resolve_python(source, facts, statement);
  return impl_->resolve_ecmascript(source, facts, statement);
}

std::vector<store::DependencyRow> ImportResolver::make_dependencies(
    const ProjectFile& source, const parse::FileFacts& facts,
    std::span<const std::uint32_t> lines) {
  std::vector<store::DependencyRow> rows;
  rows.reserve(facts.imports.size());
  for (std::uint32_t i = 0; i < facts.imports.size(); ++i) {
    ResolvedImport resolved = resolve(source.path, facts, i);
    store::DependencyRow row;
    row.source = source.id;
    row.import_path = facts.imports[i].path;
    row.import_type = import_type(facts.imports[i].kind);
    row.import_index = i;
    row.line = i < lines.size() ? lines[i] : 0;
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

std::vector<std::uint32_t> import_lines(const parse::FileFacts& facts, const LineIndex& lines) {
  std::vector<std::uint32_t> result;
  result.reserve(facts.imports.size());
  for (const parse::Import& import : facts.imports) {
    result.push_back(lines.line_of(import.range.begin));
  }
  return result;
}

}  // namespace codexmem::graph
