// Tested by graph/subtypes_test.cpp.
#include "graph/core/subtypes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// Files with a type's name: all are read, or those that have another name too.
constexpr std::size_t kFewUsers = 60;
constexpr std::size_t kMaxNamingFiles = 400;
constexpr std::size_t kMaxSubtypes = 100;  // below or above one
constexpr std::size_t kFewMembers = 3;     // of which one is likely to be meant
constexpr std::size_t kMaxMembers = 200;   // of one name that are looked at

struct SubtypeMemory final : Resolver::Memory {
  std::map<std::pair<const FileModel*, std::uint32_t>, Entities> known;
};

bool holds(const Entities& entities, const Entity& wanted) {
  return std::ranges::any_of(entities, [&](const Entity& each) {
    return each.file == wanted.file && each.index == wanted.index &&
           (each.kind == EntityKind::kSymbol || is_instance(each));
  });
}

// Other names under which a file imports `name`.
std::vector<parse::NameId> names_for(const FileModel& file, std::string_view name) {
  std::vector<parse::NameId> names;
  const auto own = file.find_name(name);
  if (!own) return names;
  names.push_back(*own);
  for (const parse::Import& import : file.facts.imports) {
    for (const parse::ImportedName& imported : import.names) {
      if (imported.imported == *own && imported.local != kNoIndex && imported.local != *own) {
        names.push_back(imported.local);
      }
    }
  }
  return names;
}

Entities types_above(Resolver& resolver, const Entity& type) {
  Entities found = {type};
  for (std::size_t i = 0; i < found.size() && found.size() < kMaxSubtypes; ++i) {
    for (const Entity& base : resolver.supertypes(*found[i].file, found[i].index)) {
      const bool is_type = is_instance(base) || base.kind == EntityKind::kSymbol;
      if (is_type && !holds(found, base)) {
        found.push_back({EntityKind::kSymbol, base.file, base.index});
      }
    }
  }
  found.erase(found.begin());
  return found;
}

std::span<const std::uint32_t> members_called(const Entity& type, std::string_view name) {
  const auto id = type.file->find_name(name);
  return id ? type.file->members_of(type.index, *id) : std::span<const std::uint32_t>();
}

bool is_interface_type(const Entity& type) {
  return symbol_of(type).type == SymbolType::kInterface;
}

// The member `name` that `type` inherits: the first one above it.
Entities inherited(Resolver& resolver, const Entity& type, std::string_view name) {
  return resolver.members({{EntityKind::kInstance, type.file, type.index}}, name);
}

// True if a type below gets `own` from one above it and owes it to the other, `asked`.
bool implements(Resolver& resolver, const Entity& below, const Entity& own, const Entity& asked,
                std::string_view name) {
  const Entity own_type{EntityKind::kSymbol, own.file, own.file->owner_of(own.index)};
  const Entity asked_type{EntityKind::kSymbol, asked.file, asked.file->owner_of(asked.index)};
  if (is_interface_type(own_type)) return false;
  if (!own.file->semantics.overrides(*own.file, own.index, asked)) return false;
  if (is_interface_type(asked_type)) return true;
  const Entities first = inherited(resolver, below, name);
  return holds(first, own) && !holds(first, asked);
}

// The subtypes of `type`, which files `among` declare.
Entities subtypes_in(Resolver& resolver, const Entity& type, std::span<const store::FileId> among) {
  const std::string& name = symbol_of(type).name;
  Entities found;
  for (const store::FileId id : among) {
    const FileModel* user = resolver.model(id);
    if (user == nullptr) continue;
    const std::vector<parse::NameId> names = names_for(*user, name);
    for (const parse::Heritage& heritage : user->facts.heritage) {
      const parse::NameId base = user->facts.occurrences[heritage.occurrence].name;
      if (std::ranges::find(names, base) == names.end()) continue;
      if (!is_type_like(user->facts.symbols[heritage.symbol])) continue;
      if (!holds(resolver.resolve(*user, heritage.occurrence), type)) continue;
      add(found, {EntityKind::kSymbol, user, heritage.symbol});
    }
  }
  return found;
}

// Types below `type` that may also be below the owner of another member of `rows`. When many files
// name `type`, only types of files that also name such an owner.
Entities joining(Resolver& resolver, const Entity& type,
                 const std::vector<store::SymbolRow>& rows) {
  const Family family = type.file->family;
  std::vector<store::FileId> files = resolver.files_naming(family, symbol_of(type).name);
  if (files.size() <= kFewUsers) return types_below(resolver, *type.file, type.index);
  std::set<std::string> owners;
  for (const store::SymbolRow& row : rows) {
    if (!row.container.empty()) owners.insert(row.container.substr(row.container.rfind('.') + 1));
  }
  owners.erase(symbol_of(type).name);
  std::set<store::FileId> others;
  for (const std::string& owner : owners) {
    const std::vector<store::FileId> naming = resolver.files_naming(family, owner);
    if (naming.size() <= kMaxNamingFiles) others.insert(naming.begin(), naming.end());
  }
  std::erase_if(files, [&](store::FileId id) { return !others.contains(id); });
  if (files.size() > kFewUsers) files.resize(kFewUsers);
  return subtypes_in(resolver, type, files);
}

std::vector<Implied> joined(Resolver& resolver, const FileModel& file, std::uint32_t symbol,
                            bool is_above) {
  const std::uint32_t owner = file.owner_of(symbol);
  const parse::Symbol& at = file.facts.symbols[symbol];
  if (owner == kNoIndex || !is_type_like(file.facts.symbols[owner]) || is_type_like(at) ||
      file.is_library || !file.semantics.may_override(at.name)) {
    return {};
  }
  const auto& rows = resolver.symbol_rows(file.family, at.name);
  const auto others = std::ranges::count_if(
      rows, [](const store::SymbolRow& row) { return !row.container.empty(); });
  if (others < 2 || static_cast<std::size_t>(others) > kMaxMembers) return {};
  const Entity self{EntityKind::kSymbol, &file, symbol};
  const Entity type{EntityKind::kSymbol, &file, owner};
  const Entities above = types_above(resolver, type);
  std::vector<Implied> found;
  Entities seen;
  for (const Entity& below : joining(resolver, type, rows)) {
    if (!members_called(below, at.name).empty()) continue;
    for (const Entity& other : types_above(resolver, below)) {
      if (other.is_same(type) || other.file->is_library || holds(above, other)) continue;
      const auto members = members_called(other, at.name);
      if (members.empty() || holds(types_above(resolver, other), type)) continue;
      for (const std::uint32_t member : members) {
        const Entity there{EntityKind::kSymbol, other.file, member};
        if (holds(seen, there)) continue;
        if (is_above ? implements(resolver, below, self, there, at.name)
                     : implements(resolver, below, there, self, at.name)) {
          seen.push_back(there);
          found.push_back({other.file, member});
        }
      }
    }
  }
  return found;
}

}  // namespace

const Entities& subtypes(Resolver& resolver, const FileModel& file, std::uint32_t type) {
  const auto [at, is_new] = resolver.memory<SubtypeMemory>().known.try_emplace({&file, type});
  if (!is_new) return at->second;
  const std::string& name = file.facts.symbols[type].name;
  const std::vector<store::FileId> files = resolver.files_naming(file.family, name);
  if (file.is_library || files.size() > kMaxNamingFiles) return at->second;
  Entities found = subtypes_in(resolver, {EntityKind::kSymbol, &file, type}, files);
  // (Resolving may have asked for others.)
  return resolver.memory<SubtypeMemory>().known[{&file, type}] = std::move(found);
}

Entities types_below(Resolver& resolver, const FileModel& file, std::uint32_t type) {
  Entities found = {{EntityKind::kSymbol, &file, type}};
  for (std::size_t i = 0; i < found.size() && found.size() < kMaxSubtypes; ++i) {
    const Entity at = found[i];
    for (const Entity& below : subtypes(resolver, *at.file, at.index)) add(found, below);
  }
  found.erase(found.begin());
  return found;
}

std::vector<Implied> joined_above(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  return joined(resolver, file, symbol, /*is_above=*/true);
}

std::vector<Implied> joined_below(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  return joined(resolver, file, symbol, /*is_above=*/false);
}

Entities members_below(Resolver& resolver, const Entity& owner,
                       const std::function<Entities(const Entity&)>& lookup) {
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit() || owner.file->is_library || !is_type_like(symbol_of(owner))) return {};
  Entities found;
  bool has_each = true;
  for (const Entity& type : types_below(resolver, *owner.file, owner.index)) {
    const Entities members = lookup({EntityKind::kInstance, type.file, type.index});
    bool has_one = false;
    for (const Entity& member : members) {
      if (member.kind != EntityKind::kSymbol) continue;
      has_one = true;
      add(found, {EntityKind::kSymbol, member.file, member.index});
    }
    const bool is_last = subtypes(resolver, *type.file, type.index).empty();
    has_each = has_each && (has_one || !is_last);
  }
  if (found.empty()) return {};
  if (!has_each && found.size() > kFewMembers) return {kElsewhereEntity};
  add(found, kUnknownEntity);
  return found;
}

Entities members_beside(Resolver& resolver, const Entity& type, std::string_view name) {
  const auto naming = resolver.files_naming(type.file->family, symbol_of(type).name);
  const Entities below = types_below(resolver, *type.file, type.index);
  if (naming.size() > kMaxNamingFiles || below.size() + 1 >= kMaxSubtypes) return {kUnknownEntity};
  const Entities above = types_above(resolver, type);
  Entities found;
  for (const Entity& subtype : below) {
    for (const Entity& other : types_above(resolver, subtype)) {
      if (other.is_same(type) || holds(above, other) || holds(below, other)) continue;
      for (const std::uint32_t member : members_called(other, name)) {
        add(found, {EntityKind::kSymbol, other.file, member});
      }
    }
  }
  return found;
}

}  // namespace codexmem::graph
