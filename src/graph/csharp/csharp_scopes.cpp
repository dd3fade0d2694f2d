// Tested by graph/csharp_test.cpp.
#include "graph/csharp/csharp_scopes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/path.h"
#include "graph/core/project_tree.h"
#include "graph/core/resolver_step.h"
#include "graph/csharp/csharp_projects.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ScopeKind;

constexpr std::size_t kMaxTypeParts = 64;     // of a partial type
constexpr std::size_t kMaxNameParts = 24;     // of a dotted name
constexpr std::size_t kMaxSharedFiles = 256;  // with global usings

// Implicit usings of a project.
constexpr std::string_view kImplicitUsings[] = {
    "System",           "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http",
    "System.Threading", "System.Threading.Tasks"};

// Classes of the library with extension methods.
constexpr std::string_view kExtensionClasses[] = {"System.Linq.Enumerable",
                                                  "System.Linq.Queryable",
                                                  "System.Collections.Generic.CollectionExtensions",
                                                  "System.MemoryExtensions",
                                                  "System.Reflection.CustomAttributeExtensions",
                                                  "System.Reflection.RuntimeReflectionExtensions",
                                                  "System.Reflection.TypeExtensions",
                                                  "System.Threading.Tasks.TaskExtensions"};

struct CSharpMemory final : Resolver::Memory {
  std::map<std::string, bool, std::less<>> namespaces;
  std::map<std::pair<std::string, std::string>, Entities> types;  // by namespace and name
  std::map<std::pair<const FileModel*, std::uint32_t>, Entities> parts;
  std::map<std::pair<const FileModel*, std::uint32_t>, std::vector<std::string>> seen;  // by scope
  struct Shared {
    std::string folder;  // whose files have it
    std::string path;
  };
  std::vector<Shared> shared;  // global usings
  bool has_shared = false;
  std::map<std::string, std::string, std::less<>> projects;  // folders of projects, by folder
};

bool declares_type(const store::SymbolRow& row) {
  return (row.type == SymbolType::kClass || row.type == SymbolType::kInterface ||
          row.type == SymbolType::kType) &&
         row.kind != "namespace";
}

bool is_partial(const store::SymbolRow& row) { return row.is(store::Modifier::kPartial); }

std::string_view inner_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

std::string_view outer_path(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

std::string path_in(std::string_view path, std::string_view name) {
  std::string whole(path);
  if (!whole.empty()) whole += '.';
  return whole += name;
}

Family csharp_family() { return family_of("csharp"); }

bool is_library_namespace(std::string_view path) {
  static const std::set<std::string, std::less<>> all = [] {
    std::set<std::string, std::less<>> paths;
    for (const std::string& unit : semantics_of(csharp_family()).library_units().names()) {
      for (std::string_view at = outer_path(unit); !at.empty(); at = outer_path(at)) {
        paths.emplace(at);
      }
    }
    return paths;
  }();
  return all.contains(path);
}

// The types called `name` in a unit of the library.
Entities unit_types(Resolver& resolver, std::string_view path, std::string_view name) {
  Entities found;
  const FileModel* unit = resolver.library(semantics_of(csharp_family()), path_in(path, name));
  const auto id = unit == nullptr ? std::nullopt : unit->find_name(name);
  if (!id) return found;
  for (std::uint32_t i = 0; i < unit->facts.symbols.size(); ++i) {
    const parse::Symbol& symbol = unit->facts.symbols[i];
    const bool is_top =
        symbol.parent == kNoIndex || unit->facts.symbols[symbol.parent].kind == "namespace";
    if (is_top && symbol.name == name && is_type_like(symbol) && symbol.kind != "namespace") {
      add(found, {EntityKind::kSymbol, unit, i});
    }
  }
  return found;
}

// The folder of the project that a folder belongs to: the nearest with a project file; else itself.
std::string project_of(Resolver& resolver, std::string_view folder) {
  auto& known = resolver.memory<CSharpMemory>().projects;
  if (known.empty()) {
    for (const store::FileRow& row : resolver.files().rows()) {
      if (row.path.ends_with(".csproj")) known.emplace(folder_of(row.path), folder_of(row.path));
    }
    known.emplace("\n", "");  // they were read
  }
  for (std::string_view at = folder;; at = folder_of(at)) {
    if (known.contains(at)) return std::string(at);
    if (at.empty()) return std::string(folder);
  }
}

const std::vector<CSharpMemory::Shared>& shared_usings(Resolver& resolver) {
  auto& memory = resolver.memory<CSharpMemory>();
  if (std::exchange(memory.has_shared, true)) return memory.shared;
  for (const store::FileRow& row : resolver.files().rows()) {
    const std::string_view name = file_name(row.path);
    if (!row.path.ends_with(".csproj") && name != "Directory.Build.props") continue;
    const auto text = resolver.text_of(row.id);
    if (!text) continue;
    for (const std::string& path : usings_of_project(*text)) {
      memory.shared.push_back({std::string(folder_of(row.path)), path});
    }
  }
  std::size_t count = 0;
  for (const store::FileId id : resolver.files_naming(csharp_family(), "global")) {
    if (++count > kMaxSharedFiles) break;
    const FileModel* file = resolver.model(id);
    if (file == nullptr) continue;
    for (const parse::Import& import : file->facts.imports) {
      if (import.kind != parse::ImportKind::kReexport || !import.from_import) continue;
      memory.shared.push_back({project_of(resolver, folder_of(file->path)), import.path});
    }
  }
  return memory.shared;
}

bool is_in_folder(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

}  // namespace

bool is_namespace(Resolver& resolver, std::string_view path) {
  if (path.empty()) return true;
  auto& known = resolver.memory<CSharpMemory>().namespaces;
  if (const auto at = known.find(path); at != known.end()) return at->second;
  const std::string_view outer = outer_path(path);
  const auto& rows = resolver.symbol_rows(csharp_family(), std::string(inner_name(path)));
  const bool is_own = std::ranges::any_of(rows, [&](const store::SymbolRow& row) {
    return row.kind == "namespace" && row.container == outer;
  });
  return known[std::string(path)] = is_own || is_library_namespace(path);
}

Entities namespace_types(Resolver& resolver, std::string_view path, std::string_view name,
                         const FileModel* importer) {
  if (importer != nullptr && importer->is_library) return unit_types(resolver, path, name);
  auto& known = resolver.memory<CSharpMemory>().types;
  const auto [at, is_new] =
      known.try_emplace(std::pair(std::string(path), std::string(name)), Entities{});
  if (is_new) {
    Entities all;
    std::set<std::size_t> partial;  // numbers of type parameters
    for (const store::SymbolRow& row : resolver.symbol_rows(csharp_family(), std::string(name))) {
      if (!declares_type(row) || row.container != path) continue;
      const auto symbol = resolver.symbol(row.id);
      if (!symbol) continue;
      if (is_partial(row) &&
          !partial.insert(symbol->file->type_parameters_of(symbol->index).size()).second) {
        continue;
      }
      add(all, *symbol);
      if (all.size() > kMaxAlternatives) break;
    }
    if (all.empty()) all = unit_types(resolver, path, name);
    known[std::pair(std::string(path), std::string(name))] = std::move(all);
  }
  Entities found = known.at(std::pair(std::string(path), std::string(name)));
  if (found.size() < 2 || importer == nullptr) return found;
  // Of one number of type parameters those that are nearest.
  std::map<std::size_t, std::size_t> best;
  const auto arity = [](const Entity& type) {
    return type.file->type_parameters_of(type.index).size();
  };
  const auto nearness = [&](const Entity& type) {
    return shared_folders(type.file->path, importer->path);
  };
  for (const Entity& type : found) {
    std::size_t& most = best[arity(type)];
    most = std::max(most, nearness(type));
  }
  std::erase_if(found, [&](const Entity& type) { return nearness(type) < best[arity(type)]; });
  return found;
}

Entities qualified_types(Resolver& resolver, std::string_view path, const FileModel* importer) {
  path = path.substr(0, path.find('<'));
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= path.size() && parts.size() < kMaxNameParts;) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  for (std::size_t i = parts.size(); i-- > 0;) {
    const std::size_t length =
        i == 0 ? 0 : static_cast<std::size_t>(parts[i].data() - path.data()) - 1;
    Entities types = namespace_types(resolver, path.substr(0, length), parts[i], importer);
    for (std::size_t k = i + 1; k < parts.size() && !types.empty(); ++k) {
      types = members_for(resolver, types, parts[k], NameUse::kType);
      std::erase_if(types, [](const Entity& type) { return type.kind != EntityKind::kSymbol; });
    }
    if (!types.empty()) return types;
  }
  return {};
}

std::string namespace_at(const FileModel& file, std::uint32_t scope) {
  const std::uint32_t symbol = file.facts.scopes[scope].symbol;
  return symbol == kNoIndex ? std::string() : file.qualified_name(symbol);
}

std::vector<std::string> usings_in(Resolver& resolver, const FileModel& file, std::uint32_t scope) {
  std::vector<std::string> paths;
  const auto add_path = [&](std::string path) {
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
  };
  std::string around;
  if (file.facts.scopes[scope].kind == ScopeKind::kNamespace) around = namespace_at(file, scope);
  for (const parse::Import& import : file.facts.imports) {
    if (!import.from_import || import.scope != scope) continue;
    std::string path = import.path;
    // In a namespace a path may begin in one around.
    for (std::string_view outer = around; !outer.empty(); outer = outer_path(outer)) {
      const std::string inner = path_in(outer, import.path);
      if (!is_namespace(resolver, inner)) continue;
      path = inner;
      break;
    }
    add_path(std::move(path));
  }
  if (scope != 0 || file.is_library) return paths;
  for (const CSharpMemory::Shared& shared : shared_usings(resolver)) {
    if (is_in_folder(file.path, shared.folder)) add_path(shared.path);
  }
  for (const std::string_view path : kImplicitUsings) add_path(std::string(path));
  return paths;
}

const std::vector<std::string>& namespaces_seen(Resolver& resolver, const FileModel& file,
                                                std::uint32_t offset) {
  std::uint32_t scope = file.scope_at(offset);
  while (scope != 0 && file.facts.scopes[scope].kind != ScopeKind::kNamespace) {
    scope = file.facts.scopes[scope].parent;
  }
  auto& known = resolver.memory<CSharpMemory>().seen;
  if (const auto at = known.find({&file, scope}); at != known.end()) return at->second;
  std::vector<std::string> paths;
  for (std::uint32_t at = scope; at != kNoIndex; at = file.facts.scopes[at].parent) {
    if (file.facts.scopes[at].kind == ScopeKind::kNamespace) {
      const std::string own = namespace_at(file, at);
      for (std::string_view path = own; !path.empty(); path = outer_path(path)) {
        paths.emplace_back(path);
      }
    }
    for (std::string& path : usings_in(resolver, file, at)) paths.push_back(std::move(path));
  }
  paths.emplace_back();
  return known[{&file, scope}] = std::move(paths);
}

const Entities& other_parts(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  static const Entities kNone;
  const parse::Symbol& own = file.facts.symbols[symbol];
  const bool is_type = is_type_like(own);
  if (file.is_library || (!is_type && !is_callable(own))) return kNone;
  auto& known = resolver.memory<CSharpMemory>().parts;
  if (const auto at = known.find({&file, symbol}); at != known.end()) return at->second;
  known[{&file, symbol}];  // empty while it is computed, so that recursion ends
  Entities found;
  const Entity entity{EntityKind::kSymbol, &file, symbol};
  const store::SymbolRow* own_row = resolver.row_of(file, symbol);
  if (own_row == nullptr || !is_partial(*own_row)) return kNone;
  const std::string qualified = file.qualified_name(symbol);
  const std::string container(outer_path(qualified));
  const std::size_t parameters = file.type_parameters_of(symbol).size();
  for (const store::SymbolRow& row : resolver.symbol_rows(csharp_family(), own.name)) {
    if (row.type != own.type || row.container != container || !is_partial(row)) continue;
    const auto other = resolver.symbol(row.id);
    if (!other || *other == entity) continue;
    if (other->file->type_parameters_of(other->index).size() != parameters) continue;
    if (!is_type && !take_the_same(resolver, entity, *other)) continue;
    found.push_back(*other);
    if (found.size() >= kMaxTypeParts) break;
  }
  return known[{&file, symbol}] = std::move(found);
}

Entities extension_methods(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                           std::string_view name) {
  Entities found;
  const std::vector<std::string>& seen = namespaces_seen(resolver, file, offset);
  const auto is_seen = [&](std::string_view type) {
    return std::ranges::find(seen, outer_path(type)) != seen.end() ||
           std::ranges::find(seen, type) != seen.end();
  };
  if (!file.is_library) {
    for (const store::SymbolRow& row : resolver.symbol_rows(csharp_family(), std::string(name))) {
      if (row.kind != "extension" || !is_seen(row.container)) continue;
      if (const auto symbol = resolver.symbol(row.id)) add(found, *symbol);
      if (found.size() > kMaxAlternatives) return {};
    }
  }
  for (const std::string_view type : kExtensionClasses) {
    if (!is_seen(type)) continue;
    for (const Entity& owner : unit_types(resolver, outer_path(type), inner_name(type))) {
      const auto id = owner.file->find_name(name);
      if (!id) continue;
      for (const std::uint32_t member : owner.file->members_of(owner.index, *id)) {
        if (owner.file->facts.symbols[member].kind != "extension") continue;
        add(found, {EntityKind::kSymbol, owner.file, member});
      }
    }
  }
  return found;
}

}  // namespace codexmem::graph
