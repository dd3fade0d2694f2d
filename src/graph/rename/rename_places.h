// graph/rename/rename_places.h - the places that a rename changes, and their new texts.
//
// One thread, one question; the part of graph/rename/rename.h that makes edits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/core/source_texts.h"
#include "graph/rename/rename.h"
#include "graph/rename/plan_parts.h"
#include "graph/rename/rename_family.h"

namespace codexmem::graph {

/// A place that changes: an identifier, the key at the same place, or both.
struct RenamePlace {
  bool name = false, key = false;
  bool is_definition = false;
  bool is_taken = false;  // a person says that it means the symbol
  UsageKind kind = UsageKind::kRead;
  std::string spelled = {};  // where it is named by what its name makes: that, and
  std::string derived = {};  // what the new one makes
};

using RenamePlaces = std::map<const FileModel*, std::map<std::uint32_t, RenamePlace>>;

/// The identifiers among `places` of `file` that its scopes decide on; occurrences.
std::vector<std::uint32_t> bare_places(const FileModel& file,
                                       const std::map<std::uint32_t, RenamePlace>& places);

/// Adds to `plan` the files with their edits; what must not be written is an obstacle. Errors:
/// the store's errors.
Result<void> add_edits(Resolver& resolver, SourceTexts& texts, const RenameFamily& family,
                       const RenamePlaces& places, PlanObstacles& obstacles, RenamePlan& plan);

}  // namespace codexmem::graph
