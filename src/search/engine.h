// search/engine.h - SearchEngine's internals: the state that answers share. Only for this folder
// and its benchmark.
#pragma once

#include <memory>
#include <mutex>

#include "base/result.h"
#include "embed/vector_index.h"
#include "search/ranking.h"
#include "search/search.h"
#include "search/snapshot.h"

namespace codexmem::search {

/// Everything that a ranking reads except the postings, for one moment of the store.
struct EngineState {
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const embed::VectorIndex> vectors;  // null: rank without
  store::ModelId model{};                             // of these vectors
  std::shared_ptr<const embed::Embedder> embedder;
  std::string vectors_stamp;  // the store's stamp of the last write of vectors
  std::string degraded;       // why some or all vectors are missing; "" if complete
  bool is_pending = false;    // a remote model has not made all vectors yet: report its progress
  std::size_t percent = 0;    // of files with vectors, if some are pending
};

struct SearchEngine::Impl {
  store::Workspace& workspace;
  SearchOptions options;
  std::mutex state_mutex;  // guards state
  std::shared_ptr<const EngineState> state;
  std::mutex build_mutex;  // one thread builds, the others wait for the result

  /// The state at the moment of `reader`'s transaction. Null if that moment is older than the
  /// current state: begin a new transaction then. If it is still older on a retry (`again`), the
  /// store was replaced by another.
  Result<std::shared_ptr<const EngineState>> state_for(store::StoreReader& reader, bool again);
  Result<std::shared_ptr<const EngineState>> build(store::StoreReader& reader,
                                                   const EngineState* previous,
                                                   std::string vectors_stamp);
  Result<void> add_vectors(store::StoreReader& reader, const EngineState* previous,
                           EngineState* state);

  /// Calls `answer` with a reader in a transaction and the state for it.
  template <typename Answer>
  auto with_state(Answer answer)
      -> decltype(answer(std::declval<store::StoreReader&>(), std::declval<const EngineState&>()));
};

}  // namespace codexmem::search
