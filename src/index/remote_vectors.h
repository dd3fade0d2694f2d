// index/remote_vectors.h - vectors of a model behind HTTP, made beside a finished index.
//
// An index run writes symbols and text and is done; what is here follows in its own time and holds
// up nobody. Vectors are gathered in the store's vector cache, each batch as it comes, so whatever
// ends this, nothing is asked for twice. When every file has its vectors there they are put into
// the index, in short transactions under the index run's lock. Design: docs/design/embed.md,
// "Providers".
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

#include "base/result.h"
#include "embed/embedder.h"
#include "index/indexer.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct RemoteVectorsReport {
  std::uint64_t texts_sent = 0;       // that were not in the cache
  std::uint64_t texts_taken = 0;      // from packs
  std::uint64_t vectors_written = 0;  // into the index
  std::chrono::milliseconds elapsed{0};
};

/// Brings the index's vectors to those of `embedder` for all files, as the index has them now.
///
/// Files that are written meanwhile are taken in too, unless they change faster than the model
/// answers: then what is left is for the next call. One at a time per workspace, across processes;
/// a second one waits. Vectors of other models leave the index when all of this one are there, and
/// the cache with them. Errors: those of the embedder, which are noted for others to tell
/// (store::VectorCache::read_progress); those of the store; kCancelled. What was embedded is kept.
/// What `packs` have of this model's vectors is taken from them and not asked for.
Result<RemoteVectorsReport> update_remote_vectors(
    store::Workspace& workspace, const embed::Embedder& embedder,
    const ProgressCallback& progress = {}, std::stop_token stop = {},
    std::span<const std::shared_ptr<const Pack>> packs = {});

}  // namespace codexmem::index
