// graph/rename/rename_reach.h - the files that can have values of a file's types.
//
// One thread, one question.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/core/resolver.h"
#include "graph/core/usage_search.h"

namespace codexmem::graph {

class RenameFamily;

class ValueReach {
 public:
  explicit ValueReach(Resolver& resolver) : resolver_(resolver) {}

  /// False if it is known that `file` has no value of what `definitions`, the same in each call,
  /// belong to: it does not import their files, through whatever modules, nor is it imported by one
  /// that does and may hand it some. True where files need no imports to know each other.
  bool may_get_values(const FileModel& file, const std::vector<UsageTarget>& definitions);

  /// False if it is known that no bare name of `file` means one of `definitions`: it does not
  /// import their files, through whatever modules.
  bool may_bind(const FileModel& file, const std::vector<UsageTarget>& definitions);

  /// False if it is known that an occurrence of which only the name is known means none of
  /// `family`. A bare name that nothing explains may be a member's where a macro or an include
  /// joins them.
  bool may_mean(const FileModel& file, const Usage& usage, const RenameFamily& family);

 private:
  bool needs_no_imports(const FileModel& file, const std::vector<UsageTarget>& definitions);
  std::set<store::FileId> importers_of(std::vector<store::FileId> files,
                                       const std::set<store::FileId>* wanted);

  Resolver& resolver_;
  std::set<store::FileId> reaching_;       // files that import a definition, and these
  std::map<store::FileId, bool> answers_;  // by file
};

/// The occurrences of an identifier and of a key at `offset`; kNoIndex where one is missing. { a }
/// is both.
std::pair<std::uint32_t, std::uint32_t> name_and_key_at(const FileModel& file,
                                                        std::uint32_t offset);

/// Occurrences of `name` in `file` that read a key of one of `objects`, object literals by file and
/// index; by offset.
std::vector<std::uint32_t> uses_of_objects(
    Resolver& resolver, const FileModel& file, std::string_view name,
    const std::set<std::pair<const FileModel*, std::uint32_t>>& objects);

/// Occurrences of keys called `name` in the object types that functions of `file` write out for
/// parameters and results, where each key of the type is also a member of one of `owners`: with
/// structural types, an object of one may be passed for the other.
std::vector<std::uint32_t> keys_of_same_shape(
    const FileModel& file, std::string_view name,
    const std::set<std::pair<const FileModel*, std::uint32_t>>& owners);

/// True if `occurrence` is a key or member of a type that computes its keys from an unknown type: {
/// [K in keyof T]: ... }.
bool has_computed_keys(Resolver& resolver, const FileModel& file, std::uint32_t occurrence);

/// True for a member of something that the language itself gives every file, Promise.all: it is
/// none of the repository.
bool is_of_language(Resolver& resolver, const FileModel& file, std::uint32_t occurrence);

}  // namespace codexmem::graph
