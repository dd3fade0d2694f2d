// index/vector_update.h - brings the stored vectors of the built-in model up to the files of a run.
//
// A vector is made of its text alone (index/embedded_text.h), so that of a changed file is written
// together with its rows. What is left are files whose vectors an earlier run left out, and all of
// them when the index had those of another model. Design: docs/design/index.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "base/result.h"
#include "embed/embedder.h"
#include "index/write_session.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// The built-in model, and whether the store's vectors are its own.
struct VectorState {
  std::shared_ptr<const embed::Embedder> embedder;
  store::ModelId id{};     // valid with is_stored
  bool is_stored = false;  // else there are none, or those of another model
};

/// Loads the model and what the store has of it. Errors: those of the store and the model.
Result<VectorState> load_vector_state(store::StoreReader& reader);

/// Makes the model the one of the store, whose vectors of others go. Does nothing when it is.
Result<void> enter_model(VectorState& state, WriteSession& session);

/// Writes the vectors of files that have none of `state`'s model, which is stored; returns their
/// number. Raises meta "vectors_generation" with them: they are of files that were not written in
/// the same transaction. Errors: those of the store; kCancelled.
Result<std::uint64_t> add_missing_vectors(
    store::Workspace& workspace, const VectorState& state, unsigned threads, WriteSession& session,
    const std::stop_token& stop,
    const std::function<void(std::size_t done, std::size_t total)>& progress);

}  // namespace codexmem::index
