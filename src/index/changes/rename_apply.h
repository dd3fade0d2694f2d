// index/changes/rename_apply.h - carries out a plan of graph/rename/rename.h and verifies the
// result.
//
// Design: docs/how-it-works.md, "Rename".
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/rename/rename.h"
#include "index/changes/change_check.h"
#include "index/changes/rewrite.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// The edits of a plan.
std::vector<FileEdits> edits_of(const graph::RenamePlan& plan);

struct RenameOutcome {
  bool is_applied = false;  // false: all files are unchanged
  // The reasons, if it was not applied.
  std::vector<graph::RenameObstacle> differences;  // places whose meaning would change
  std::vector<ChangeFinding> findings;             // new findings of `codexmem check`
  bool is_verified = true;                         // `verify` was content
};

/// Writes the files of `plan`, which must have no obstacles, indexes them with `refresh`, and
/// verifies the result: the reverse rename must change the same places, and `codexmem check` must
/// find nothing new, including violations of `rules` (only in a git repository), and then `verify`,
/// if given, must be content. Otherwise all files are restored and indexed again. Errors: as
/// Rewrite::apply(), `refresh` and the checks; the files are then restored as well.
Result<RenameOutcome> apply_rename(store::Workspace& workspace, const graph::RenamePlan& plan,
                                   const std::vector<GivenRule>& rules,
                                   const std::function<Result<void>()>& refresh,
                                   const std::function<bool()>& verify, std::stop_token stop);

}  // namespace codexmem::index
