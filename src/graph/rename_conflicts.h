// graph/rename_conflicts.h - what a new name would mean, or make others mean, where it is written.
//
// One thread, one question; the part of graph/rename.h that looks for trouble. Stateless.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/rename.h"
#include "graph/rename_family.h"

namespace codexmem::graph {

/// What stands before the letters of a name and is no part of it: # of a private one.
std::string_view sign_of(std::string_view name);

/// The new name of `family`, which is called `old_name`: `wanted`, with the old name's sign.
/// Errors: kInvalidArgument when it is not a name, or is a reserved word, or the old one.
Result<std::string> check_new_name(const RenameFamily& family, std::string_view old_name,
                                   const std::string& wanted);

/// Called with each conflict: its kind, the file and byte offset where the new name is, and why.
using ConflictReport = std::function<void(ObstacleKind kind, const FileModel& file,
                                          std::uint32_t offset, std::string why)>;

/// The scopes of one file in which `places`, occurrences of the old name by offset, are written
/// bare: is `new_name` bound there, and is it used where it would mean what is renamed?
void find_scope_conflicts(Resolver& resolver, const FileModel& file,
                          const std::vector<std::uint32_t>& places, std::string_view new_name,
                          const ConflictReport& report);

/// Members called `new_name` of the types that have the members of `family`, of those above and
/// below. Errors: kCancelled; those of the store.
Result<void> find_member_conflicts(Resolver& resolver, RenameFamily& family,
                                   const std::string& new_name, const ConflictReport& report);

}  // namespace codexmem::graph
