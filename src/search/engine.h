// search/engine.h - SearchEngine's inside: the state that answers share. For this folder's own use
// and for its benchmark.
#pragma once

#include <memory>
#include <mutex>

#include "base/result.h"
#include "embed/vector_index.h"
#include "search/ranking.h"
#include "search/search.h"
#include "search/snapshot.h"

namespace codexmem::search {

/// Everything a ranking reads besides the postings, of one moment of the store.
struct EngineState {
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const embed::VectorIndex> vectors;  // null: rank without
  store::ModelId model{};                             // of these vectors
  std::shared_ptr<const embed::Embedder> embedder;
  std::string vectors_stamp;  // the store's note of when vectors were last written
  std::string degraded;       // why there are none, or not all; "" when there are
  bool is_pending = false;    // a remote model has yet to make some: its progress is told
  std::size_t percent = 0;    // of the files that have theirs, when some are pending
};

struct SearchEngine::Impl {
  store::Workspace& workspace;
  SearchOptions options;
  std::mutex state_mutex;  // guards state
  std::shared_ptr<const EngineState> state;
  std::mutex build_mutex;  // one thread builds, the others wait for what it made

  /// The state of the moment that `reader`'s transaction sees, or null when that moment is older
  /// than the state that is there: begin a new transaction then. If that is `again` older, another
  /// store has taken the place of the one that the state is of.
  Result<std::shared_ptr<const EngineState>> state_for(store::StoreReader& reader, bool again);
  Result<std::shared_ptr<const EngineState>> build(store::StoreReader& reader,
                                                   const EngineState* previous,
                                                   std::string vectors_stamp);
  Result<void> add_vectors(store::StoreReader& reader, const EngineState* previous,
                           EngineState* state);

  /// Calls `answer` with a reader in a transaction and the state of its moment.
  template <typename Answer>
  auto with_state(Answer answer)
      -> decltype(answer(std::declval<store::StoreReader&>(), std::declval<const EngineState&>()));
};

}  // namespace codexmem::search
