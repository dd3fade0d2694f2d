#include "graph/jvm/jvm_packages.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/path.h"
#include "graph/core/resolver_step.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxParts = 24;    // of a dotted name
constexpr std::size_t kMaxLooked = 256;  // declarations of one name

struct PackageMemory final : Resolver::Memory {
  std::map<std::pair<std::string, std::string>, Entities> types;       // by package and name
  std::set<std::pair<const FileModel*, std::uint32_t>> private_types;  // of their files
  struct Member {
    Entity entity;
    std::string package;
    bool is_private = false;  // of its file
  };
  std::map<std::string, std::vector<Member>, std::less<>> members;  // by name
};

constexpr std::string_view kLanguages[] = {"java", "kotlin"};
constexpr std::string_view kFilePrefixes[] = {"get", "is", "set"};
constexpr std::string_view kOfFile = "Kt";

bool is_private(const store::SymbolRow& row) { return row.is(store::Modifier::kPrivate); }

std::string folder_of_package(std::string_view package) {
  std::string folder(package);
  std::ranges::replace(folder, '.', '/');
  return folder;
}

bool ends_with_folder(std::string_view folder, std::string_view ending) {
  if (ending.empty()) return true;
  return folder.ends_with(ending) &&
         (folder.size() == ending.size() || folder[folder.size() - ending.size() - 1] == '/');
}

// UtilKt: the file util.kt.
Entities file_of_package(Resolver& resolver, std::string_view package, std::string_view name) {
  if (!name.ends_with(kOfFile) || name.size() == kOfFile.size()) return {};
  const std::string_view stem = name.substr(0, name.size() - kOfFile.size());
  Entities found;
  for (const store::FileRow& row : resolver.files().rows()) {
    if (row.language != "kotlin") continue;
    const std::string_view own = file_stem(row.path);
    const bool is_alike =
        own == stem || (own.size() == stem.size() && !own.empty() &&
                        own.substr(1) == stem.substr(1) && (own[0] & ~0x20) == stem[0]);
    if (!is_alike) continue;
    const FileModel* file = resolver.model(row.id);
    if (file != nullptr && file->facts.package == package) {
      add(found, {EntityKind::kModule, file});
    }
  }
  return found;
}

const Entities& all_types(Resolver& resolver, std::string_view package, std::string_view name) {
  auto& known = resolver.memory<PackageMemory>().types;
  const auto [at, is_new] =
      known.try_emplace(std::pair(std::string(package), std::string(name)), Entities{});
  if (!is_new) return at->second;
  Entities& found = at->second;
  const std::string folder = folder_of_package(package);
  std::vector<const store::SymbolRow*> misplaced;
  const auto take = [&](const store::SymbolRow& row) {
    const auto symbol = resolver.symbol(row.id);
    if (!symbol || symbol->file->facts.package != package) return;
    add(found, *symbol);
    if (is_private(row)) {
      resolver.memory<PackageMemory>().private_types.emplace(symbol->file, symbol->index);
    }
  };
  for (const std::string_view language : kLanguages) {
    for (const store::SymbolRow& row :
         resolver.symbol_rows(family_of(language), std::string(name))) {
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
  }
  std::size_t looked = 0;
  for (const store::SymbolRow* row : misplaced) {
    if (!found.empty() || ++looked > kMaxLooked) break;
    take(*row);
  }
  if (found.empty()) found = file_of_package(resolver, package, name);
  return found;
}

// Unit `package/name` of a library.
const FileModel* unit_of(Resolver& resolver, std::string_view language, std::string_view package,
                         std::string_view name) {
  std::string unit = folder_of_package(package);
  if (!unit.empty()) unit += '/';
  return resolver.library(semantics_of(family_of(language)), unit + std::string(name));
}

Entities library_type_of(Resolver& resolver, std::string_view package, std::string_view name) {
  Entities found;
  const bool is_kotlin = package == "kotlin" || package.starts_with("kotlin.");
  const FileModel* file = unit_of(resolver, is_kotlin ? "kotlin" : "java", package, name);
  const auto id = file == nullptr ? std::nullopt : file->find_name(name);
  if (!id) return found;
  for (const std::uint32_t symbol : file->members_of(parse::kNoIndex, *id)) {
    if (is_type_like(file->facts.symbols[symbol])) add(found, {EntityKind::kSymbol, file, symbol});
  }
  return found;
}

// Of declarations in several files, keeps the nearest ones.
void keep_nearest(Entities& found, const FileModel* importer) {
  if (found.size() < 2 || importer == nullptr) return;
  std::size_t best = 0;
  for (const Entity& type : found)
    best = std::max(best, shared_folders(type.file->path, importer->path));
  std::erase_if(found, [&](const Entity& type) {
    return shared_folders(type.file->path, importer->path) < best;
  });
}

char with_case(char c, bool is_upper) {
  const bool is_other = is_upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z';
  return is_other ? static_cast<char>(c ^ 0x20) : c;
}

}  // namespace

Entities package_type(Resolver& resolver, std::string_view package, std::string_view name,
                      const FileModel* importer) {
  if (importer != nullptr && importer->is_library) return library_type_of(resolver, package, name);
  Entities found = all_types(resolver, package, name);
  const auto& hidden = resolver.memory<PackageMemory>().private_types;
  std::erase_if(found, [&](const Entity& type) {
    return importer != nullptr && type.file != importer && hidden.contains({type.file, type.index});
  });
  if (found.empty()) return library_type_of(resolver, package, name);
  keep_nearest(found, importer);
  return found;
}

Entities package_members(Resolver& resolver, std::string_view package, std::string_view name,
                         const FileModel* importer) {
  Entities found;
  if (importer == nullptr || !importer->is_library) {
    auto& known = resolver.memory<PackageMemory>().members;
    auto at = known.find(name);
    if (at == known.end()) {
      std::vector<PackageMemory::Member> all;
      for (const store::SymbolRow& row :
           resolver.symbol_rows(family_of("kotlin"), std::string(name))) {
        const bool is_type = row.type == SymbolType::kClass || row.type == SymbolType::kInterface ||
                             row.type == SymbolType::kType;
        if (is_type || (!row.container.empty() && row.kind != "extension")) continue;
        const auto symbol = resolver.symbol(row.id);
        if (!symbol || symbol->file->owner_of(symbol->index) != parse::kNoIndex) continue;
        all.push_back({*symbol, symbol->file->facts.package, is_private(row)});
        if (all.size() >= kMaxLooked) break;
      }
      at = known.emplace(std::string(name), std::move(all)).first;
    }
    for (const PackageMemory::Member& member : at->second) {
      if (member.package != package) continue;
      if (!member.is_private || member.entity.file == importer) add(found, member.entity);
    }
  }
  const FileModel* unit = unit_of(resolver, "kotlin", package, name);
  const auto id = unit == nullptr ? std::nullopt : unit->find_name(name);
  if (!id) return found;
  for (const std::uint32_t symbol : unit->members_of(parse::kNoIndex, *id)) {
    if (!is_type_like(unit->facts.symbols[symbol])) add(found, {EntityKind::kSymbol, unit, symbol});
  }
  return found;
}

std::string accessor_of(std::string_view prefix, std::string_view property) {
  if (property.size() > 2 && property.starts_with("is") && property[2] >= 'A' &&
      property[2] <= 'Z') {
    return prefix == "set" ? "set" + std::string(property.substr(2)) : std::string(property);
  }
  std::string name(prefix);
  if (property.empty()) return name;
  name += with_case(property[0], true);
  return name += property.substr(1);
}

std::string property_of(std::string_view accessor) {
  for (const std::string_view prefix : kFilePrefixes) {
    if (!accessor.starts_with(prefix) || accessor.size() == prefix.size()) continue;
    const std::string_view rest = accessor.substr(prefix.size());
    if (rest[0] < 'A' || rest[0] > 'Z') continue;
    if (prefix == "is") return std::string(accessor);
    // getURL: url
    std::string name(rest);
    for (std::size_t i = 0; i < name.size() && name[i] >= 'A' && name[i] <= 'Z'; ++i) {
      const bool is_last = i > 0 && i + 1 < name.size() && (name[i + 1] < 'A' || name[i + 1] > 'Z');
      if (is_last) break;
      name[i] = with_case(name[i], false);
    }
    return name;
  }
  return {};
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
