#include "graph/java/java_packages.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/path.h"
#include "graph/core/resolver_step.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {
namespace {

// Types of one name that lie outside of their package's folder: more are not looked at.
constexpr std::size_t kMaxMisplaced = 8;
constexpr std::size_t kMaxParts = 24;  // of a dotted name

struct PackageMemory final : Resolver::Memory {
  std::map<std::pair<std::string, std::string>, Entities> types;  // by package and name
};

std::string folder_of_package(std::string_view package) {
  std::string folder(package);
  std::ranges::replace(folder, '.', '/');
  return folder;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool ends_with_folder(std::string_view folder, std::string_view ending) {
  if (ending.empty()) return true;
  return folder.ends_with(ending) &&
         (folder.size() == ending.size() || folder[folder.size() - ending.size() - 1] == '/');
}

const Entities& all_types(Resolver& resolver, std::string_view package, std::string_view name,
                          Family family) {
  auto& known = resolver.memory<PackageMemory>().types;
  const auto [at, is_new] =
      known.try_emplace(std::pair(std::string(package), std::string(name)), Entities{});
  if (!is_new) return at->second;
  Entities& found = at->second;
  const std::string folder = folder_of_package(package);
  std::vector<const store::SymbolRow*> misplaced;
  const auto take = [&](const store::SymbolRow& row) {
    const auto symbol = resolver.symbol(row.id);
    if (symbol && symbol->file->facts.package == package) add(found, *symbol);
  };
  for (const store::SymbolRow& row : resolver.symbol_rows(family, std::string(name))) {
    const bool is_type = row.type == SymbolType::kClass || row.type == SymbolType::kInterface ||
                         row.type == SymbolType::kType;
    if (!is_type || !row.container.empty()) continue;
    const store::FileRow* file = resolver.files().find(store::file_of(row.id));
    if (file == nullptr) continue;
    if (ends_with_folder(folder_of(file->path), folder)) {
      take(row);
    } else {
      misplaced.push_back(&row);
    }
  }
  if (found.empty() && misplaced.size() <= kMaxMisplaced) {
    for (const store::SymbolRow* row : misplaced) take(*row);
  }
  return found;
}

}  // namespace

Entities package_type(Resolver& resolver, std::string_view package, std::string_view name,
                      const FileModel* importer) {
  const Family family = importer == nullptr ? family_of("java") : importer->family;
  Entities found = all_types(resolver, package, name, family);
  if (found.empty()) {
    // A class of the library.
    std::string unit = folder_of_package(package);
    if (!unit.empty()) unit += '/';
    const FileModel* file = resolver.library(semantics_of(family), unit + std::string(name));
    const auto id = file == nullptr ? std::nullopt : file->find_name(name);
    if (id) {
      for (const std::uint32_t symbol : file->members_of(parse::kNoIndex, *id)) {
        add(found, {EntityKind::kSymbol, file, symbol});
      }
    }
    return found;
  }
  if (found.size() < 2 || importer == nullptr) return found;
  std::size_t best = 0;
  for (const Entity& type : found)
    best = std::max(best, shared_folders(type.file->path, importer->path));
  std::erase_if(found, [&](const Entity& type) {
    return shared_folders(type.file->path, importer->path) < best;
  });
  return found;
}

Entities qualified_type(Resolver& resolver, std::string_view path, const FileModel* importer) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= path.size() && parts.size() < kMaxParts;) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  // The first capital is the type's, as a rule.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].empty() && parts[i].front() >= 'A' && parts[i].front() <= 'Z') {
      order.push_back(i);
      break;
    }
  }
  for (std::size_t i = parts.size(); i > 0; --i) {
    if (order.empty() || order.front() != i - 1) order.push_back(i - 1);
  }
  for (const std::size_t at : order) {
    const std::size_t length =
        at == 0 ? 0 : static_cast<std::size_t>(parts[at].data() - path.data()) - 1;
    Entities types = package_type(resolver, path.substr(0, length), parts[at], importer);
    for (std::size_t i = at + 1; i < parts.size() && !types.empty(); ++i) {
      types = members_for(resolver, types, parts[i], NameUse::kType);
      std::erase_if(types, [](const Entity& type) { return type.kind != EntityKind::kSymbol; });
    }
    if (!types.empty()) return types;
  }
  return {};
}

}  // namespace codexmem::graph
