// index/rename_apply.h - carries out a plan of graph/rename.h, and looks whether it came out right.
//
// Design: docs/design/rename.md.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/rename.h"
#include "index/change_check.h"
#include "index/rewrite.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// The edits of a plan.
std::vector<FileEdits> edits_of(const graph::RenamePlan& plan);

struct RenameOutcome {
  bool is_applied = false;  // false: every file is as it was
  // Why not, where it is not.
  std::vector<graph::RenameObstacle> differences;  // places that mean something else afterwards
  std::vector<ChangeFinding> findings;  // of `codexmem check`, that were not there before
};

/// Writes the files of `plan`, which has no obstacles, indexes them with `refresh`, and looks at
/// the result: the way back must be the same places, and `codexmem check` must find nothing new, of
/// `rules` too (in a git repository; elsewhere that is left out). Otherwise everything is put back
/// and indexed again. Errors: those of Rewrite::apply(), of `refresh` and of the checks, after
/// which everything is put back too.
Result<RenameOutcome> apply_rename(store::Workspace& workspace, const graph::RenamePlan& plan,
                                   const std::vector<GivenRule>& rules,
                                   const std::function<Result<void>()>& refresh,
                                   std::stop_token stop);

}  // namespace codexmem::index
