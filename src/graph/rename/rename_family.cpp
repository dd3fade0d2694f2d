// Which definitions share a name by necessity: a closure over a few rules. Declarations of one
// symbol (overloads, a getter and its setter, an interface that is declared twice) by their owner
// and name; a class and its constructors; a key of an object and the member that its place expects;
// members of a type and of its supertype, of any kind: a method, a field, a member made by an
// assignment. The last rule covers more than overriding: a private method and a method of the same
// name in a subtype are renamed together, which is also correct and needs no rules of languages.
//
// All symbols of the name are looked at, not all subtypes: a base class can have thousands, of
// which few have the member. Cost: the supertypes of the owners of all members of the name.
//
// Tested by git/rename_test.py.
#include "graph/rename/rename_family.h"

#include <algorithm>

#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/nominal/members.h"
#include "graph/rename/rename_given.h"
#include "graph/rename/rename_reach.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// True for a constructor that has its class's name, where the language has these.
bool makes_its_class(const FileModel& file, std::uint32_t symbol) {
  return file.semantics.traits().overloads_are_distinct && is_constructor(file, symbol);
}

// False for a constructor, and for a component of a Java record, whose accessor has its name.
bool is_plain_member(const UsageTarget& at) {
  const std::uint32_t owner = at.file->owner_of(at.symbol);
  if (owner == kNoIndex) return at.file->is_member(at.symbol);
  const auto& symbols = at.file->facts.symbols;
  const bool is_component = at.file->language == "java" && !is_callable(symbols[at.symbol]) &&
                            symbols[at.symbol].range.begin < symbols[owner].body.begin;
  return !is_component && !is_constructor(*at.file, at.symbol);
}

}  // namespace

bool are_apart(const UsageTarget& a, const UsageTarget& b) {
  const auto is_function = [](const UsageTarget& each) {
    return is_callable(each.file->facts.symbols[each.symbol]);
  };
  return is_one_of(a.file->language, {"java", "kotlin", "php", "rust"}) &&
         is_function(a) != is_function(b) && is_plain_member(a) && is_plain_member(b);
}

std::vector<std::string_view> path_parents(const std::vector<UsageTarget>& members) {
  std::set<std::string_view> parents;
  for (const UsageTarget& member : members) {
    parents.insert(file_stem(member.file->path));
    parents.insert(file_name(folder_of(member.file->path)));
    const std::uint32_t owner = member.file->owner_of(member.symbol);
    if (owner != kNoIndex) parents.insert(member.file->facts.symbols[owner].name);
  }
  parents.erase("");
  return {parents.begin(), parents.end()};
}

void RenameFamily::take(const FileModel& file, std::uint32_t symbol) {
  if (file.is_library || !known_.emplace(&file, symbol).second) return;
  members_.push_back({&file, symbol});
  has_members_ = has_members_ || file.is_member(symbol);
}

void RenameFamily::add_alone(const FileModel& file, std::uint32_t symbol) {
  take(file, symbol);
  if (const auto owner = owner_type(file, symbol)) owners_.emplace(owner->file, owner->symbol);
}

Result<void> RenameFamily::add(const FileModel& file, std::uint32_t symbol) {
  std::size_t next = members_.size();
  take(file, symbol);
  for (; next < members_.size(); ++next) {
    CODEXMEM_TRY(go_on());
    const UsageTarget member = members_[next];
    add_siblings(*member.file, member.symbol);
    add_other_builds(*member.file, member.symbol);
    add_expected(*member.file, member.symbol);
    CODEXMEM_TRY(add_given(*member.file, member.symbol));
    for (const Entity& other : resolver_.merged_with(*member.file, member.symbol)) {
      if (other.kind == EntityKind::kSymbol) take(*other.file, other.index);
    }
    for (const auto& [other, index] :
         member.file->semantics.named_after(resolver_, *member.file, member.symbol)) {
      take(*other, index);
    }
    CODEXMEM_TRY(add_relatives(*member.file, member.symbol));
  }
  return resolver_.status();
}

// Other declarations in its file, and the constructors named like their class.
void RenameFamily::add_siblings(const FileModel& file, std::uint32_t symbol) {
  const parse::Symbol& at = file.facts.symbols[symbol];
  const auto name = file.find_name(at.name);
  if (!name) return;
  const std::uint32_t owner = file.owner_of(symbol);
  const std::string path = file.qualified_name(symbol);
  for (std::uint32_t other = 0; other < file.facts.symbols.size(); ++other) {
    if (file.facts.symbols[other].name == at.name && file.qualified_name(other) == path &&
        !are_apart({&file, symbol}, {&file, other})) {
      take(file, other);
    }
  }
  if (makes_its_class(file, symbol)) take(file, owner);
  for (const std::uint32_t inner : file.members_of(symbol, *name)) {
    if (makes_its_class(file, inner)) take(file, inner);
  }
}

// In C and C++ the include path of a build chooses one of several files of one name, linux/os.h or
// bsd/os.h: what all of them declare for the others is one name.
void RenameFamily::add_other_builds(const FileModel& file, std::uint32_t symbol) {
  if (!file.semantics.traits().arrays_are_elements || file.is_member(symbol)) return;
  const store::SymbolRow* own = resolver_.row_of(file, symbol);
  if (own == nullptr || !own->exported) return;
  const std::string path = file.qualified_name(symbol);
  for (const store::SymbolRow& row : resolver_.symbol_rows(file.family, own->name)) {
    const auto other = row.exported ? resolver_.symbol(row.id) : std::nullopt;
    if (other && file_name(other->file->path) == file_name(file.path) &&
        other->file->qualified_name(other->index) == path) {
      take(*other->file, other->index);
    }
  }
}

// A key of an object literal is called as the member that its place expects.
void RenameFamily::add_expected(const FileModel& file, std::uint32_t symbol) {
  const std::uint32_t index = file.occurrence_at(file.facts.symbols[symbol].name_range.begin);
  if (index == kNoIndex) return;
  for (const Entity& meant : resolver_.resolve(file, index)) {
    if (meant.kind != EntityKind::kSymbol || holds(meant)) continue;
    if (meant.file->is_library) {
      ties_.push_back({{&file, symbol}, "it is a key that the language's library expects"});
    } else if (meant.file->facts.symbols[meant.index].name == file.facts.symbols[symbol].name) {
      take(*meant.file, meant.index);
    }
  }
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (at.receiver_kind == parse::ReceiverKind::kName) {
    // context.run = function: what the type of `context` declares.
    const Entities before = resolver_.receivers(file, index);
    for (const Entity& meant : resolver_.members(before, file.facts.symbols[symbol].name)) {
      if (meant.kind != EntityKind::kSymbol || holds(meant)) continue;
      if (meant.file->is_library) {
        ties_.push_back({{&file, symbol}, "the language's library declares it"});
      } else {
        take(*meant.file, meant.index);
      }
    }
  }
  if (at.receiver_kind != parse::ReceiverKind::kKey || at.receiver == kNoIndex) return;
  const Entities expected = resolver_.receivers(file, index);
  if (has_kind(expected, EntityKind::kExternal)) {
    ties_.push_back({{&file, symbol}, "it is a key of what code outside of the repository takes"});
  } else if (has_kind(expected, EntityKind::kUnknown) || has_kind(expected, EntityKind::kLate) ||
             has_computed_keys(resolver_, file, index)) {
    ties_.push_back({{&file, symbol}, "it is a key of something whose type is not known"});
  }
}

// Keys of an object without a declared type that is given where a type is expected: both ways.
Result<void> RenameFamily::add_given(const FileModel& file, std::uint32_t symbol) {
  if (!file.semantics.traits().texts.keys_are_members || !file.is_member(symbol)) return {};
  for (const Entity& expected : members_expected_of(resolver_, file, symbol)) {
    take(*expected.file, expected.index);
  }
  if (!knows_given_) CODEXMEM_TRY(find_given(file, file.facts.symbols[symbol].name));
  if (const auto given = given_.find({&file, symbol}); given != given_.end()) {
    for (const UsageTarget& key : given->second) take(*key.file, key.symbol);
  }
  return {};
}

Result<void> RenameFamily::find_given(const FileModel& file, const std::string& name) {
  knows_given_ = true;
  for (const store::SymbolRow& row : resolver_.symbol_rows(file.family, name)) {
    CODEXMEM_TRY(go_on());
    const auto key = row.container.empty() ? std::nullopt : resolver_.symbol(row.id);
    if (!key) continue;
    for (const Entity& expected : members_expected_of(resolver_, *key->file, key->index)) {
      given_[{expected.file, expected.index}].push_back({key->file, key->index});
    }
  }
  return {};
}

const std::vector<UsageTarget>& RenameFamily::above(const FileModel& file, std::uint32_t type) {
  const std::pair key(&file, type);
  if (const auto known = above_.find(key); known != above_.end()) return known->second;
  std::vector<UsageTarget> found;
  std::set<std::pair<const FileModel*, std::uint32_t>> seen = {key};
  std::vector<UsageTarget> open = {{&file, type}};
  while (!open.empty()) {
    const UsageTarget at = open.back();
    open.pop_back();
    for (const Entity& base : resolver_.supertypes(*at.file, at.symbol)) {
      if (!is_instance(base) && base.kind != EntityKind::kSymbol) continue;
      if (!seen.emplace(base.file, base.index).second) continue;
      open.push_back({base.file, base.index});
      found.push_back(open.back());
    }
    for (const Entity& other : resolver_.merged_with(*at.file, at.symbol)) {
      if (other.kind != EntityKind::kSymbol || !seen.emplace(other.file, other.index).second) {
        continue;
      }
      open.push_back({other.file, other.index});
      found.push_back(open.back());
    }
  }
  return above_[key] = std::move(found);
}

// The type that a member is one of, which may be in another file: func (t *T) f() {}.
std::optional<UsageTarget> RenameFamily::owner_type(const FileModel& file, std::uint32_t symbol) {
  const std::uint32_t owner = file.owner_of(symbol);
  if (owner != kNoIndex) {
    if (!is_type_like(file.facts.symbols[owner])) return std::nullopt;
    return UsageTarget{&file, owner};
  }
  for (const parse::Heritage* heritage : file.heritage_of(symbol)) {
    for (const Entity& type : resolver_.resolve(file, heritage->occurrence)) {
      if (type.kind == EntityKind::kSymbol && is_known(type)) {
        return UsageTarget{type.file, type.index};
      }
    }
  }
  return std::nullopt;
}

Result<void> RenameFamily::add_relatives(const FileModel& file, std::uint32_t symbol) {
  if (!file.is_member(symbol) || makes_its_class(file, symbol)) return {};
  const parse::Symbol& at = file.facts.symbols[symbol];
  for (const auto& implied : {file.semantics.implied_above(resolver_, file, symbol),
                              file.semantics.implied_below(resolver_, file, symbol)}) {
    for (const Implied& each : implied) {
      if (!is_type_like(each.file->facts.symbols[each.symbol])) take(*each.file, each.symbol);
    }
  }
  const auto owner = owner_type(file, symbol);
  if (!owner) return {};
  owners_.emplace(owner->file, owner->symbol);
  if (!file.semantics.may_override(at.name)) return {};
  look_outside({&file, symbol}, *owner);
  const std::vector<UsageTarget> types_above = above(*owner->file, owner->symbol);
  for (const UsageTarget& type : types_above) {
    owners_.emplace(type.file, type.symbol);
    const auto name = type.file->find_name(at.name);
    if (!name) continue;
    for (const std::uint32_t other : type.file->members_of(type.symbol, *name)) {
      if (makes_its_class(*type.file, other)) continue;
      if (!are_apart({&file, symbol}, {type.file, other})) take(*type.file, other);
    }
  }
  // From the other end: the members of this name in subtypes.
  for (const store::SymbolRow& row : resolver_.symbol_rows(file.family, at.name)) {
    if (row.container.empty()) continue;
    CODEXMEM_TRY(go_on());
    const auto other = resolver_.symbol(row.id);
    if (!other || holds(*other) || are_apart({&file, symbol}, {other->file, other->index})) {
      continue;
    }
    const std::uint32_t type = other->file->owner_of(other->index);
    if (type == kNoIndex || !is_type_like(other->file->facts.symbols[type])) continue;
    const std::vector<UsageTarget>& bases = above(*other->file, type);
    if (std::ranges::any_of(bases, [&](const UsageTarget& base) {
          return base.file == owner->file && base.symbol == owner->symbol;
        })) {
      take(*other->file, other->index);
    }
  }
  return {};
}

// What a type above that is not of the repository declares, or may declare, under the name.
void RenameFamily::look_outside(const UsageTarget& member, const UsageTarget& owner) {
  const FileModel& file = *member.file;
  const std::string& name = file.facts.symbols[member.symbol].name;
  std::vector<UsageTarget> types = above(*owner.file, owner.symbol);
  types.push_back(owner);
  for (const Implied& implied :
       owner.file->semantics.implied_above(resolver_, *owner.file, owner.symbol)) {
    const auto& more = above(*implied.file, implied.symbol);
    types.insert(types.end(), more.begin(), more.end());
  }
  for (const UsageTarget& type : types) {
    if (type.file->is_library) {
      const auto id = type.file->find_name(name);
      if (id && !type.file->members_of(type.symbol, *id).empty()) {
        ties_.push_back({member, "it overrides what the library's " +
                                     type.file->facts.symbols[type.symbol].name + " declares"});
      }
      continue;
    }
    for (const parse::Heritage* heritage : type.file->heritage_of(type.symbol)) {
      const Entities bases = resolver_.resolve(*type.file, heritage->occurrence);
      const bool is_outside = std::ranges::any_of(bases, [](const Entity& base) {
        return base.kind == EntityKind::kUnknown || base.kind == EntityKind::kExternal;
      });
      if (!is_outside || name.starts_with('_')) continue;
      const parse::Occurrence& at = type.file->facts.occurrences[heritage->occurrence];
      const std::string& base = type.file->name(at.name);
      // Of what the language itself has it is known what it declares.
      const LibraryTables& library = file.semantics.library();
      if (library.has("bare_bases", base)) continue;
      const bool is_plain = library.has("bases", base);
      if ((is_plain || library.find_type(base) || library.has("globals", base)) &&
          !library.has(is_plain ? "base_members" : "members", name)) {
        continue;
      }
      ties_.push_back({member, "it may override a member of " + base + ", which " +
                                   type.file->qualified_name(type.symbol) +
                                   " extends and the repository does not define"});
      return;
    }
  }
}

}  // namespace codexmem::graph
