// index/discovery/tree_look.h - finds the differences between a tree and its record quickly.
//
// Costs only a stat(2) of each folder and file, on two threads or more, while the tree is as
// recorded: no folder is listed, no ignore rule is applied, no row is read. Design:
// docs/how-it-works.md, "Index".
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/discovery/root_directory.h"
#include "index/run/run_observer.h"
#include "index/discovery/tree_record.h"

namespace codexmem::index {

struct TreeLook {
  /// Files and folders (relative to the root, by path) that are new or gone, differ, or may differ.
  std::vector<std::string> changed;
  /// Among them, the files whose stamps differ: their bytes must be compared. The others are
  /// unknown.
  std::vector<std::string> differing;
  /// The record has new stamps.
  bool is_renewed = false;
};

/// Compares the tree below `root` with `record`, which gets the new stamps of folders and rules;
/// entries in `changed` keep their old stamps.
///
/// It detects what git detects: changed bytes regardless of size and time (by the time of the
/// inode's change), new, missing and replaced entries, and changed link targets. Returns nothing
/// when the whole tree must be walked: the rules have changed, or the root cannot be opened.
/// `observer` (may be null) is called for each folder and rule before it is checked. Errors:
/// kCancelled.
Result<std::optional<TreeLook>> look_at_tree(const RootDirectory& root, TreeRecord& record,
                                             RunObserver* observer, unsigned threads,
                                             const std::stop_token& stop);

}  // namespace codexmem::index
