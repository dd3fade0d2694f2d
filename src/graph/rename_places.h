// graph/rename_places.h - the places that a rename changes, and what is written there.
//
// One thread, one question; the part of graph/rename.h that makes edits.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/result.h"
#include "graph/core/source_texts.h"
#include "graph/rename.h"
#include "graph/rename_conflicts.h"
#include "graph/rename_family.h"

namespace codexmem::graph {

/// A place that changes: of an identifier, of the key that stands there too, or of both.
struct RenamePlace {
  bool name = false, key = false;
  bool is_definition = false;
  UsageKind kind = UsageKind::kRead;
};

using RenamePlaces = std::map<const FileModel*, std::map<std::uint32_t, RenamePlace>>;

/// The identifiers among `places` of `file` that its scopes decide on; occurrences.
std::vector<std::uint32_t> bare_places(const FileModel& file,
                                       const std::map<std::uint32_t, RenamePlace>& places);

/// Adds to `plan` the files with their edits; what stands against writing a file goes to `report`.
/// Errors: of the store.
Result<void> add_edits(Resolver& resolver, SourceTexts& texts, const RenameFamily& family,
                       const RenamePlaces& places, const ConflictReport& report, RenamePlan& plan);

}  // namespace codexmem::graph
