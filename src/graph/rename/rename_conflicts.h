// graph/rename/rename_conflicts.h - what a new name would mean, or make others mean, where it is
// written.
//
// One thread, one question; the part of graph/rename/rename.h that looks for trouble. Stateless.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/rename/rename.h"
#include "graph/rename/rename_family.h"

namespace codexmem::graph {

/// The sign before a name that is not part of it: # of a private name.
std::string_view sign_of(std::string_view name);

/// Errors: kInvalidArgument when `letters`, of the new name `wanted`, make no name in `file`, or a
/// reserved word that is not `allowed`.
Result<void> check_letters(const FileModel& file, const std::string& wanted,
                           std::string_view letters, bool allowed = false);

/// The new name of `family`, which is called `old_name`: `wanted`, with the old name's sign.
/// Errors: kInvalidArgument when it is not a name, or is a reserved word, or the old one.
Result<std::string> check_new_name(const RenameFamily& family, std::string_view old_name,
                                   const std::string& wanted);

/// Called with each conflict: its kind, the file and byte offset where the new name is, and why.
using ConflictReport = std::function<void(ObstacleKind kind, const FileModel& file,
                                          std::uint32_t offset, std::string why)>;

/// Checks the scopes of one file with `places`, occurrences of the bare old name by offset: reports
/// where `new_name` is bound, and where it is used and would mean the renamed symbol.
void find_scope_conflicts(Resolver& resolver, const FileModel& file,
                          const std::vector<std::uint32_t>& places, std::string_view new_name,
                          const ConflictReport& report);

/// Reports members called `new_name` in the types of `family`'s members, and in their super- and
/// subtypes. Errors: kCancelled; the store's errors.
Result<void> find_member_conflicts(Resolver& resolver, RenameFamily& family,
                                   const std::string& new_name, const ConflictReport& report);

}  // namespace codexmem::graph
