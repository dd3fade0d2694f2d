// index/tree_look.h - what differs between a tree and its record: the quick look at all files.
//
// Costs a stat(2) of each folder and file, on two threads or more, and nothing else while the tree
// is as recorded: no folder is listed, no ignore rule is applied, no row is read. Design:
// docs/design/index.md, "The look".
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/root_directory.h"
#include "index/run_observer.h"
#include "index/tree_record.h"

namespace codexmem::index {

struct TreeLook {
  /// Files and folders (relative to the root, by path) that are new or gone, differ, or may.
  std::vector<std::string> changed;
  /// Of these, the files whose stamps differ: their bytes decide. Of the others nothing is known.
  std::vector<std::string> differing;
  /// The record has stamps now that it had not.
  bool is_renewed = false;
};

/// Compares the tree below `root` with `record`, which gets the new stamps of folders and rules;
/// those of `changed` stay as they are.
///
/// Seen is what git sees: a change of bytes whatever size and time say (by the time of the inode's
/// change), a new, missing or replaced entry, a link that leads elsewhere. Nothing comes back when
/// the whole tree has to be walked: the rules have changed, or the root cannot be opened.
/// `observer` (may be null) hears of each folder and rule before it is looked at. Errors:
/// kCancelled.
Result<std::optional<TreeLook>> look_at_tree(const RootDirectory& root, TreeRecord& record,
                                             RunObserver* observer, unsigned threads,
                                             const std::stop_token& stop);

}  // namespace codexmem::index
