// index/revision.h - a store of the files of a git revision, without a checkout.
//
// Made as a copy of the work tree's store in which the files that differ are indexed from git's
// blobs, and kept beside it in `revisions/<git tree's id>`: what it says is a function of that
// tree, so revisions and branches with the same files share one. Safe to call from many threads and
// processes. Design: docs/design/revisions.md.
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

/// The store of `revision` in the git repository around the root of `base`; `refresh` brings its
/// index up to date. Of more than four that are kept the one that was unused longest goes.
/// Errors: kInvalidArgument when git knows no such revision; kNotFound without a git repository;
/// kIo when git's data cannot be read or there is no room; kBusy when the work tree changed
/// meanwhile; kCancelled; those of the store.
Result<Revision> open_revision(store::Workspace& base, const std::string& revision,
                               const std::function<Result<void>()>& refresh,
                               const std::stop_token& stop);

}  // namespace codexmem::index
