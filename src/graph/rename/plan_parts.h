// graph/rename/plan_parts.h - what the plans of graph/rename/ have in common.
//
// One thread, one question.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/core/source_texts.h"
#include "graph/core/usage_search.h"
#include "graph/uses/use_drawers.h"
#include "graph/rename/rename.h"

namespace codexmem::graph {

class PlanObstacles {
 public:
  /// `takes_values`: also a place that is no call can be taken.
  PlanObstacles(SourceTexts& texts, const RenameQuery& query, RenamePlan& plan,
                bool takes_values = true)
      : texts_(texts), query_(query), plan_(plan), takes_values_(takes_values) {}

  /// Adds an obstacle to the plan, unless a person says to leave the place as it is. True if they
  /// say to take it: then it is an edit.
  bool add(ObstacleKind kind, const FileModel& file, std::uint32_t offset, std::string why,
           std::optional<Confidence> confidence = std::nullopt);
  /// Adds the unread places of the account except obstacles, and the possible ones of
  /// `members`, the symbols that the plan changes.
  void add_open(Resolver& resolver, std::span<const UsageTarget> members,
                const std::vector<Hit>& hits);

 private:
  void add_possible(Resolver& resolver, std::span<const UsageTarget> members,
                    const std::vector<Hit>& hits);

  SourceTexts& texts_;
  const RenameQuery& query_;
  RenamePlan& plan_;
  bool takes_values_;
};

/// A file of the plan without its edits; nothing if the index no longer has it. What must not be
/// written is an obstacle, at `first`.
std::optional<RenamedFile> file_to_write(Resolver& resolver, const FileModel& file,
                                         std::uint32_t first, PlanObstacles& obstacles);

/// Adds the definitions to the plan, and puts its lists into their order. Errors: the store's.
Result<void> finish_plan(store::CodeReader& reader, std::span<const UsageTarget> members,
                         RenamePlan& plan);

}  // namespace codexmem::graph
