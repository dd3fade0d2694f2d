// ask/revision.h - questions about the files of a git revision.
//
// The last few revisions that were asked about stay open, with what was read of them. Safe to use
// from many threads. Design: docs/how-it-works.md, "Rules, revisions, history".
#pragma once

#include <memory>
#include <string>

#include "ask/context.h"
#include "base/result.h"

namespace codexmem::ask {

/// What a question about a revision is asked with, in the place of the work tree's services.
struct RevisionServices {
  virtual ~RevisionServices() = default;
  Services services;  // `code` is the revision's, or the work tree's where that has the same files
};

/// Opens `revision` of the repository of `context`, after its index was brought up to date. Errors:
/// as index::open_revision() and of the index run.
Result<std::shared_ptr<RevisionServices>> open_revision(const Context& context,
                                                        const std::string& revision);

}  // namespace codexmem::ask
