// graph/rename/rename_family.h - the definitions that must be called alike, so are renamed
// together.
//
// One thread, one question; the part of graph/rename/rename.h that gathers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/core/usage_search.h"

namespace codexmem::graph {

/// Something outside of the repository that has a say in the name of a definition.
struct OutsideTie {
  UsageTarget member;
  std::string why;  // for people
};

class RenameFamily {
 public:
  explicit RenameFamily(Resolver& resolver) : resolver_(resolver) {}

  /// Adds a definition and all that must have its name. Errors: kCancelled; the store's errors.
  Result<void> add(const FileModel& file, std::uint32_t symbol);
  /// Adds a definition alone.
  void add_alone(const FileModel& file, std::uint32_t symbol);

  /// In the order in which they were met.
  const std::vector<UsageTarget>& members() const { return members_; }
  bool holds(const FileModel& file, std::uint32_t symbol) const {
    return known_.contains({&file, symbol});
  }
  bool holds(const Entity& entity) const {
    return entity.kind == EntityKind::kSymbol && holds(*entity.file, entity.index);
  }
  /// True if one of them is reached through an object or a type.
  bool has_members() const { return has_members_; }
  /// The types that they are members of, and those above these: of the repository.
  const std::set<std::pair<const FileModel*, std::uint32_t>>& owners() const { return owners_; }
  const std::vector<OutsideTie>& ties() const { return ties_; }

  /// The types of the repository that stand above a type, in any number of steps.
  const std::vector<UsageTarget>& above(const FileModel& file, std::uint32_t type);

 private:
  void take(const FileModel& file, std::uint32_t symbol);
  void add_siblings(const FileModel& file, std::uint32_t symbol);
  void add_other_builds(const FileModel& file, std::uint32_t symbol);
  void add_expected(const FileModel& file, std::uint32_t symbol);
  Result<void> add_given(const FileModel& file, std::uint32_t symbol);
  Result<void> find_given(const FileModel& file, const std::string& name);
  Result<void> add_relatives(const FileModel& file, std::uint32_t symbol);
  std::optional<UsageTarget> owner_type(const FileModel& file, std::uint32_t symbol);
  void look_outside(const UsageTarget& member, const UsageTarget& owner);

  Resolver& resolver_;
  std::vector<UsageTarget> members_;
  std::set<std::pair<const FileModel*, std::uint32_t>> known_;
  std::set<std::pair<const FileModel*, std::uint32_t>> owners_;
  std::map<std::pair<const FileModel*, std::uint32_t>, std::vector<UsageTarget>> above_;
  std::map<std::pair<const FileModel*, std::uint32_t>, std::vector<UsageTarget>> given_;
  bool knows_given_ = false;  // keys of objects that are given for a member, by member
  std::vector<OutsideTie> ties_;
  bool has_members_ = false;
};

/// True for a field and a method of one name, where a type may have both: they are two symbols.
bool are_apart(const UsageTarget& a, const UsageTarget& b);

/// What may stand before the name in a path that leads to one of `members`: the names of their
/// modules, packages and types.
std::vector<std::string_view> path_parents(const std::vector<UsageTarget>& members);

}  // namespace codexmem::graph
