// index/git/revision.h - opens a store of the files of a git revision, without a checkout.
//
// The store is a copy of the work tree's store in which the files that differ are indexed from
// git's blobs. It is kept next to that store in `revisions/<git tree's id>`; its content depends
// only on that tree, so revisions and branches with the same files share it. Safe to call from many
// threads and processes. Design: docs/how-it-works.md, "Rules, revisions, history".
//
// Different from a checkout: files that git does not have (untracked, ignored, of a submodule) are
// not part of a revision; the work tree gives the ignore rules; vectors of files that differ
// are made with the built-in model only; memories and decisions are today's.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct Revision {
  std::string tree;                             // its git tree's id, in hex
  std::unique_ptr<store::Workspace> workspace;  // null: the work tree has these files
};

/// The store of `revision` in the git repository around the root of `base`; `refresh` must bring
/// the index of `base` up to date. At most four are kept; the least recently used one is removed.
/// Errors: kInvalidArgument for an unknown revision; kNotFound without a git repository; kIo when
/// git's data cannot be read or there is no room; kBusy when the work tree changed meanwhile;
/// kCancelled; as the store.
Result<Revision> open_revision(store::Workspace& base, const std::string& revision,
                               const std::function<Result<void>()>& refresh,
                               const std::stop_token& stop);

}  // namespace codexmem::index
