// index/packs/remote_vectors.h - makes vectors with a model behind HTTP, alongside a finished
// index.
//
// An index run writes symbols and text and ends; this part follows later and blocks nothing.
// Vectors are collected in the store's vector cache, each batch when it arrives, so after an
// interruption nothing is requested twice. When every file has its vectors in the cache, they are
// copied to the index, in short transactions under the lock of index runs. Design:
// docs/how-it-works.md, "Vectors".
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

#include "base/result.h"
#include "embed/embedder.h"
#include "index/run/indexer.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct RemoteVectorsReport {
  std::uint64_t texts_sent = 0;       // texts that were not in the cache
  std::uint64_t texts_taken = 0;      // from packs
  std::uint64_t vectors_written = 0;  // into the index
  std::chrono::milliseconds elapsed{0};
};

/// Replaces the index's vectors with the vectors of `embedder`, for all files currently in the
/// index.
///
/// Files written meanwhile are included, unless they change faster than the model answers; the rest
/// is then left to the next call. One call at a time per workspace, across processes; a second one
/// waits. Vectors of other models are removed from the index and the cache when all vectors of this
/// one exist. Errors: as the embedder, also noted for store::VectorCache::read_progress; as the
/// store; kCancelled. Embedded texts are kept. Vectors of this model in `packs` are used and not
/// requested.
Result<RemoteVectorsReport> update_remote_vectors(
    store::Workspace& workspace, const embed::Embedder& embedder,
    const ProgressCallback& progress = {}, std::stop_token stop = {},
    std::span<const std::shared_ptr<const Pack>> packs = {});

}  // namespace codexmem::index
