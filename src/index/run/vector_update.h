// index/run/vector_update.h - updates the stored vectors of the built-in model for the files of a
// run.
//
// A vector depends only on its text (index/discovery/embedded_text.h), so the vector of a changed
// file is written together with its rows. This handles files whose vectors an earlier run left out,
// and all files when the index had vectors of another model. Design: docs/how-it-works.md, "Index".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "base/result.h"
#include "embed/embedder.h"
#include "index/run/write_session.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// The built-in model, and whether the store's vectors are its own.
struct VectorState {
  std::shared_ptr<const embed::Embedder> embedder;
  store::ModelId id{};     // valid with is_stored
  bool is_stored = false;  // otherwise the store has no vectors, or another model's
};

/// Loads the model and its state in the store. Errors: as the store and the model.
Result<VectorState> load_vector_state(store::StoreReader& reader);

/// Makes this model the store's, dropping vectors of others. Does nothing if it already is.
Result<void> enter_model(VectorState& state, WriteSession& session);

/// Writes the vectors of files that have none from `state`'s model, which must be stored; returns
/// their number. Raises meta "vectors_generation" in the same transaction, because the files
/// themselves are not written in it. Errors: as the store; kCancelled.
Result<std::uint64_t> add_missing_vectors(
    store::Workspace& workspace, const VectorState& state, unsigned threads, WriteSession& session,
    const std::stop_token& stop,
    const std::function<void(std::size_t done, std::size_t total)>& progress);

}  // namespace codexmem::index
